// Remittances: money that leaves the trust for its owners: commission, premium of carriers, taxes, stamping fees, and
// our own commission and fees. One person prepares it, another one approves it. Contract 3.4 "Ledgers".
import { DomainError } from '../errors.ts';
import { type Cents, sumCents, toDollars } from '../money.ts';
import { nextState, type TransitionTable } from '../transition.ts';
import type { AccountNumber } from './ledger/chart.ts';

export const REMITTANCE_STATUSES = ['pending_approval', 'paid', 'rejected'] as const;
export type RemittanceStatus = (typeof REMITTANCE_STATUSES)[number];
export type RemittanceDecision = 'approve' | 'reject';

export const REMITTANCE_KINDS = ['commission', 'carrier', 'tax', 'stamping', 'transfer'] as const;
/** Who is paid: a producer, a carrier, a state for its tax, its stamping office, or we ourselves. */
export type RemittanceKind = (typeof REMITTANCE_KINDS)[number];

/** The filings that are made by being paid. */
export const TAX_REPORT = 'sl_tax_payment';
export const STAMPING_REPORT = 'stamping_fee';

/** The accounts on which the trust owes the money of a kind. */
export const ACCOUNTS_OF_KIND: Readonly<Record<RemittanceKind, readonly AccountNumber[]>> = {
  commission: [2020],
  carrier: [2010],
  tax: [2040],
  stamping: [2050],
  transfer: [2030, 2090],
};

/** The kinds whose payees owe the trust itself what they have had too much (1200), and are paid less next time. */
export const DUE_TO_TRUST: readonly RemittanceKind[] = ['carrier', 'tax', 'stamping'];

/** What is paid from one account. Plain JSON. */
export interface RemittancePart {
  account: AccountNumber;
  /** What the ledger lines that it covers come to. */
  amountCents: Cents;
  /** What the payee owes back of earlier ones: the trust has had it from elsewhere, and gives it back there. */
  nettedCents: Cents;
}

const MOVES: TransitionTable<RemittanceStatus, RemittanceDecision> = {
  pending_approval: { approve: 'paid', reject: 'rejected' },
  paid: {},
  rejected: {},
};

/** Returns the status that a decision leads to. @throws DomainError invalid_state_transition */
export function decidedRemittance(from: RemittanceStatus, decision: RemittanceDecision): RemittanceStatus {
  return nextState(MOVES, 'remittance', from, decision);
}

/** The kinds of filings that a state is paid by. The stamping office takes its fee with the filing of the policy. */
export const PAID_FILINGS: Readonly<Record<'tax' | 'stamping', readonly string[]>> = {
  tax: [TAX_REPORT],
  stamping: [STAMPING_REPORT, 'sl_policy_filing'],
};

/**
 * Refuses to promise the money of a filing twice. What is owed later is paid under it again.
 * @throws DomainError already_exists with the id of the remittance that waits
 */
export function ensureFilingUnpaid(waiting: { id: string } | null): void {
  if (waiting === null) return;
  const details = { resource: 'remittance', remittanceId: waiting.id };
  throw new DomainError('already_exists', 'Another remittance of this filing waits for approval.', details);
}

/**
 * Refuses to pay what has gone back since the remittance was prepared; `held` is what the payment would leave.
 * @throws DomainError not_ready with `{missing, blockers}`
 */
export function ensureStillOwed(held: OwedByAccount): void {
  if ([...held.values()].every((cents) => cents >= 0)) return;
  const details = { missing: [], blockers: ['returned_since_prepared'] };
  throw new DomainError(
    'not_ready',
    'Some of this money has been returned since. Reject it and prepare it again.',
    details,
  );
}

/**
 * Refuses to pay out more than the trust account holds, to any payee: what cards have paid is no cash until the
 * processor pays it out, and a wire that the account does not cover would be returned. Decision 0292.
 * @throws DomainError amount_exceeds_balance with `{amount, balance, account}` in dollars
 */
export function ensureCashCovers(leavingCents: Cents, trustCashCents: Cents): void {
  if (leavingCents <= 0 || leavingCents <= trustCashCents) return;
  const message =
    'The trust account (1010) does not hold this much cash. Wait for the next card payout, or reject it and prepare less.';
  const details = { amount: toDollars(leavingCents), balance: toDollars(trustCashCents), account: 1010 };
  throw new DomainError('amount_exceeds_balance', message, details);
}

/** What is owed to a payee on an account, and what they owe back, in cents. */
export type OwedByAccount = ReadonlyMap<AccountNumber, Cents>;

/** What a payment for one policy covers and meets, by account. */
interface PolicyPayment {
  covered: OwedByAccount;
  /** The part of `covered` that was taken back after it had been paid. */
  takenBack: OwedByAccount;
  owedBack: OwedByAccount;
  /** What the trust holds for the payee and has promised to nobody. */
  held: OwedByAccount;
}

/**
 * Returns what is netted of what a payee owes back where one policy's money is paid: no more than was taken back with
 * it, so that a debt that is greater waits for other payments.
 * @throws DomainError not_ready where an earlier return has used up what was owed for the policy
 */
export function nettedForPolicy({ covered, takenBack, owedBack, held }: PolicyPayment): OwedByAccount {
  return new Map(
    [...covered].map(([account, cents]) => {
      const leftCents = (held.get(account) ?? 0) - cents;
      if (leftCents < 0) throw nothingToPay();
      return [account, Math.min(owedBack.get(account) ?? 0, takenBack.get(account) ?? 0, leftCents)];
    }),
  );
}

/**
 * Returns what is paid from each account: what it covers, with what the payee owes back netted. A payee who owes back
 * as much is paid nothing, and owes nothing any more.
 * @throws DomainError not_ready with `{missing, blockers}` when nothing is owed to the payee
 */
export function remittanceParts(kind: RemittanceKind, covered: OwedByAccount, owedBack: OwedByAccount) {
  const parts = ACCOUNTS_OF_KIND[kind]
    .map((account): RemittancePart => {
      return { account, amountCents: covered.get(account) ?? 0, nettedCents: owedBack.get(account) ?? 0 };
    })
    .filter(({ amountCents, nettedCents }) => amountCents !== 0 || nettedCents !== 0);
  const isOverdrawn = parts.some((part) => grossCents(part) < 0);
  const isNothing = parts.every((part) => grossCents(part) === 0);
  if (isOverdrawn || isNothing || remittedCents(kind, parts) < 0) throw nothingToPay();
  return parts;
}

function nothingToPay(): DomainError {
  const details = { missing: [], blockers: ['nothing_to_pay'] };
  return new DomainError('not_ready', 'Nothing is owed to this payee up to that date.', details);
}

/** What the payee gets. We ourselves have paid back what we owed when it arose, so a transfer gives that back too. */
export function remittedCents(kind: RemittanceKind, parts: readonly RemittancePart[]): Cents {
  return sumCents(parts.map((part) => (kind === 'transfer' ? grossCents(part) : part.amountCents)));
}

/** What the payee owed back and is netted; nothing in a transfer. */
export function nettedCents(kind: RemittanceKind, parts: readonly RemittancePart[]): Cents {
  return kind === 'transfer' ? 0 : sumCents(parts.map((part) => part.nettedCents));
}

/** What the trust owes less by a part. */
export function grossCents(part: RemittancePart): Cents {
  return part.amountCents + part.nettedCents;
}
