// A sample of each document kind with every value in place: a template may use the values of its kind's sample, and is
// tried on it before it is stored. Spec 4.7.
import type { TemplateKind } from '../../domain/document/kinds.ts';
import type { certificateFacts } from './certificate-facts.ts';
import type { withClaimWords } from './claim-letter-facts.ts';
import type { policyPageFacts } from './common-facts.ts';
import type { invoicePageFacts } from './invoice-facts.ts';
import type { mcs90Facts } from './mcs90-facts.ts';
import type { receiptFacts } from './receipt-facts.ts';
import type { transactionFacts } from './transaction-facts.ts';

/** Facts with nothing left out and one item in each list. */
type Complete<T> =
  NonNullable<T> extends infer V
    ? V extends string | number | boolean
      ? V
      : V extends readonly (infer Item)[]
        ? [Complete<Item>]
        : { [Name in keyof V]-?: Complete<V[Name]> }
    : never;

type FactsOf<F extends (...args: never[]) => Promise<unknown>> = Awaited<ReturnType<F>>;
type Page = FactsOf<typeof policyPageFacts>;
/** What a kind adds to a policy's page. */
type Added<T> = T extends unknown ? Complete<Omit<T, keyof Page>> : never;

const ADDRESS = { line1: '1 Main St', line2: 'Suite 2', city: 'Austin', state: 'TX', postalCode: '78701' };

const PAGE = {
  organization: 'Coastal Underwriters',
  payTo: ['Coastal Underwriters Premium Trust, 12 Harbor Street, Austin, TX 78701'],
  carrier: 'Pacific Casualty Company',
  carrierNaicCode: '99999',
  producer: { name: 'Lone Star Brokers', email: 'desk@lonestar.example', phone: '+15125550100', address: ADDRESS },
  insured: { name: 'Harbor Cafe LLC', address: ADDRESS },
  conditions: ['A sprinkler system is in use.'],
  policy: {
    ...{ number: 'GL-TX-2026-000042', line: 'Commercial general liability', state: 'TX', claimsMade: false },
    ...{ effectiveDate: '2026-03-01', expirationDate: '2027-03-01' },
  },
} satisfies Complete<Page>;

type OfTransaction = FactsOf<typeof transactionFacts>;
const OF_TRANSACTION = { effectiveDate: '2026-08-30', issuedOn: '2026-08-30', sequence: 1 };

const DECLARATIONS = {
  ...OF_TRANSACTION,
  coverages: [{ name: 'Each occurrence', cents: 100_000_000 }],
  money: { premium: 399_000, charges: [{ name: 'Surplus lines tax', cents: 19_352 }], total: 418_352 },
  additionalInsureds: [{ name: 'City of Austin' }],
} satisfies Added<Extract<OfTransaction, { coverages: unknown }>>;

const CHANGE = {
  ...{ ...OF_TRANSACTION, reason: 'At your request', endedBy: 'insured', isAhead: true, pastDue: 105_000 },
  ...{ withdrawnNotice: '2026-08-19', noticeGivenOn: '2026-08-19', gap: { from: '2026-08-19', to: '2026-08-30' } },
  money: { premiumChange: 200_047, totalChange: 209_850, otherChange: 9_803 },
  changes: [{ name: 'Named insured', before: 'Harbor Cafe LLC', after: 'Harbor Cafe and Bar LLC', isAmount: true }],
} satisfies Added<Extract<OfTransaction, { changes: unknown }>>;

const CERTIFICATE = {
  issuedOn: '2026-04-02',
  certificate: { number: 'COI-2026-000123-23456789', revision: 1 },
  coverageBasis: 'Occurrence',
  limits: [{ name: 'Each occurrence', cents: 100_000_000 }],
  holder: { name: 'City of Austin', email: 'risk@austin.example', address: ADDRESS },
  ...{ coverageEnds: '2026-09-30', gaps: [{ from: '2026-08-19', to: '2026-08-30' }] },
  ...{ description: 'Catering.', additionalInsured: true, waiverOfSubrogation: true },
  ...{ verifyUrl: 'https://example.com/v1/coi/COI-2026-000123-23456789/verify', qrCode: '<svg></svg>' },
} satisfies Added<FactsOf<typeof certificateFacts>>;

const MCS90 = {
  ...{ issuedOn: '2026-03-01', usdotNumber: '1234567', limit: 75_000_000, effectiveDate: '2026-03-01' },
  schedule: [{ name: 'Oil', cents: 100_000_000, applies: true }],
} satisfies Added<FactsOf<typeof mcs90Facts>>;

const INVOICE = {
  invoice: {
    ...{ number: 'INV-2026-000301', issueDate: '2026-03-01', dueDate: '2026-03-31', isVoid: true },
    ...{ installmentNumber: 1, installmentCount: 10, total: 105_000, paid: 5_000, refunded: 5_000, balance: 100_000 },
  },
  lines: [{ description: 'Premium', cents: 105_000 }],
  returned: [{ name: 'Check 4711', cents: 5_000 }],
  refunds: [{ name: 'Refund to be paid out', cents: 2_500 }],
} satisfies Added<FactsOf<typeof invoicePageFacts>>;

const RECEIPT = {
  invoice: { number: 'INV-2026-000301' },
  payment: { receivedOn: '2026-03-15', reference: 'check 4711', method: 'Check', cents: 105_000 },
} satisfies Added<FactsOf<typeof receiptFacts>>;

const CLAIM_LETTER = {
  letter: { date: '2026-06-05' },
  addressee: { name: 'Harbor Cafe LLC', address: ADDRESS, isInsured: true },
  claim: {
    ...{ number: 'CLM-2026-000007', lossDate: '2026-06-01', reportedOn: '2026-06-03', decisionBy: '2026-07-13' },
    ...{ adjuster: 'Ana Ruiz', reason: 'The loss was before the policy began.', provision: 'Section I, 1.b' },
    claimant: 'Harbor Cafe LLC',
  },
  settlement: { amount: 1_250_000, deductible: 100_000, payable: 1_150_000, payee: 'Harbor Cafe LLC' },
} satisfies Added<FactsOf<typeof withClaimWords>>;

const ADDED: Readonly<Record<TemplateKind, object>> = {
  declarations: DECLARATIONS,
  binder: DECLARATIONS,
  endorsement: CHANGE,
  cancellation_notice: CHANGE,
  reinstatement_notice: CHANGE,
  non_renewal_notice: CHANGE,
  certificate: CERTIFICATE,
  mcs90: MCS90,
  invoice: INVOICE,
  receipt: RECEIPT,
  claim_acknowledgement: CLAIM_LETTER,
  claim_status: CLAIM_LETTER,
  claim_denial: CLAIM_LETTER,
  claim_settlement: CLAIM_LETTER,
};

/** Returns a sample for documents of a kind. */
export function sampleFacts(kind: TemplateKind): Record<string, unknown> {
  return { ...PAGE, ...ADDED[kind] };
}
