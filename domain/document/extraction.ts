// The values of a document by type: loss rows, policy terms, invoice figures, the limits of an ACORD 126. What is not
// found is left out. Pure. Contract 3.5 "ingest".
import type { ClassifiedAs } from './classification.ts';
import type { FormField } from './content.ts';
import { type Labels, labelledAt, labelsOf, Sheet } from './labelled-values.ts';
import { readLosses } from './loss-run.ts';
import { plainText, readDate, readMoney, readState } from './read-values.ts';
import type { TextLine } from './text-layout.ts';

export type Extracted = Record<string, unknown>;

/** A document in readable form. */
export interface Readable {
  lines: readonly TextLine[];
  fields: readonly FormField[];
}

/** What is extracted from each type; nothing from types that people read themselves. */
export function extracted({ type }: ClassifiedAs, document: Readable): Extracted {
  if (type === 'loss_run') return { ...valuesOf(document, LOSS_RUN), ...readLosses(document.lines) };
  if (type === 'declaration_page') return { ...termIn(document), ...valuesOf(document, DECLARATION) };
  if (type === 'invoice') return valuesOf(document, INVOICE);
  if (type === 'acord_126') return { ...valuesOf(document, ACORD_126), ...fieldValues(document.fields) };
  return {};
}

type Read = (text: string) => unknown;

/** Name of a value → how to read it, and the labels that precede it. */
type Plan = Readonly<Record<string, { read: Read; labels: readonly string[] }>>;

const dollars: Read = (text) => {
  const cents = readMoney(text);
  return cents === null ? null : cents / 100;
};
/** A reference contains a digit; a word beside a label is another label, and words after it are the next one. */
const reference: Read = (text) => {
  const [own = ''] = text.slice(text.lastIndexOf(':') + 1).split(NEXT_LABEL);
  return /\d/.test(own) ? plainText(own, 60) : null;
};
const NEXT_LABEL = /\s(?=(?:policy|insured|named|carrier|effective|eff|expiration|period|date|term|valued|from)\b)/i;

const TERM = {
  policyNumber: { read: reference, labels: ['policy number', 'policy no', 'policy', 'policy num'] },
  insuredName: { read: plainText, labels: ['named insured', 'insured', 'insured name', 'name of insured'] },
  carrier: { read: plainText, labels: ['carrier', 'insurer', 'company', 'insurance company', 'issuing company'] },
} as const;

const DECLARATION: Plan = {
  ...TERM,
  effectiveDate: { read: readDate, labels: ['effective date', 'eff date', 'policy effective date', 'from'] },
  expirationDate: { read: readDate, labels: ['expiration date', 'exp date', 'policy expiration date', 'to'] },
  state: { read: readState, labels: ['state', 'home state', 'risk state'] },
  premium: { read: dollars, labels: ['total premium', 'annual premium', 'premium', 'policy premium'] },
  totalDue: { read: dollars, labels: ['total due', 'total', 'total policy cost', 'total charges'] },
  eachOccurrence: {
    read: dollars,
    labels: ['each occurrence', 'each occurrence limit', 'limit', 'limit of insurance'],
  },
  generalAggregate: { read: dollars, labels: ['general aggregate', 'general aggregate limit', 'aggregate limit'] },
  combinedSingleLimit: { read: dollars, labels: ['combined single limit'] },
  deductible: { read: dollars, labels: ['deductible'] },
};

const INVOICE: Plan = {
  invoiceNumber: { read: reference, labels: ['invoice number', 'invoice no', 'invoice', 'invoice num'] },
  policyNumber: TERM.policyNumber,
  billTo: { read: plainText, labels: ['bill to', 'billed to', 'customer', 'insured'] },
  invoiceDate: { read: readDate, labels: ['invoice date', 'date', 'issue date', 'date issued', 'issued'] },
  dueDate: { read: readDate, labels: ['due date', 'payment due', 'due', 'pay by'] },
  total: {
    read: dollars,
    labels: ['total', 'amount due', 'total due', 'balance due', 'total amount due', 'invoice total'],
  },
};

const ACORD_126: Plan = {
  insuredName: { read: plainText, labels: ['applicant first named insured', 'first named insured', 'named insured'] },
  effectiveDate: { read: readDate, labels: ['effective date', 'eff date', 'proposed eff date'] },
  eachOccurrence: { read: dollars, labels: ['each occurrence'] },
  generalAggregate: { read: dollars, labels: ['general aggregate'] },
  productsAggregate: {
    read: dollars,
    labels: ['products completed operations aggregate', 'products comp op agg', 'products and completed operations'],
  },
  personalInjury: { read: dollars, labels: ['personal advertising injury', 'personal and advertising injury'] },
  damageToRentedPremises: {
    read: dollars,
    labels: ['damage to rented premises each occurrence', 'damage to rented premises', 'fire damage'],
  },
  medicalExpense: { read: dollars, labels: ['medical expense any one person', 'medical expense', 'med exp'] },
};

/** The fields of an ACORD 126 with the same values, by the beginning of their bare names. */
const FIELDS_126: readonly (readonly [RegExp, string, Read])[] = [
  [/NamedInsured_FullName_A/i, 'insuredName', plainText],
  [/Policy_EffectiveDate_A/i, 'effectiveDate', readDate],
  [/GeneralLiability_EachOccurrence_LimitAmount/i, 'eachOccurrence', dollars],
  [/GeneralLiability_GeneralAggregate_LimitAmount/i, 'generalAggregate', dollars],
  [/GeneralLiability_ProductsAndCompletedOperations_AggregateLimitAmount/i, 'productsAggregate', dollars],
  [/GeneralLiability_PersonalAndAdvertisingInjury_LimitAmount/i, 'personalInjury', dollars],
  [/GeneralLiability_FireDamageRentedPremises/i, 'damageToRentedPremises', dollars],
  [/GeneralLiability_MedicalExpense/i, 'medicalExpense', dollars],
];

function fieldValues(fields: readonly FormField[]): Extracted {
  const found: Extracted = {};
  for (const { name, value } of fields) {
    const [, key, read] = FIELDS_126.find(([pattern]) => pattern.test(name)) ?? [];
    const result = key && read && typeof value === 'string' ? read(value) : null;
    if (key && result !== null) found[key] ??= result;
  }
  return found;
}

const LOSS_RUN: Plan = {
  ...TERM,
  valuationDate: { read: readDate, labels: ['valuation date', 'valued as of', 'as of', 'evaluation date', 'run date'] },
};

/** The number of words in the longest label before a value without a colon. */
const LEADING_WORDS = 3;
/** A value that cannot be a continuation of the label. */
const NUMBER = /^(?=\S*\d)\S{5,60}$/;

/** `Due February 28, 2027`, `Policy GL-TX-2026-000004`: a label and its date or number in one text. */
function inOneText({ text }: { text: string }, labels: Labels<string>): { meaning: string; value: string }[] {
  const words = text.trim().split(' ');
  for (let count = Math.min(LEADING_WORDS, words.length - 1); count > 0; count -= 1) {
    const meaning = labels.meaningOf(words.slice(0, count).join(' '));
    const value = words.slice(count, count + LEADING_WORDS).join(' ');
    const isWhole = words.length <= count + LEADING_WORDS;
    if (meaning && isWhole && (readDate(value) !== null || NUMBER.test(value))) return [{ meaning, value }];
  }
  return [];
}

/** The dates of a term written as one text, as in `March 1, 2026 to March 1, 2027`. */
function termIn({ lines }: Readable): Extracted {
  for (const { text } of lines.flat()) {
    const [first = '', second, ...others] = text.split(/\s+(?:to|-|–)\s+/);
    const [effectiveDate, expirationDate] = [readDate(first), readDate(second ?? '')];
    if (effectiveDate && expirationDate && others.length === 0) return { effectiveDate, expirationDate };
  }
  return {};
}

/** The first readable value of each kind after one of its labels. */
function valuesOf({ lines }: Readable, plan: Plan): Extracted {
  const labels = labelsOf(Object.fromEntries(Object.entries(plan).map(([name, each]) => [name, each.labels])));
  const sheet = new Sheet(lines);
  const found: Extracted = {};
  for (const cell of lines.flat()) {
    for (const { meaning, value } of [
      ...labelledAt(cell, sheet, labels as Labels<string>),
      ...inOneText(cell, labels),
    ]) {
      const result = plan[meaning]?.read(value) ?? null;
      if (result !== null) found[meaning] ??= result;
    }
  }
  return found;
}
