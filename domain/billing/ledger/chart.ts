// The chart of accounts: each account's kind, and whether it holds trust money or our own. Contract 3.4, domain facts
// 4.1.

/** Trust money has its own ledger; no entry crosses between the two. Contract 3.4. */
export type Ledger = 'fiduciary' | 'general';
export type AccountKind = 'asset' | 'liability' | 'revenue' | 'expense';

const CHART = {
  1010: { name: 'Premium Trust Cash', kind: 'asset', ledger: 'fiduciary' },
  1020: { name: 'Claims Fund Cash', kind: 'asset', ledger: 'fiduciary' },
  1030: { name: 'Operating Cash', kind: 'asset', ledger: 'general' },
  1040: { name: 'Due from Operating', kind: 'asset', ledger: 'fiduciary' },
  1100: { name: 'Premiums Receivable', kind: 'asset', ledger: 'fiduciary' },
  1110: { name: 'Card Processor Clearing', kind: 'asset', ledger: 'fiduciary' },
  1120: { name: 'Commission Due from Trust', kind: 'asset', ledger: 'general' },
  1130: { name: 'Agent Commission Chargeback Receivable', kind: 'asset', ledger: 'general' },
  1200: { name: 'Due from Carrier', kind: 'asset', ledger: 'fiduciary' },
  2010: { name: 'Premium Payable to Carrier', kind: 'liability', ledger: 'fiduciary' },
  2020: { name: 'Agent Commission Payable', kind: 'liability', ledger: 'fiduciary' },
  2030: { name: 'MGA Commission held in Trust', kind: 'liability', ledger: 'fiduciary' },
  2040: { name: 'Surplus Lines Tax Payable', kind: 'liability', ledger: 'fiduciary' },
  2050: { name: 'Stamping Fee Payable', kind: 'liability', ledger: 'fiduciary' },
  2060: { name: 'Return Premium Payable', kind: 'liability', ledger: 'fiduciary' },
  2070: { name: 'Unapplied Cash', kind: 'liability', ledger: 'fiduciary' },
  2080: { name: 'Claims Fund held for Carrier', kind: 'liability', ledger: 'fiduciary' },
  2090: { name: 'Policy Fees held in Trust', kind: 'liability', ledger: 'fiduciary' },
  2110: { name: 'Due to Trust', kind: 'liability', ledger: 'general' },
  4010: { name: 'MGA Commission Income', kind: 'revenue', ledger: 'general' },
  4020: { name: 'Policy Fee Income', kind: 'revenue', ledger: 'general' },
  5010: { name: 'Card Processing Expense', kind: 'expense', ledger: 'general' },
  5020: { name: 'Chargeback Losses', kind: 'expense', ledger: 'general' },
} as const satisfies Record<number, { name: string; kind: AccountKind; ledger: Ledger }>;

export type AccountNumber = keyof typeof CHART;

export interface ChartAccount {
  account: AccountNumber;
  name: string;
  kind: AccountKind;
  ledger: Ledger;
}

/** Every account, by number. */
export const ACCOUNTS: readonly ChartAccount[] = Object.entries(CHART).map(([account, facts]) => ({
  account: Number(account) as AccountNumber,
  ...facts,
}));

/**
 * Returns an account by its number.
 * @throws TypeError for a number that is not in the chart, which is a programming error
 */
export function accountOf(account: AccountNumber): ChartAccount {
  const found = ACCOUNTS.find((candidate) => candidate.account === account);
  if (found === undefined) throw new TypeError(`There is no account ${account}`);
  return found;
}
