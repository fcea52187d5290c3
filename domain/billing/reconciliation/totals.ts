// The checks of an organization's trust as a whole: the totals of three records, what it owes on each account, and
// whether it holds all of that. Contract 3.4, domain facts 4.4.
import type { Cents } from '../../money.ts';
import { ACCOUNTS, type AccountNumber } from '../ledger/chart.ts';
import { type TrustFigures, trustFindings } from '../ledger/trust.ts';
import type { CheckName } from './checks.ts';
import { type CheckResult, checkResult, type Finding } from './report.ts';

/** Account balances, debits less credits. Accounts without lines are missing. */
export type AccountBalances = ReadonlyMap<AccountNumber, Cents>;

/** Trust cash according to the bank; missing before the first statement. */
export interface BankReport {
  /** The closing balance of the last statement that states one, plus bookings since; null if none does. */
  bankBalanceCents: Cents | null;
  /** Trust cash by the ledger: 1010. */
  ledgerCashCents: Cents;
  /** The total of bookings not matched in the ledger. */
  bankUnmatchedCents: Cents;
  /** Movements of account 1010, in and out, since the first statement that the bank has not booked. */
  inTransitCents: Cents;
  outstandingCents: Cents;
  /** The first unmatched bookings, and how many there are in all. */
  unmatched: { id: string; bookedOn: string; amountCents: Cents }[];
  unmatchedCount: number;
  /** The same for card processor payouts that should be on a statement. */
  missingPayouts: { id: string; netCents: Cents }[];
  missingPayoutCount: number;
}

/** A trust's figures in a reconciliation. */
export interface TrustReport {
  bank: BankReport | null;
  figures: TrustFigures;
  /** What the trust owes, by account. */
  liabilities: { account: AccountNumber; cents: Cents }[];
}

/** Adds up what a trust owes and how much of that it holds. */
export function trustReport(
  figures: TrustFigures,
  balances: AccountBalances,
  bank: BankReport | null = null,
): TrustReport {
  const owed = ACCOUNTS.filter(({ kind, ledger }) => kind === 'liability' && ledger === 'fiduciary');
  const liabilities = owed.map(({ account }) => ({ account, cents: 0 - (balances.get(account) ?? 0) }));
  return { figures, liabilities, bank };
}

/** What the bank should hold: trust cash, less what only the ledger shows, plus what only the bank shows. */
export function expectedBankBalance(bank: BankReport): Cents {
  return bank.ledgerCashCents - bank.inTransitCents + bank.outstandingCents + bank.bankUnmatchedCents;
}

/** Trust assets for each dollar owed, rounded down to four decimals; null when nothing is owed. */
export function trustRatio(assetsCents: Cents, liabilitiesCents: Cents): number | null {
  return liabilitiesCents === 0 ? null : Math.floor((assetsCents * 10_000) / liabilitiesCents) / 10_000;
}

/**
 * Judges a trust: its records agree in total (`trust_totals`), no liability is negative (`trust_liabilities`), it
 * holds at least what it owes (`trust_ratio`), and no more was paid from its cash than was there (`trust_cash`).
 */
export function trustResults(orgId: string, { figures, liabilities, bank }: TrustReport): CheckResult[] {
  const found = (check: CheckName, part: string, expected: Cents, actual: Cents): Finding => {
    return { check, entityType: 'organization', entityId: orgId, part, unit: 'cents', expected, actual };
  };
  const totals = trustFindings(figures).map((part) => found('trust_totals', part, ...SIDES[part](figures)));
  const negative = liabilities
    .filter(({ cents }) => cents < 0)
    .map(({ account, cents }) => found('trust_liabilities', String(account), 0, cents));
  const { assetsCents, liabilitiesCents } = figures;
  const short = assetsCents < liabilitiesCents ? [found('trust_ratio', 'ratio', liabilitiesCents, assetsCents)] : [];
  const { trustCashCents } = figures;
  const overdrawn = trustCashCents < 0 ? [found('trust_cash', '1010', 0, trustCashCents)] : [];
  return [
    checkResult('trust_totals', totals),
    checkResult('trust_liabilities', negative),
    checkResult('trust_ratio', short),
    checkResult('trust_cash', overdrawn),
    ...(bank === null ? [] : [...bankResults(bank), balanceResult(bank, found)]),
  ];
}

/** The bank against the ledger, and against the card processor. */
function bankResults(bank: BankReport): CheckResult[] {
  const lines = bank.unmatched.map(({ id, bookedOn, amountCents }): Finding => {
    const sides = { part: bookedOn, expected: amountCents, actual: 0 };
    return { check: 'bank_lines', entityType: 'bank_line', entityId: id, unit: 'cents', ...sides };
  });
  const payouts = bank.missingPayouts.map(({ id, netCents }): Finding => {
    const sides = { part: 'bank', expected: netCents, actual: 0 };
    return { check: 'bank_payouts', entityType: 'card_payout', entityId: id, unit: 'cents', ...sides };
  });
  return [
    checkResult('bank_lines', lines, bank.unmatchedCount),
    checkResult('bank_payouts', payouts, bank.missingPayoutCount),
  ];
}

/** The bank's balance against the ledger plus what explains their difference. */
function balanceResult(
  bank: BankReport,
  found: (check: CheckName, part: string, expected: Cents, actual: Cents) => Finding,
): CheckResult {
  const { bankBalanceCents } = bank;
  const expected = expectedBankBalance(bank);
  const differs = bankBalanceCents !== null && bankBalanceCents !== expected;
  return checkResult('bank_balance', differs ? [found('bank_balance', 'balance', expected, bankBalanceCents)] : []);
}

/** The other records' figure and the ledger's. */
const SIDES: Record<ReturnType<typeof trustFindings>[number], (figures: TrustFigures) => [Cents, Cents]> = {
  assets: ({ liabilitiesCents, assetsCents }) => [liabilitiesCents, assetsCents],
  cash: ({ cashReceivedCents, trustCashCents }) => [cashReceivedCents, trustCashCents],
  card_clearing: ({ cardReceivedCents, cardClearingCents }) => [cardReceivedCents, cardClearingCents],
  unapplied: ({ unsharedCents, unappliedCents }) => [unsharedCents, unappliedCents],
  returns_payable: ({ owedByCheckCents, returnsPayableCents }) => [owedByCheckCents, returnsPayableCents],
};
