// The content of a policy transaction's document: declarations, an endorsement's changes, or a notice.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { IssuedTransaction } from '../../db/entities/policy/policy-transaction.ts';
import { findPolicy, policyTransactions } from '../../db/queries/policy/policies.ts';
import { DomainError } from '../../domain/errors.ts';
import { dollarText } from '../../domain/money.ts';
import { groundsText } from '../../domain/notice/grounds.ts';
import { CHARGE_NAMES } from '../../domain/policy/invoice-lines.ts';
import type { PolicyTerms, PricedTerms } from '../../domain/policy/transaction.ts';
import { limitNames, limitsOf, policyPageFacts, termsFrom } from './common-facts.ts';
import { noticePageFacts } from './notice-facts.ts';

/** The terms that an endorsement changes, named as in the line's declarations. */
function termNames(line: string): Partial<Record<keyof PolicyTerms, string>> {
  const limits = limitNames(line);
  return {
    insuredName: 'Named insured',
    insuredAddress: 'Address',
    limitCents: limits.each,
    ...(limits.aggregate !== null && { aggregateLimitCents: limits.aggregate }),
    deductibleCents: 'Deductible',
    annualRevenueCents: 'Annual revenue',
    additionalInsureds: 'Additional insureds',
  };
}

/** Reads the content of a transaction's document. @throws DomainError not_found */
export async function transactionFacts(em: EntityManager, policyId: string, transactionId: string) {
  const policy = await findPolicy(em, policyId);
  const stack = await policyTransactions(em, policyId);
  const transaction = stack.find(({ id }) => id === transactionId);
  if (policy === null || transaction === undefined) throw new DomainError('not_found', 'There is no such transaction.');
  const { effectiveDate, issuedOn, reason } = transaction;
  const earlier = stack.slice(0, stack.indexOf(transaction) + 1);
  const page = await policyPageFacts(em, policy, { ...termsFrom(policy, earlier, issuedOn), ...transaction.after });
  const ofItsType = stack.filter(({ type }) => type === transaction.type);
  const sequence = ofItsType.indexOf(transaction) + 1;
  const { premiumChangeCents: premiumChange, totalChangeCents: totalChange } = transaction;
  const money = { premiumChange, totalChange, otherChange: totalChange - premiumChange };
  const common = { ...page, effectiveDate, issuedOn, sequence };
  if (transaction.type === 'new_business' || transaction.type === 'renewal') {
    return { ...common, ...declarationsOf(policy.lineOfBusiness, transaction.after) };
  }
  const grounds = { reason: groundsText(transaction) ?? reason, endedBy: sourceOf(transaction) };
  const notice = noticePageFacts(earlier);
  return { ...common, ...grounds, ...notice, money, changes: changesOf(policy.lineOfBusiness, transaction) };
}

function declarationsOf(line: string, terms: Readonly<PricedTerms>) {
  const charges = [
    ...terms.fees.map(({ amountCents: cents }) => ({ name: 'Policy fee', cents })),
    ...terms.taxes.map(({ code, amountCents: cents }) => ({ name: CHARGE_NAMES[code] ?? code, cents })),
  ];
  return {
    coverages: [...limitsOf(line, terms), { name: 'Deductible', cents: terms.deductibleCents }],
    money: { premium: terms.grossPremiumCents, charges, total: terms.totalDueCents },
    additionalInsureds: terms.additionalInsureds.map(({ name }) => ({ name })),
  };
}

/** Who ends the coverage: `insured`, `carrier` or no one. */
function sourceOf(transaction: IssuedTransaction): string | null {
  return transaction.type === 'cancellation' ? transaction.changes.source : null;
}

function changesOf(line: string, transaction: IssuedTransaction) {
  if (transaction.type !== 'endorsement') return [];
  const { before: was, after: is } = transaction;
  const named = Object.entries(termNames(line)) as [keyof PolicyTerms, string][];
  return named
    .filter(([term]) => is[term] !== undefined)
    .map(([term, name]) => {
      const isAmount = typeof is[term] === 'number';
      return { name, before: termText(was[term]), after: termText(is[term]), isAmount };
    })
    .filter((change) => change.before !== change.after);
}

function termText(value: PolicyTerms[keyof PolicyTerms] | undefined): string {
  if (value === null || value === undefined) return 'none';
  if (typeof value === 'number') return dollarText(value).replace(/\.00$/, '');
  if (typeof value === 'string') return value;
  // Names may contain commas.
  if (Array.isArray(value)) return value.map(({ name }) => name).join(';\n') || 'none';
  const { line1, line2, city, state, postalCode } = value;
  return [line1, line2, `${city}, ${state} ${postalCode}`].filter(Boolean).join(', ');
}
