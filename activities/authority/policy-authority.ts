/**
 * A policy change's use of delegated authority: usage moves with written premium under a lock, and a change that
 * exceeds it opens a referral to someone with more authority. Contract 3.2 "endorse", 3.7.
 */

import type { EntityManager } from '@mikro-orm/postgresql';
import { ApplicationFailure } from '@temporalio/common';
import type { Command, Repeatable } from '../../contracts/command.ts';
import { Referral } from '../../db/entities/authority/referral.ts';
import { newId } from '../../db/ids.ts';
import { addRow } from '../../db/new-rows.ts';
import { findContract, type LockedUsage } from '../../db/queries/authority/authority.ts';
import { openReferralOf } from '../../db/queries/authority/referrals.ts';
import { writeAudit } from '../../db/queries/platform/audit.ts';
import { lockPolicy } from '../../db/queries/policy/policies.ts';
import { auditedChanges } from '../../domain/audit.ts';
import type { DaFlag } from '../../domain/authority/authority.ts';
import { DomainError } from '../../domain/errors.ts';
import type { DataOf } from '../../domain/events.ts';
import { auditOf } from '../audit.ts';
import { asFailure, type Deps, transaction } from '../context.ts';
import { takeAuthority } from './authority-use.ts';

/**
 * Moves locked usage with the written premium. Returns the alert to publish when this very change passes 85 percent,
 * otherwise null.
 */
export async function moveUsage(
  em: EntityManager,
  usage: LockedUsage | null,
  premiumChangeCents: number,
): Promise<DataOf<'da.limit_approaching'> | null> {
  if (usage === null || premiumChangeCents === 0) return null;
  return takeAuthority(em, { usage, contract: await findContract(em, usage.contractId) }, premiumChangeCents);
}

/**
 * Wraps a policy change: when it exceeds the authority, a separate transaction opens a referral, and the refusal
 * carries its flags. Each policy has at most one open referral; a repeated attempt updates its flags.
 */
export function referring<P, R extends object>(deps: Deps, change: (command: Command<P>) => Promise<Repeatable<R>>) {
  return async (command: Command<P>): Promise<Repeatable<R>> => {
    try {
      return await change(command);
    } catch (error) {
      const refused = refusedFlags(error);
      if (refused === null) throw error;
      const step = { kind: 'referPolicy', orgId: command.orgId, requestId: command.requestId };
      const daFlags = await transaction(deps, step, (em) => refer(em, command, refused));
      throw asFailure(deps, step, new DomainError('delegated_authority_exceeded', refused.message, { daFlags }));
    }
  };
}

/** A refusal concerns the command's policy, or the one that its details name. */
function refusedFlags(error: unknown): { message: string; flags: DaFlag[]; policyId: string | null } | null {
  if (!(error instanceof ApplicationFailure) || error.type !== 'delegated_authority_exceeded') return null;
  const [details] = (error.details ?? []) as { daFlags?: DaFlag[]; policyId?: string }[];
  return { message: error.message, flags: details?.daFlags ?? [], policyId: details?.policyId ?? null };
}

async function refer(
  em: EntityManager,
  command: Command<unknown>,
  { flags, policyId: named }: { flags: readonly DaFlag[]; policyId: string | null },
): Promise<DaFlag[]> {
  const { entityId, actor } = command;
  const policyId = named ?? entityId;
  await lockPolicy(em, policyId);
  const open = await openReferralOf(em, { policyId });
  const id = open?.id ?? newId('referral');
  const stands = ({ severity, clearedAt }: DaFlag) => severity !== 'info' && clearedAt === null;
  const marked = flags.map((flag) => (stands(flag) ? { ...flag, referralId: id } : flag));
  const openFlags = marked.filter(stands);
  const reason = openFlags.map((flag) => flag.message).join(' ');
  const before = open && factsOf(open);
  if (open === null) {
    const status = 'pending' as const;
    addRow(em, Referral, { id, policyId, reason, status, flags: openFlags, requestedBy: actor.id });
  } else {
    open.flags = openFlags;
  }
  const changes = auditedChanges(before, factsOf({ policyId, status: open?.status ?? 'pending', flags: openFlags }));
  await em.flush();
  const action = open === null ? 'referral:create' : 'referral:update';
  writeAudit(em, auditOf({ ...command, entityId: id }, action, 'referral', changes));
  return marked;
}

function factsOf({ policyId, status, flags }: Pick<Referral, 'policyId' | 'status' | 'flags'>): object {
  return { policyId, status, flags: flags.map(({ code }) => code) };
}
