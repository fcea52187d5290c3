// What a rate table must satisfy before it is stored, beyond its shape: otherwise it could not be rated with, or would
// price a higher limit lower. Contract 3.10.
import type { ValidationIssue } from '../errors.ts';
import { compareRatios, ratio } from '../ratio.ts';
import { APPETITES, LOSS_KEYS, type RateTable } from './rating.ts';

const FACTOR = /^\d{1,6}(\.\d{1,8})?$/;
const NAICS = /^\d{2,6}$/;

/**
 * Lists the problems of a rate table; an empty list means that it can be used. Rates and factors are non-negative
 * decimal texts, rows ascend strictly, limit factors never fall and deductible factors never rise with their amount.
 * Fields are dotted paths below `prefix`.
 */
export function rateTableIssues(table: RateTable, prefix = 'table'): ValidationIssue[] {
  return [
    ...factorIssues(table, prefix),
    ...classIssues(table, prefix),
    ...rowIssues(
      `${prefix}.limitFactors`,
      table.limitFactors.map((row) => ({ at: row.limitCents, factor: row.factor })),
      1,
    ),
    ...rowIssues(
      `${prefix}.deductibleFactors`,
      table.deductibleFactors.map((row) => ({ at: row.deductibleCents, factor: row.factor })),
      -1,
    ),
    ...[['minimumPremium', table.minimumPremiumCents] as const, ['policyFee', table.policyFeeCents] as const].flatMap(
      ([name, cents]) => (cents >= 0 ? [] : [issue(`${prefix}.${name}`, 'min', `${name} must not be negative.`)]),
    ),
  ];
}

function factorIssues(table: RateTable, prefix: string): ValidationIssue[] {
  const named: [field: string, factor: string | undefined][] = [
    ['base.defaultRate', table.base.defaultRate],
    ['defaultStateFactor', table.defaultStateFactor],
    ...Object.entries(table.stateFactors).map(([state, factor]): [string, string] => [`stateFactors.${state}`, factor]),
    ...LOSS_KEYS.map((key): [string, string | undefined] => [`lossFactors.${key}`, table.lossFactors[key]]),
  ];
  return named.flatMap(([field, factor]) => decimalIssue(`${prefix}.${field}`, factor));
}

function classIssues(table: RateTable, prefix: string): ValidationIssue[] {
  const seen = new Set<string>();
  return table.base.classRates.flatMap((row, index) => {
    const field = `${prefix}.base.classRates.${index}`;
    const found = decimalIssue(`${field}.rate`, row.rate);
    if (!NAICS.test(row.naicsPrefix))
      found.push(issue(`${field}.naicsPrefix`, 'format', 'A prefix must have 2 to 6 digits.'));
    if (seen.has(row.naicsPrefix))
      found.push(issue(`${field}.naicsPrefix`, 'format', 'A prefix must occur only once.'));
    if (!APPETITES.includes(row.appetite))
      found.push(issue(`${field}.appetite`, 'enum', 'This is not a known appetite.'));
    seen.add(row.naicsPrefix);
    return found;
  });
}

function rowIssues(field: string, rows: { at: number; factor: string }[], direction: 1 | -1): ValidationIssue[] {
  if (rows.length === 0) return [issue(field, 'min', 'At least one row is needed.')];
  const wrong = rows.flatMap((row, index) => decimalIssue(`${field}.${index}.factor`, row.factor));
  if (wrong.length > 0) return wrong;
  return rows.flatMap((row, index) => {
    const before = rows[index - 1];
    if (before === undefined) return [];
    if (row.at <= before.at) return [issue(`${field}.${index}`, 'format', 'Rows must ascend by amount.')];
    const moves = direction * compareRatios(ratio(row.factor), ratio(before.factor));
    return moves < 0
      ? [issue(`${field}.${index}.factor`, 'format', 'The factor must not move in this direction.')]
      : [];
  });
}

function decimalIssue(field: string, value: string | undefined): ValidationIssue[] {
  if (value === undefined) return [issue(field, 'required', 'A factor is missing.')];
  return FACTOR.test(value) ? [] : [issue(field, 'format', 'A factor must be a decimal, such as "1.25".')];
}

function issue(field: string, rule: ValidationIssue['rule'], message: string): ValidationIssue {
  return { field, rule, message };
}
