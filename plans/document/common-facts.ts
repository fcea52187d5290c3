// What every policy document says: who issues it, what it covers, for which insured and for which days.
import type { EntityManager } from '@mikro-orm/postgresql';
import { DaContract } from '../../db/entities/authority/da-contract.ts';
import { Producer } from '../../db/entities/distribution/producer.ts';
import type { Policy } from '../../db/entities/policy/policy.ts';
import { readRow } from '../../db/plain-table.ts';
import { issuerOf } from '../../db/queries/platform/organizations.ts';
import { policyTransactions } from '../../db/queries/policy/policies.ts';
import type { BusinessDate } from '../../domain/dates.ts';
import { isClaimsMade, type LineOfBusiness } from '../../domain/lines.ts';
import type { Cents } from '../../domain/money.ts';
import { termsOn } from '../../domain/policy/segments.ts';
import type { StackedTransaction } from '../../domain/policy/stack.ts';
import type { PolicyTerms } from '../../domain/policy/transaction.ts';

const LINE_NAMES: Readonly<Record<LineOfBusiness, string>> = {
  GL: 'Commercial general liability',
  CA: 'Commercial auto liability',
  MTC: 'Motor truck cargo',
  CP: 'Commercial property',
  BOP: 'Business owners policy',
  PL: 'Professional liability',
  CYBER: 'Cyber liability',
  UMB: 'Commercial umbrella',
  WC: 'Workers compensation',
};

/** Reads what policy documents have in common. `terms` are those of the day that the document is about. */
export async function policyPageFacts(em: EntityManager, policy: Readonly<Policy>, terms: Partial<PolicyTerms> = {}) {
  const [organization, contract, producer] = await Promise.all([
    issuerOf(em),
    policy.daContractId === null ? null : readRow(em, DaContract, policy.daContractId),
    policy.producerId === null ? null : readRow(em, Producer, policy.producerId),
  ]);
  const { name = policy.insuredName, address = policy.insuredAddress } = {
    name: terms.insuredName,
    address: terms.insuredAddress,
  };
  return {
    organization: organization?.name ?? '',
    payTo: organization?.paymentInstructions ?? [],
    carrier: contract?.carrier ?? organization?.name ?? '',
    carrierNaicCode: contract?.carrierNaicCode ?? null,
    producer: producer && {
      name: producer.name,
      email: producer.email,
      phone: producer.phone,
      address: producer.address,
    },
    insured: { name, address: address && withoutBlank(address) },
    conditions: policy.conditions,
    policy: {
      number: policy.policyNumber,
      line: lineName(policy.lineOfBusiness),
      state: policy.state,
      claimsMade: isClaimsMade(policy.lineOfBusiness),
      effectiveDate: policy.effectiveDate,
      expirationDate: policy.expirationDate,
    },
  };
}

/** Reads them with a day's terms. The policy row already has those of future changes. */
export async function policyPageFactsOn(em: EntityManager, policy: Readonly<Policy>, day: BusinessDate) {
  return policyPageFacts(em, policy, termsFrom(policy, await policyTransactions(em, policy.id), day));
}

/** A day's terms; before the first day, the policy's initial terms. */
export function termsFrom(
  { effectiveDate }: Pick<Policy, 'effectiveDate'>,
  stack: readonly StackedTransaction[],
  day: BusinessDate,
): Partial<PolicyTerms> {
  return termsOn(stack, day < effectiveDate ? effectiveDate : day);
}

/** A template would print an empty text. */
export function withoutBlank<A extends { line2?: string | null | undefined }>(address: A): A {
  return { ...address, line2: address.line2 || null };
}

/** Writes a line of business for people. */
function lineName(line: string): string {
  return LINE_NAMES[line as LineOfBusiness] ?? line;
}

/** Describes a line's limits. */
export function coverageBasis(line: string): string {
  if (line === 'CA') return 'Each accident';
  if (line === 'WC') return "Statutory limits and employers' liability";
  return isClaimsMade(line) ? 'Claims made' : 'Occurrence';
}

/** A line's names for its limits. Commercial auto has a single one. */
export function limitNames(line: string): { each: string; aggregate: string | null } {
  if (line === 'CA') return { each: 'Combined single limit', aggregate: null };
  if (line === 'WC') return { each: 'E.L. each accident', aggregate: 'E.L. disease, policy limit' };
  const each = isClaimsMade(line) ? 'Each claim' : 'Each occurrence';
  return { each, aggregate: line === 'GL' ? 'General aggregate' : 'Aggregate' };
}

/** A policy's limits, as a page lists them. */
export function limitsOf(
  line: string,
  { limitCents, aggregateLimitCents }: Pick<PolicyTerms, 'limitCents' | 'aggregateLimitCents'>,
): { name: string; cents: Cents }[] {
  const { each, aggregate } = limitNames(line);
  const first = { name: each, cents: limitCents };
  return aggregate === null ? [first] : [first, { name: aggregate, cents: aggregateLimitCents }];
}
