// Remittances: money that leaves the trust for its owners: commission, carrier premium, taxes, stamping fees, and our
// own commission and fees. One person prepares a remittance, another approves it. Contract 3.4 "Ledgers".
import { DomainError } from '../errors.ts';
import { type Cents, sumCents, toDollars } from '../money.ts';
import { nextState, type TransitionTable } from '../transition.ts';
import type { AccountNumber } from './ledger/chart.ts';

export const REMITTANCE_STATUSES = ['pending_approval', 'paid', 'rejected'] as const;
export type RemittanceStatus = (typeof REMITTANCE_STATUSES)[number];
export type RemittanceDecision = 'approve' | 'reject';

export const REMITTANCE_KINDS = ['commission', 'carrier', 'tax', 'stamping', 'transfer'] as const;
/** The payee: a producer, a carrier, a state for its tax, its stamping office, or ourselves. */
export type RemittanceKind = (typeof REMITTANCE_KINDS)[number];

/** The filings that are made by being paid. */
export const TAX_REPORT = 'sl_tax_payment';
export const STAMPING_REPORT = 'stamping_fee';

/** The accounts on which the trust owes each kind. */
export const ACCOUNTS_OF_KIND: Readonly<Record<RemittanceKind, readonly AccountNumber[]>> = {
  commission: [2020],
  carrier: [2010],
  tax: [2040],
  stamping: [2050],
  transfer: [2030, 2090],
};

/** The kinds whose payees owe any overpayment to the trust itself (1200), netted from the next payment. */
export const DUE_TO_TRUST: readonly RemittanceKind[] = ['carrier', 'tax', 'stamping'];

/** What is paid from one account. Plain JSON. */
export interface RemittancePart {
  account: AccountNumber;
  /** The total of the ledger lines that it covers. */
  amountCents: Cents;
  /** What the payee owes back from earlier ones: another source covered it for the trust and is repaid. */
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

/**
 * The kinds of filings under which a state is paid. The stamping office takes its fee with the filing of the policy.
 */
export const PAID_FILINGS: Readonly<Record<'tax' | 'stamping', readonly string[]>> = {
  tax: [TAX_REPORT],
  stamping: [STAMPING_REPORT, 'sl_policy_filing'],
};

/**
 * Refuses to commit a filing's money twice. What is owed later is paid under it again.
 * @throws DomainError already_exists with the id of the pending remittance
 */
export function ensureFilingUnpaid(waiting: { id: string } | null): void {
  if (waiting === null) return;
  const details = { resource: 'remittance', remittanceId: waiting.id };
  throw new DomainError('already_exists', 'Another remittance of this filing waits for approval.', details);
}

/**
 * Refuses to pay what has been returned since the remittance was prepared; `held` is what the payment would leave.
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
 * Refuses to pay any payee more than the trust account holds: card payments are not cash until the processor pays them
 * out, and the bank would return a wire without sufficient funds. Decision 0292.
 * @throws DomainError amount_exceeds_balance with `{amount, balance, account}` in dollars
 */
export function ensureCashCovers(leavingCents: Cents, trustCashCents: Cents): void {
  if (leavingCents <= 0 || leavingCents <= trustCashCents) return;
  const message =
    'The trust account (1010) does not hold this much cash. Wait for the next card payout, or reject it and prepare less.';
  const details = { amount: toDollars(leavingCents), balance: toDollars(trustCashCents), account: 1010 };
  throw new DomainError('amount_exceeds_balance', message, details);
}

/** What is owed to a payee, or what they owe back, by account, in cents. */
export type OwedByAccount = ReadonlyMap<AccountNumber, Cents>;

/** What a payment for one policy covers, and the balances it is netted against, by account. */
interface PolicyPayment {
  covered: OwedByAccount;
  /** The part of `covered` that was taken back after being paid. */
  takenBack: OwedByAccount;
  owedBack: OwedByAccount;
  /** What the trust holds for the payee and has not committed. */
  held: OwedByAccount;
}

/**
 * Returns how much of a payee's debt is netted when one policy's money is paid: no more than was taken back on that
 * policy, so that any larger debt waits for other payments.
 * @throws DomainError not_ready if an earlier return has used up what was owed for the policy
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
 * Returns what is paid from each account: what it covers, net of what the payee owes back. A payee who owes back as
 * much is paid nothing and no longer owes anything.
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

/** What the payee gets. We repaid our own debts when they arose, so a transfer returns that money too. */
export function remittedCents(kind: RemittanceKind, parts: readonly RemittancePart[]): Cents {
  return sumCents(parts.map((part) => (kind === 'transfer' ? grossCents(part) : part.amountCents)));
}

/** The payee's debt that is netted; none in a transfer. */
export function nettedCents(kind: RemittanceKind, parts: readonly RemittancePart[]): Cents {
  return kind === 'transfer' ? 0 : sumCents(parts.map((part) => part.nettedCents));
}

/** How much a part reduces what the trust owes. */
export function grossCents(part: RemittancePart): Cents {
  return part.amountCents + part.nettedCents;
}
