// What documents say in the print tests: each kind with ordinary facts, and with facts that are hard to fit on a page
// (forty rows, names without a space, names in other scripts, the largest amounts).
import type { TemplateKind } from '../../../domain/document/kinds.ts';
import { qrCodeOf } from '../../../plans/document/qr-code.ts';
import { sampleFacts } from '../../../plans/document/sample-facts.ts';

const LONG_WORD = 'Donaudampfschifffahrtsgesellschaftskapitaensmuetzenfabrikationsgesellschaft'.repeat(2);
const HEBREW_NAME = 'חברת הנמל בע״מ';
const CHINESE_NAME = '北京海港房地产有限公司';
const ROWS = 40;
const GREATEST_CENTS = 1_000_000_000;

/** As long as an installation's address. */
const VERIFY_URL = 'https://bindery.example.com/v1/coi/COI-2026-000123-23456789/verify';

const ADDRESS = { line1: '1 Main St', line2: null, city: 'Austin', state: 'TX', postalCode: '78701' };
const COVERAGES = [
  { name: 'Each occurrence', cents: 100_000_000 },
  { name: 'General aggregate', cents: 200_000_000 },
];

/** Where an ordinary document differs from the sample, which has every value filled in. */
const ORDINARY: Partial<Record<TemplateKind, object>> = {
  declarations: { coverages: COVERAGES },
  binder: { coverages: COVERAGES },
  certificate: {
    ...{ certificate: { number: 'COI-2026-000123-23456789', revision: 0 } },
    ...{ verifyUrl: VERIFY_URL, qrCode: qrCodeOf(VERIFY_URL) },
    ...{ limits: COVERAGES, holder: { name: 'City of Austin', address: ADDRESS } },
    ...{ coverageEnds: null, gaps: [], waiverOfSubrogation: false },
  },
  mcs90: { schedule: [{ name: 'Oil', cents: 100_000_000, applies: false }] },
  invoice: {
    invoice: {
      ...{ number: 'INV-2026-000301', issueDate: '2026-03-01', dueDate: '2026-03-31', isVoid: false },
      ...{ installmentNumber: 1, installmentCount: 10, total: 105_000, paid: 5_000, refunded: 0, balance: 100_000 },
    },
  },
};

/** The facts of an ordinary document of a given kind. */
export function plainFacts(kind: TemplateKind): object {
  const sample = sampleFacts(kind);
  const addresses = {
    producer: { ...(sample.producer as object), address: ADDRESS },
    insured: { ...(sample.insured as object), address: ADDRESS },
  };
  return { ...sample, ...addresses, ...ORDINARY[kind] };
}

/** The facts of an ordinary document for another insured. */
function insuring(name: string, kind: TemplateKind): object {
  return { ...plainFacts(kind), insured: { name, address: ADDRESS } };
}

/** Forty table rows, the last with the largest amount that the platform accepts. */
export const ROW_NAMES = Array.from({ length: ROWS }, (_, row) => `Row ${row + 1}`);
const amounts = ROW_NAMES.map((name, row) => ({ name, cents: row + 1 < ROWS ? 100_000 * (row + 1) : GREATEST_CENTS }));

/** Facts that are hard to print, by what makes them hard. */
export const HARD_PAGES: Readonly<Record<string, { kind: TemplateKind; facts: object }>> = {
  'forty coverages': {
    kind: 'declarations',
    facts: { ...plainFacts('declarations'), coverages: amounts },
  },
  'forty charges': {
    kind: 'invoice',
    facts: { ...plainFacts('invoice'), lines: amounts.map(({ name, cents }) => ({ description: name, cents })) },
  },
  'names without a space': {
    kind: 'certificate',
    facts: {
      ...insuring(LONG_WORD, 'certificate'),
      ...{ organization: LONG_WORD, holder: { name: LONG_WORD, address: ADDRESS } },
    },
  },
  'a Hebrew name': {
    kind: 'declarations',
    facts: insuring(HEBREW_NAME, 'declarations'),
  },
  'a Chinese name': {
    kind: 'declarations',
    facts: insuring(CHINESE_NAME, 'declarations'),
  },
  'a Hebrew name on a certificate': {
    kind: 'certificate',
    facts: insuring(HEBREW_NAME, 'certificate'),
  },
  'a Chinese name on a certificate': {
    kind: 'certificate',
    facts: insuring(CHINESE_NAME, 'certificate'),
  },
};
