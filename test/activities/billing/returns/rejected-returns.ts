// Return premium of the worked example whose payment may yet bounce: paid, cancelled, its refund rejected and kept,
// and what may be done with it.
import type { ExecutionContext } from 'ava';
import { Payment } from '../../../../db/entities/billing/payment.ts';
import { newId } from '../../../../db/ids.ts';
import { policyAccount } from '../../../../db/queries/billing/account.ts';
import { trustFigures } from '../../../../db/queries/billing/trust.ts';
import { listUnapplied } from '../../../../db/queries/billing/unapplied-cash.ts';
import { putFlagOverride } from '../../../../db/queries/platform/flags.ts';
import { accountEntries } from '../../../../domain/billing/account/account.ts';
import { trustFindings } from '../../../../domain/billing/ledger/trust.ts';
import { sumCents } from '../../../../domain/money.ts';
import { findingsOf, followed } from '../../policy/followed-payments.ts';
import { InsuredLife } from '../../policy/insured-life.ts';
import { DisputedLife } from '../disputed-life.ts';

export const TOTAL = 1_075_123;
export const RETURNED = 629_340;
export const LEFT_TO_PAY = TOTAL - RETURNED;
/** The trust's liability for return premium owed by check. */
export const OWED_BY_CHECK = { 2060: -RETURNED };

/** How the insured paid, and how the payment fails afterwards. */
export const WAYS = {
  'a check that bounces': { pay: payByCheck, undo: bounce },
  'a card payment whose dispute is lost': { pay: payByCard, undo: loseDispute },
  'a card payment that a bank takes and keeps': { pay: payByCard, undo: loseAtOnce },
} as const;
export type Way = (typeof WAYS)[keyof typeof WAYS];

async function payByCheck(disputed: DisputedLife): Promise<string> {
  await disputed.life.pay(1);
  return '';
}

export async function payByCard(disputed: DisputedLife): Promise<string> {
  const intentId = await disputed.payByCard(1);
  const { activities, orgId } = disputed.life.steps;
  await activities.publishPaymentEvents({ orgId, entityId: await receiptBy(disputed.life, 'card') });
  return intentId;
}

export const receiptBy = (life: InsuredLife, kind: 'card' | 'manual', nth = 0) =>
  life.read(async (em) => {
    const receipts = await em.find(Payment, { policyId: life.policyId, kind }, { orderBy: { id: 'asc' } });
    return receipts[nth]?.id ?? '';
  });

export async function bounce({ life }: DisputedLife, _intentId = '', nth = 0): Promise<void> {
  const { activities, command, orgId } = life.steps;
  const payload = { paymentId: await receiptBy(life, 'manual', nth), reason: 'nsf', feeCents: null } as const;
  const { refundId } = await activities.reversePayment(command(newId('refund'), payload));
  await activities.postRefund({ orgId, entityId: refundId });
}

export async function loseDispute(disputed: DisputedLife, intentId: string, cents = TOTAL): Promise<void> {
  await disputed.dispute(intentId, cents, 'created', 'needs_response');
  await disputed.dispute(intentId, cents, 'closed', 'lost');
}

async function loseAtOnce(disputed: DisputedLife, intentId: string): Promise<void> {
  await disputed.dispute(intentId, TOTAL, 'closed', 'lost');
}

/** Paid, then cancelled on day 146; the return premium refund waits for approval where the flag is on. */
export async function cancelled(t: ExecutionContext, { pay }: Pick<Way, 'pay'>, { needsApproval = true } = {}) {
  const life = await InsuredLife.begin(t);
  const { database, orgId } = life.steps;
  await database.transaction(orgId, (em) => putFlagOverride(em, 'refund_approval', needsApproval));
  const disputed = new DisputedLife(life);
  const intentId = await pay(disputed);
  disputed.passTo(146);
  const { refundIds } = await life.cancel(146, { method: 'pro_rata' });
  return { life, disputed, intentId, refundId: refundIds[0] ?? '' };
}

export async function decide(life: InsuredLife, refundId: string, decision: 'approve' | 'reject') {
  const { activities, command } = life.steps;
  const actor = { kind: 'user', id: `usr_${decision}`, role: 'org_admin' } as const;
  return activities.decideRefund({ ...command(refundId, { decision, reason: 'Seen.' } as const), actor });
}

/** Rejects the refund: a receipt keeps its money; returns that receipt's id. */
export async function rejected(t: ExecutionContext, way: Pick<Way, 'pay'>) {
  const { refundId, ...owed } = await cancelled(t, way);
  const { kept } = await decide(owed.life, refundId, 'reject');
  await owed.disputed.post(refundId);
  await followed(owed.life, kept ? [kept] : []);
  return { ...owed, keptId: kept?.paymentId ?? '' };
}

export async function requestReturn(
  { steps: { activities, command } }: InsuredLife,
  paymentId: string,
  amountCents: number | null,
) {
  const payload = { paymentId, amountCents, reason: 'Sent after all.' };
  return (await activities.reserveReturn(command(newId('refund'), payload))).refundId;
}

export async function cancelOwed(life: InsuredLife) {
  const { activities, command } = life.steps;
  const { id = '' } = (await life.disbursements()).at(-1) ?? {};
  return activities.cancelDisbursement(command(id, { reason: 'Not to be paid.' }));
}

export async function issueOwed(life: InsuredLife) {
  return issue(life, (await life.disbursements()).at(-1)?.id ?? '');
}

/** Issues a check with a unique number. */
export function issue({ steps: { activities, command } }: InsuredLife, disbursementId: string) {
  const reference = disbursementId.slice(-10);
  return activities.issueDisbursement(command(disbursementId, { method: 'check', reference, issuedOn: null }));
}

/** Asserts that these are the only nonzero balances, and that no check of the books finds anything. */
export async function holds(t: ExecutionContext, life: InsuredLife, expected: Record<number, number>) {
  const balances = Object.entries(await life.balances()).filter(([, cents]) => cents !== 0);
  t.deepEqual(Object.fromEntries(balances), expected);
  t.deepEqual(await findingsOf(life), []);
  t.deepEqual(trustFindings(await life.read(trustFigures)), []);
}

/** Operating money owes the trust this much, and we bear the loss. */
export const loss = (cents: number) => ({ 1040: cents, 2110: -cents, 5020: cents });

/** The closing balance of the statement, explained by the open, unapplied and owed-by-check amounts. */
export async function closing(t: ExecutionContext, life: InsuredLife): Promise<number> {
  const { account, unapplied } = await life.read(async (em) => ({
    account: await policyAccount(em, life.policyId),
    unapplied: await listUnapplied(em, { policyId: life.policyId }, { limit: 100, cursor: undefined }),
  }));
  const closingCents = sumCents(accountEntries(account).map(({ amountCents }) => amountCents));
  const openCents = sumCents((await life.open()).map(({ balanceCents }) => balanceCents));
  const unappliedCents = sumCents(unapplied.data.map((each) => each.unappliedCents));
  t.is(closingCents, openCents - unappliedCents - account.refundDueCents);
  return closingCents;
}
