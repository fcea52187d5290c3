/** A command on a policy: locks the row, checks its version, reads the business date. Contract 3.2. */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Command } from '../../contracts/machinery/command.ts';
import type { Policy } from '../../db/entities/policy/policy.ts';
import { lockPolicy } from '../../db/queries/policy/policies.ts';
import type { DaFlag } from '../../domain/authority/authority.ts';
import { DomainError } from '../../domain/errors.ts';
import type { Lender } from '../../domain/permissions.ts';
import { type BusinessDay, businessDay } from '../../plans/platform/business-day.ts';
import { commandActivity, type Deps } from '../context.ts';
import { ensureExpected } from '../expected-version.ts';

export interface PolicyStep<P> {
  em: EntityManager;
  command: Command<P>;
  /** Locked until the transaction ends. */
  policy: Policy;
  day: BusinessDay;
  /** Who lent the actor authority for it. */
  lenders?: readonly Lender[];
  /** The conditions of the approval that it carries out. */
  conditions?: readonly string[];
  /** The flags that this approval cleared, which also apply to the next term's change. */
  cleared?: readonly DaFlag[];
}

/** Builds the activity for a command on a policy. @throws DomainError not_found, precondition_failed */
export function policyCommand<P, R extends object>(
  deps: Deps,
  kind: string,
  work: (step: PolicyStep<P>) => Promise<R>,
  lock: (em: EntityManager, policyId: string) => Promise<Policy | null> = lockPolicy,
) {
  return commandActivity<P, Policy, R>(deps, kind, {
    lock,
    work: async (em, command, policy) => {
      if (policy === null) throw new DomainError('not_found', 'There is no such policy.');
      ensureExpected(command, policy);
      return work({ em, command, policy, day: await businessDay(em, command.orgId, deps.now()) });
    },
  });
}
