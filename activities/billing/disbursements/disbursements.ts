/**
 * The actions on a disbursement: issue, which takes the money out of the trust; clear, when the bank has paid it;
 * stop, so that it is owed again; cancel, when it is no longer owed. One transaction each; policy, invoice and refund
 * are locked first. Contract 3.4 "Ledgers".
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { DisbursementOutcome, IssuePayload, StopPayload } from '../../../contracts/disbursement.ts';
import type { Command } from '../../../contracts/machinery/command.ts';
import type { Disbursement } from '../../../db/entities/billing/disbursement.ts';
import {
  findDisbursement,
  heldBackBy,
  lockDisbursement,
  notOwed,
  reversalsBehind,
} from '../../../db/queries/billing/disbursements.ts';
import { type EntrySource, entriesOf, postEntry } from '../../../db/queries/billing/ledger.ts';
import { takeReference } from '../../../db/queries/billing/paid-under.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import { auditedChanges } from '../../../domain/audit.ts';
import {
  type DisbursementAction,
  ensureReturnPosted,
  issueDay,
  nextDisbursementStatus,
} from '../../../domain/billing/disbursement.ts';
import { refusedInDispute } from '../../../domain/billing/dispute.ts';
import { payoutEntry } from '../../../domain/billing/ledger/entries.ts';
import { reversalOf } from '../../../domain/billing/ledger/posting.ts';
import { ensureUnheld } from '../../../domain/claim/payee-hold.ts';
import type { BusinessDate } from '../../../domain/dates.ts';
import { DomainError } from '../../../domain/errors.ts';
import { businessDay } from '../../../plans/platform/business-day.ts';
import { auditOf } from '../../audit.ts';
import { commandActivity, type Deps } from '../../context.ts';
import { ensureExpected } from '../../expected-version.ts';
import { lockPayment } from '../../money-locks.ts';
import { screenInsured } from '../../submission/screened-insured.ts';
import { giveUp, isReturnPosted } from './given-up.ts';
import { keepUnapplied } from './kept.ts';
import { publishDisbursement } from './owing.ts';

/**
 * Issues a check or transfer: 2060 to 1010.
 * @throws DomainError not_found, precondition_failed, invalid_state_transition, also while a bank decides about the
 * payment it returns, already_exists for a number or reference already used for a payment, not_ready while the return
 * is not in the ledger or the payee's name is held for sanctions, validation_failed for `issuedOn`
 */
export const issueDisbursement = (deps: Deps) =>
  disbursementStep<IssuePayload>(deps, 'issue', async (em, { payload }, { row, today }) => {
    const { method, reference } = payload;
    const issuedOn = issueDay(payload.issuedOn, row.owedOn, today);
    await takeReference(em, reference, method === 'check' ? 'checkNumber' : 'reference');
    ensureReturnPosted(await isReturnPosted(em, row));
    const disputes = await heldBackBy(em, row);
    if (disputes.length > 0) throw refusedInDispute({ ...ISSUE, from: row.status }, disputes);
    ensureUnheld(await screenInsured(em, deps, row.payee));
    const issues = row.issues + 1;
    const issuedAs = { ...row.issuedAs, [issues]: reference };
    Object.assign(row, { method, reference, issuedOn, issues, issuedAs, stoppedOn: null, stopReason: null });
    postEntry(em, payoutOf(row), sourceOf(row, issuedOn));
  });

const ISSUE = { resource: 'disbursement', action: 'issue', allowed: ['cancel'] } as const;

/**
 * Notes that the bank has paid it. The ledger has had it since it was issued.
 * @throws DomainError not_found, precondition_failed, invalid_state_transition
 */
export const clearDisbursement = (deps: Deps) =>
  disbursementStep<Record<string, never>>(deps, 'clear', async (_em, _command, { row, today }) => {
    row.clearedOn = today;
  });

/**
 * Stops an issued check: its entry is reversed, and the money is owed again.
 * @throws DomainError not_found, precondition_failed, invalid_state_transition
 */
export const stopDisbursement = (deps: Deps) =>
  disbursementStep<StopPayload>(deps, 'stop', async (em, { payload }, { row, today }) => {
    const source = sourceOf(row, today);
    const issued = await entriesOf(em, source);
    const payout = payoutOf(row);
    if (payout !== null) {
      // Payouts made before disbursements were rows have no entry of their own.
      const reversesEntryId = issued.find(({ entryType }) => entryType === 'payout')?.id ?? null;
      postEntry(em, reversalOf(payout), { ...source, reversesEntryId, description: `Stopped: ${source.description}` });
    }
    Object.assign(row, { stoppedOn: today, stopReason: payload.reason });
  });

/**
 * Gives up what is no longer owed because the payments it returns were never good: operating money made the trust
 * whole when they were reversed, and now owes that much less. Money from other payments stays owed. If all of it is
 * owed, it is not paid out but kept as unapplied money.
 * @throws DomainError not_found, precondition_failed, invalid_state_transition, not_ready while the return or a
 * reversal is not in the ledger
 */
export const cancelDisbursement = (deps: Deps) =>
  disbursementStep<StopPayload>(deps, 'cancel', async (em, command, { row, today, cancelCents }) => {
    ensureReturnPosted((await isReturnPosted(em, row)) && (await areReversalsPosted(em, row)));
    if (cancelCents === 0) return keepAll(em, deps, command, { row, today });
    giveUp(em, row, { cents: cancelCents, reason: command.payload.reason, today });
    return {};
  });

async function keepAll(
  em: EntityManager,
  deps: Deps,
  { actor, requestId, payload: { reason } }: Command<StopPayload>,
  { row, today }: Pick<Paying, 'row' | 'today'>,
): Promise<Pick<DisbursementOutcome, 'kept'>> {
  const amountCents = row.amountCents - row.cancelledCents;
  const kept = await keepUnapplied(em, row, { amountCents, reason, actor, requestId, today, at: new Date(deps.now()) });
  return { kept };
}

interface Paying {
  row: Disbursement;
  today: BusinessDate;
  /** The part that is no longer owed. */
  cancelCents: number;
}

const EVENTS = {
  issue: 'disbursement.issued',
  clear: 'disbursement.cleared',
  stop: 'disbursement.stopped',
  cancel: 'disbursement.cancelled',
} as const satisfies Record<DisbursementAction, string>;

/** Builds an action's command: the state must allow it, `work` does the rest; audited and published. */
function disbursementStep<P>(
  deps: Deps,
  action: DisbursementAction,
  work: (
    em: EntityManager,
    command: Command<P>,
    paying: Paying,
  ) => Promise<Pick<DisbursementOutcome, 'kept'> | undefined>,
) {
  return commandActivity<P, Disbursement, DisbursementOutcome>(deps, `${action}Disbursement`, {
    lock: lockInOrder,
    work: async (em, command, row) => {
      if (row === null) throw new DomainError('not_found', 'There is no such disbursement.');
      ensureExpected(command, row);
      const before = factsOf(row);
      const gone = await notOwed(em, row);
      const status = nextDisbursementStatus(row.status, action, gone);
      const { today } = await businessDay(em, command.orgId, deps.now());
      const more = await work(em, command, { row, today, cancelCents: gone.cents });
      row.status = status;
      await em.flush();
      const changes = auditedChanges(before, factsOf(row));
      writeAudit(em, auditOf(command, `disbursement:${action}`, 'disbursement', changes));
      const cancelledCents = row.cancelledCents - before.cancelledCents;
      const step = { at: new Date(deps.now()), ...(action === 'cancel' && { cancelledCents }) };
      publishDisbursement(em, EVENTS[action], row, step);
      return { disbursementId: row.id, ...more };
    },
  });
}

/** Locks the refund after its policy and invoice, like every money transaction; then the row. */
async function lockInOrder(em: EntityManager, id: string): Promise<Disbursement | null> {
  const found = await findDisbursement(em, id);
  if (found === null) return null;
  await lockPayment(em, found.refundId);
  return lockDisbursement(em, id);
}

async function areReversalsPosted(em: EntityManager, row: Disbursement): Promise<boolean> {
  for (const { reversal } of await reversalsBehind(em, row)) {
    const entries = await entriesOf(em, { sourceType: 'refund', sourceId: reversal.id });
    if (!entries.some(({ entryType }) => entryType === 'payout')) return false;
  }
  return true;
}

function payoutOf({ method, amountCents, cancelledCents }: Disbursement) {
  return payoutEntry([{ method: method ?? 'check', cents: amountCents - cancelledCents }]);
}

function factsOf(row: Disbursement) {
  const { status, method, reference, issuedOn, clearedOn, stoppedOn, stopReason } = row;
  const { cancelledOn, cancelledCents, cancelReason } = row;
  const ofCheck = { status, method, reference, issuedOn, clearedOn, stoppedOn, stopReason };
  return { ...ofCheck, cancelledOn, cancelledCents, cancelReason };
}

/** Each issue is its own source: a stopped check and its replacement are two entries. */
function sourceOf({ id, issues, method, reference, policyId, invoiceId, refundId }: Disbursement, date: BusinessDate) {
  const what = method === 'check' ? 'Check' : 'Transfer';
  return {
    ...{ sourceType: 'disbursement', sourceId: `${id}:${issues}`, date, policyId, invoiceId },
    description: `${what} ${reference} for refund ${refundId}`,
  } as const satisfies EntrySource;
}
