/**
 * Billing holds: commands that place and lift them, and the notification of affected policies. Contract 3.2
 * "Delinquency".
 */

import { heartbeat } from '@temporalio/activity';
import type { BillingHoldOutcome, BillingHoldPayload } from '../../contracts/billing-hold.ts';
import { BillingHold } from '../../db/entities/billing/billing-hold.ts';
import { addRow } from '../../db/new-rows.ts';
import { lockBillingHold } from '../../db/queries/billing/billing-holds.ts';
import { writeAudit } from '../../db/queries/platform/audit.ts';
import { auditedChanges } from '../../domain/audit.ts';
import { DomainError } from '../../domain/errors.ts';
import { delinquentClocks } from '../../plans/billing/delinquency-facts.ts';
import { businessDay } from '../../plans/platform/business-day.ts';
import { auditOf } from '../audit.ts';
import { commandActivity, type Deps, transaction } from '../context.ts';
import { ensureExpected } from '../expected-version.ts';

const AT_ONCE = 8;

/** Places a hold; the command's entity is the new hold. */
export const placeBillingHold = (deps: Deps) =>
  commandActivity<BillingHoldPayload, BillingHold, BillingHoldOutcome>(deps, 'placeBillingHold', {
    lock: lockBillingHold,
    work: async (em, command) => {
      const { entityId: id, payload } = command;
      const { state, from, to } = payload;
      writeAudit(em, auditOf(command, 'billing_hold:place', 'billing_hold', auditedChanges(null, payload)));
      addRow(em, BillingHold, { id, state, fromDate: from, toDate: to });
      return { holdId: id, state };
    },
  });

/**
 * Lifts a hold as of today; days it has already stopped stay uncounted. A hold lifted earlier is left as is.
 * @throws DomainError not_found, precondition_failed
 */
export const liftBillingHold = (deps: Deps) =>
  commandActivity<Record<string, never>, BillingHold, BillingHoldOutcome>(deps, 'liftBillingHold', {
    lock: lockBillingHold,
    work: async (em, command, hold) => {
      if (hold === null) throw new DomainError('not_found', 'There is no such billing hold.');
      ensureExpected(command, hold);
      const outcome = { holdId: hold.id, state: hold.state };
      if (hold.liftedOn !== null) return outcome;
      const { today } = await businessDay(em, command.orgId, deps.now());
      hold.liftedOn = today;
      await em.flush();
      const changes = auditedChanges({ liftedOn: null }, { liftedOn: today });
      writeAudit(em, auditOf(command, 'billing_hold:lift', 'billing_hold', changes));
      return outcome;
    },
  });

/** Notifies the workflows of past-due policies in a state. Other policies read the holds once they fall behind. */
export const notifyDelinquentPolicies =
  (deps: Deps) =>
  async ({ orgId, state }: { orgId: string; state: string }): Promise<void> => {
    const clocks = await transaction(deps, { kind: 'notifyDelinquentPolicies', orgId }, async (em) =>
      delinquentClocks(em, (await businessDay(em, orgId, deps.now())).today),
    );
    const behind = clocks.filter((clock) => clock.state === state);
    for (let i = 0; i < behind.length; i += AT_ONCE) {
      const some = behind.slice(i, i + AT_ONCE);
      await Promise.all(some.map(({ id }) => deps.engine.notifyRowChanged({ kind: 'policy', orgId, id })));
      heartbeat();
    }
  };
