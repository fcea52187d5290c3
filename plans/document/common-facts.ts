// What every document about a policy says: who issues it, what it covers, for which insured and for which days.
import type { EntityManager } from '@mikro-orm/postgresql';
import { DaContract } from '../../db/entities/authority/da-contract.ts';
import type { Policy } from '../../db/entities/policy/policy.ts';
import { findProducer } from '../../db/queries/distribution/producers.ts';
import { findOrganization } from '../../db/queries/platform/organizations.ts';
import type { LineOfBusiness } from '../../domain/lines.ts';
import type { Cents } from '../../domain/money.ts';
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

/** Coverage that applies for each claim made, not for each event. */
const CLAIMS_MADE: readonly string[] = ['PL', 'CYBER'];

/** Reads what documents about a policy have in common. `terms` are those of the day that the document speaks of. */
export async function policyPageFacts(em: EntityManager, policy: Readonly<Policy>, terms: Partial<PolicyTerms> = {}) {
  const [organization, contract, producer] = [
    await findOrganization(em, policy.orgId),
    policy.daContractId === null ? null : await em.findOne(DaContract, { id: policy.daContractId }),
    policy.producerId === null ? null : await findProducer(em, policy.producerId),
  ];
  const { name = policy.insuredName, address = policy.insuredAddress } = {
    name: terms.insuredName,
    address: terms.insuredAddress,
  };
  return {
    organization: organization?.name ?? '',
    carrier: contract?.carrier ?? organization?.name ?? '',
    producer: producer && {
      name: producer.name,
      email: producer.email,
      phone: producer.phone,
      address: producer.address,
    },
    insured: { name, address: address && withoutBlank(address) },
    policy: {
      number: policy.policyNumber,
      line: lineName(policy.lineOfBusiness),
      state: policy.state,
      effectiveDate: policy.effectiveDate,
      expirationDate: policy.expirationDate,
    },
  };
}

/** To a template an empty text is something to print. */
export function withoutBlank<A extends { line2?: string | null | undefined }>(address: A): A {
  return { ...address, line2: address.line2 || null };
}

/** Writes a line of business for people. */
function lineName(line: string): string {
  return LINE_NAMES[line as LineOfBusiness] ?? line;
}

/** Says what the limits of a line are for. */
export function coverageBasis(line: string): string {
  if (line === 'CA') return 'Each accident';
  if (line === 'WC') return "Statutory limits and employers' liability";
  return CLAIMS_MADE.includes(line) ? 'Claims made' : 'Occurrence';
}

/** The limits of a policy, as a page lists them. */
export function limitsOf(
  line: string,
  { limitCents, aggregateLimitCents }: Pick<PolicyTerms, 'limitCents' | 'aggregateLimitCents'>,
) {
  if (line === 'CA') return [{ name: 'Combined single limit', cents: limitCents }];
  if (line === 'WC') {
    return [
      { name: 'E.L. each accident', cents: limitCents },
      { name: 'E.L. disease, policy limit', cents: aggregateLimitCents },
    ];
  }
  const each = CLAIMS_MADE.includes(line) ? 'Each claim' : 'Each occurrence';
  const limits: { name: string; cents: Cents }[] = [{ name: each, cents: limitCents }];
  return [...limits, { name: line === 'GL' ? 'General aggregate' : 'Aggregate', cents: aggregateLimitCents }];
}
