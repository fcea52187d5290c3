/**
 * The part of a disbursement given up because the payments it returns were never good: operating money made the trust
 * whole for them, and owes that much less. It returns as unapplied money if the bank gives in after all. Decisions
 * 0092, 0318.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { PaymentOutcome } from '../../../contracts/billing.ts';
import type { Disbursement } from '../../../db/entities/billing/disbursement.ts';
import type { Payment } from '../../../db/entities/billing/payment.ts';
import { writeNewRows } from '../../../db/new-rows.ts';
import { givenUpInVain, lockDisbursement, notOwed } from '../../../db/queries/billing/disbursements.ts';
import { disbursementsOfMoney } from '../../../db/queries/billing/kept-refunds.ts';
import { entriesOf, postEntry } from '../../../db/queries/billing/ledger.ts';
import { isMended } from '../../../db/queries/billing/step-skips.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import { auditedChanges } from '../../../domain/audit.ts';
import { uncoveredEntries } from '../../../domain/billing/ledger/entries.ts';
import { type Posting, reversalOf } from '../../../domain/billing/ledger/posting.ts';
import type { BusinessDate } from '../../../domain/dates.ts';
import { auditOf, type Origin } from '../../audit.ts';
import type { Deps } from '../../context.ts';
import { keepUnapplied } from './kept.ts';
import { publishDisbursement } from './owing.ts';

interface GivingUp {
  cents: number;
  reason: string;
  today: BusinessDate;
}

/** Gives up a part of a locked disbursement. */
export function giveUp(em: EntityManager, row: Disbursement, { cents, reason, today }: GivingUp): void {
  const cancelledCents = row.cancelledCents + cents;
  const what = { step: `cancelled:${cancelledCents}`, description: 'Owed no more', because: 'a payment was reversed' };
  post(em, row, uncoveredEntries(cents), { ...what, today });
  Object.assign(row, { cancelledCents, cancelledOn: today, cancelReason: reason });
}

/** A step that no one requested. */
interface ByItself {
  origin: Omit<Origin, 'entityId'>;
  today: BusinessDate;
}

/**
 * Gives up unissued checks for money kept by receipts that was never good. One whose return is not in the ledger yet
 * is left to a person.
 */
export async function giveUpUnissued(
  em: EntityManager,
  deps: Deps,
  receipts: readonly Payment[],
  { origin, today }: ByItself,
): Promise<void> {
  for (const row of await unissuedOf(em, receipts)) {
    const { cents, isAll } = await notOwed(em, row);
    if (cents === 0 || !(await isReturnPosted(em, row))) continue;
    const before = { status: row.status, cancelledCents: row.cancelledCents };
    giveUp(em, row, { cents, reason: 'The payment behind it was never good.', today });
    if (isAll) row.status = 'cancelled';
    await em.flush();
    audit(em, row, origin, before);
    publishDisbursement(em, 'disbursement.cancelled', row, { at: new Date(deps.now()), cancelledCents: cents });
  }
}

async function unissuedOf(em: EntityManager, receipts: readonly Payment[]): Promise<Disbursement[]> {
  return (await lockedOf(em, receipts)).filter(({ status }) => status === 'pending' || status === 'stopped');
}

/** Locks the disbursements that owe receipts' money; policies are already locked. */
async function lockedOf(em: EntityManager, receipts: readonly Payment[]): Promise<Disbursement[]> {
  await em.flush();
  await writeNewRows(em);
  const ids = new Set<string>();
  for (const receipt of receipts) for (const { id } of await disbursementsOfMoney(em, receipt)) ids.add(id);
  const rows: Disbursement[] = [];
  for (const id of [...ids].sort()) {
    const row = await lockDisbursement(em, id);
    if (row !== null) rows.push(row);
  }
  return rows;
}

/** Keeps as unapplied money what was given up for a dispute since won; returns the receipts, whose sagas must start. */
export async function keepGivenUp(
  em: EntityManager,
  deps: Deps,
  receipts: readonly Payment[],
  { origin, today }: ByItself,
): Promise<PaymentOutcome[]> {
  const kept: PaymentOutcome[] = [];
  for (const row of await lockedOf(em, receipts)) {
    const cents = await givenUpInVain(em, row);
    if (cents === 0) continue;
    const before = { status: row.status, cancelledCents: row.cancelledCents, keptCents: row.keptCents };
    const what = { step: `kept:${row.keptCents + cents}`, description: 'Owed again', because: 'a dispute was won' };
    const entries = uncoveredEntries(cents).map((entry) => ({ ...entry, lines: reversalOf(entry).lines }));
    post(em, row, entries, { ...what, today });
    // It stays cancelled, and is now kept.
    row.cancelledCents -= cents;
    const keeping = { ...origin, amountCents: cents, reason: 'The dispute behind it was won.', today };
    kept.push(await keepUnapplied(em, row, { ...keeping, at: new Date(deps.now()) }));
    audit(em, row, origin, before);
    await em.flush();
    await writeNewRows(em);
  }
  return kept;
}

interface Step {
  step: string;
  description: string;
  because: string;
  today: BusinessDate;
}

function post(em: EntityManager, row: Disbursement, entries: Posting[], { step, today, ...words }: Step): void {
  const { id, policyId, invoiceId, refundId } = row;
  const source = { sourceType: 'disbursement', sourceId: `${id}:${step}`, date: today, policyId, invoiceId } as const;
  const description = `${words.description} for refund ${refundId}: ${words.because}`;
  for (const entry of entries) postEntry(em, entry, { ...source, description });
}

function audit(
  em: EntityManager,
  { id: entityId, status, cancelledCents, keptCents }: Disbursement,
  origin: Omit<Origin, 'entityId'>,
  before: Record<string, unknown>,
): void {
  const changes = auditedChanges(before, { status, cancelledCents, keptCents });
  writeAudit(em, auditOf({ ...origin, entityId }, 'disbursement:cancel', 'disbursement', changes));
}

/** By its saga, or by a journal if an operator skipped the saga's step. */
export async function isReturnPosted(em: EntityManager, { refundId }: Disbursement): Promise<boolean> {
  const entries = await entriesOf(em, { sourceType: 'refund', sourceId: refundId });
  if (entries.some(({ entryType }) => entryType === 'return')) return true;
  return isMended(em, { paymentId: refundId, step: 'fiduciary ledger' });
}
