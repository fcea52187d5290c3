// What documents say in tests of their print: each kind with ordinary facts, and with facts that are hard on a page
// (forty rows, names without a space, names in other scripts, the greatest amounts).
import type { TemplateKind } from '../../../domain/document/kinds.ts';
import type { certificateFacts } from '../../../plans/document/certificate-facts.ts';
import type { withClaimWords } from '../../../plans/document/claim-letter-facts.ts';
import type { invoiceFacts } from '../../../plans/document/invoice-facts.ts';
import type { mcs90Facts } from '../../../plans/document/mcs90-facts.ts';
import type { receiptFacts } from '../../../plans/document/receipt-facts.ts';
import type { transactionFacts } from '../../../plans/document/transaction-facts.ts';

type Facts<F extends (...args: never[]) => Promise<unknown>> = Awaited<ReturnType<F>>;
type PageFacts = Omit<Facts<typeof receiptFacts>, 'invoice' | 'payment'>;

const LONG_WORD = 'Donaudampfschifffahrtsgesellschaftskapitaensmuetzenfabrikationsgesellschaft'.repeat(2);
const HEBREW_NAME = 'חברת הנמל בע״מ';
const CHINESE_NAME = '北京海港房地产有限公司';
const ROWS = 40;
const GREATEST_CENTS = 1_000_000_000;

const ADDRESS = { line1: '1 Main St', line2: null, city: 'Austin', state: 'TX', postalCode: '78701' };

function common({ name = 'Harbor Cafe LLC', organization = 'Coastal Underwriters' } = {}): PageFacts {
  return {
    organization,
    carrier: 'Pacific Casualty Company',
    producer: { name: 'Lone Star Brokers', email: 'desk@lonestar.example', phone: '+15125550100', address: ADDRESS },
    insured: { name, address: ADDRESS },
    conditions: ['A sprinkler system is in use.'],
    policy: {
      ...{ number: 'GL-TX-2026-000042', line: 'Commercial general liability', state: 'TX', claimsMade: false },
      ...{ effectiveDate: '2026-03-01', expirationDate: '2027-03-01' },
    },
  };
}

const MONEY = { premiumChange: 200_047, otherChange: 9_803, totalChange: 209_850 };
const OF_TRANSACTION = { effectiveDate: '2026-08-30', issuedOn: '2026-08-30', sequence: 3 };
const CHANGED = {
  ...{ ...OF_TRANSACTION, reason: 'At your request', endedBy: 'insured', money: MONEY },
  changes: [{ name: 'Named insured', before: 'Harbor Cafe LLC', after: 'Harbor Cafe and Bar LLC' }],
};
const LETTER = {
  letter: { date: '2026-06-05' },
  claim: {
    ...{ number: 'CLM-2026-000007', lossDate: '2026-06-01', reportedOn: '2026-06-03', decisionBy: '2026-07-13' },
    ...{ adjuster: 'Ana Ruiz', reason: 'The loss was before the policy began.', provision: 'Section I, 1.b' },
    claimant: 'Harbor Cafe LLC',
  },
  settlement: { amount: 1_250_000, deductible: 100_000, payable: 1_150_000, payee: 'Harbor Cafe LLC' },
} satisfies Partial<Facts<typeof withClaimWords>>;

const declarations = (coverages: { name: string; cents: number }[]) =>
  ({
    ...{ ...OF_TRANSACTION, coverages, additionalInsureds: [{ name: 'City of Austin' }] },
    money: { premium: 399_000, charges: [{ name: 'Surplus lines tax', cents: 19_352 }], total: 418_352 },
  }) satisfies Partial<Facts<typeof transactionFacts>>;

const COVERAGES = [
  { name: 'Each occurrence', cents: 100_000_000 },
  { name: 'General aggregate', cents: 200_000_000 },
];

const certificate = (holder: string) =>
  ({
    ...{ issuedOn: '2026-04-02', certificate: { number: 'COI-2026-000123', revision: 0 }, coverageBasis: 'Occurrence' },
    ...{ limits: COVERAGES, holder: { name: holder, address: ADDRESS }, coverageEnds: null, description: 'Catering.' },
    ...{ additionalInsured: true, waiverOfSubrogation: false, verifyUrl: 'https://example.com/v/COI-2026-000123' },
    qrCode: '<svg viewBox="0 0 1 1"><rect width="1" height="1"/></svg>',
  }) satisfies Partial<Facts<typeof certificateFacts>>;

const invoice = (lines: { description: string; cents: number }[]) =>
  ({
    invoice: {
      ...{ number: 'INV-2026-000301', issueDate: '2026-03-01', dueDate: '2026-03-31' },
      ...{ installmentNumber: 1, installmentCount: 10, total: 105_000, paid: 5_000, refunded: 0, balance: 100_000 },
      isVoid: false,
    },
    lines,
  }) satisfies Partial<Facts<typeof invoiceFacts>>;

const receipt = {
  invoice: { number: 'INV-2026-000301' },
  payment: { receivedOn: '2026-03-15', reference: 'check 4711', method: 'Check', cents: 105_000 },
} satisfies Partial<Facts<typeof receiptFacts>>;

const mcs90 = {
  ...{ issuedOn: '2026-03-01', usdotNumber: '1234567', limit: 75_000_000 },
  schedule: [{ name: 'Oil', cents: 100_000_000, applies: false }],
} satisfies Partial<Facts<typeof mcs90Facts>>;

const PARTS: Readonly<Record<TemplateKind, object>> = {
  declarations: declarations(COVERAGES),
  binder: declarations(COVERAGES),
  endorsement: CHANGED,
  cancellation_notice: CHANGED,
  reinstatement_notice: CHANGED,
  non_renewal_notice: CHANGED,
  certificate: certificate('City of Austin'),
  mcs90,
  invoice: invoice([{ description: 'Premium', cents: 105_000 }]),
  receipt,
  claim_acknowledgement: LETTER,
  claim_denial: LETTER,
  claim_status: LETTER,
  claim_settlement: LETTER,
};

/** The facts of an ordinary document of a kind. */
export function plainFacts(kind: TemplateKind): object {
  return { ...common(), ...PARTS[kind] };
}

/** Forty rows of a table, the last with the greatest amount that the platform takes. */
export const ROW_NAMES = Array.from({ length: ROWS }, (_, row) => `Row ${row + 1}`);
const amounts = ROW_NAMES.map((name, row) => ({ name, cents: row + 1 < ROWS ? 100_000 * (row + 1) : GREATEST_CENTS }));

/** Facts that are hard to print, by what they are hard for. */
export const HARD_PAGES: Readonly<Record<string, { kind: TemplateKind; facts: object }>> = {
  'forty coverages': {
    kind: 'declarations',
    facts: { ...common(), ...declarations(amounts) },
  },
  'forty charges': {
    kind: 'invoice',
    facts: { ...common(), ...invoice(amounts.map(({ name, cents }) => ({ description: name, cents }))) },
  },
  'names without a space': {
    kind: 'certificate',
    facts: { ...common({ name: LONG_WORD, organization: LONG_WORD }), ...certificate(LONG_WORD) },
  },
  'a Hebrew name': {
    kind: 'declarations',
    facts: { ...common({ name: HEBREW_NAME }), ...declarations(COVERAGES) },
  },
  'a Chinese name': {
    kind: 'declarations',
    facts: { ...common({ name: CHINESE_NAME }), ...declarations(COVERAGES) },
  },
};
