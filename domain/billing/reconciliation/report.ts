// The findings of a reconciliation: records that disagree, by check. Contract 3.2 "Parts tie out", 3.4, domain facts
// 4.4.

import type { CheckName } from './checks.ts';

/** The kinds of rows that a finding can be about. */
export type FindingEntity =
  | 'policy'
  | 'invoice'
  | 'payment'
  | 'disbursement'
  | 'remittance'
  | 'trust_shortfall'
  | 'claim_payment'
  | 'claim_recovery'
  | 'loss_fund_deposit'
  | 'ledger_entry'
  | 'journal'
  | 'commission_record'
  | 'card_statement_line'
  | 'card_payout'
  | 'card_payout_line'
  | 'bank_line'
  | 'organization';

/** Two records that disagree about the same thing: `actual` is the checked record's value, `expected` the other's. */
export interface Finding {
  check: CheckName;
  entityType: FindingEntity;
  entityId: string;
  /** Which part of the entity: `premium`, an account, the name of a figure. */
  part: string;
  /** Whole cents, or a number of rows. */
  unit: 'cents' | 'count';
  expected: number;
  actual: number;
}

/** `skipped`: the other record could not be read, so the result is unknown. */
export type CheckStatus = 'passed' | 'failed' | 'skipped';

/** The result of a check. */
export interface CheckResult {
  name: CheckName;
  status: CheckStatus;
  /** The number of all disagreements; `findings` holds the first of them. */
  found: number;
  findings: Finding[];
  /** Why it was skipped; null otherwise. */
  reason: string | null;
}

/** How many findings are kept per check; the rest are only counted. */
export const KEPT_FINDINGS = 20;

/** A check that could not be made. */
export function skippedCheck(name: CheckName, reason: string): CheckResult {
  return { name, status: 'skipped', found: 0, findings: [], reason };
}

/** Makes a check's result from its findings; `found` counts more than `findings` if those are only the first. */
export function checkResult(name: CheckName, findings: readonly Finding[], found = findings.length): CheckResult {
  const status = found === 0 ? 'passed' : 'failed';
  return { name, status, found, findings: findings.slice(0, KEPT_FINDINGS), reason: null };
}

/** Merges the results of pages: each check once, in order of first appearance. */
export function joinResults(...pages: readonly (readonly CheckResult[])[]): CheckResult[] {
  const joined = new Map<CheckName, CheckResult>();
  for (const result of pages.flat()) {
    const earlier = joined.get(result.name);
    joined.set(result.name, earlier === undefined ? result : joinTwo(earlier, result));
  }
  return [...joined.values()];
}

/** A check skipped on one page has not passed; its findings on other pages stay. */
function joinTwo(one: CheckResult, other: CheckResult): CheckResult {
  const found = one.found + other.found;
  const reason = one.reason ?? other.reason;
  const status = found > 0 ? 'failed' : reason === null ? 'passed' : 'skipped';
  const findings = [...one.findings, ...other.findings].slice(0, KEPT_FINDINGS);
  return { name: one.name, status, found, findings, reason };
}
