// What a language model may say about a document, and how much of it is trusted: known names, values of the right type,
// and nothing that is not in the document. Contract 3.5 "ingest".
import { z } from 'zod';
import { isRealDate } from '../../domain/dates.ts';
import { DOCUMENT_TYPES } from '../../domain/document/classification.ts';
import type { Extracted } from '../../domain/document/extraction.ts';
import { isNothing, readDate, readDigits, readMoney, readState, wholeText } from '../../domain/document/read-values.ts';

const [TEXT_MAX, LOSSES_MAX] = [500, 200];

const text = z.string().min(1).max(TEXT_MAX);
const date = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);
const dollars = z.number().min(-1e12).max(1e12);

const LOSS = {
  ...{ claimNumber: text, lossDate: date, reportedDate: date, description: text, claimant: text, status: text },
  ...{ paid: dollars, reserved: dollars, incurred: dollars },
};

const VALUES = {
  ...{ policyNumber: text, insuredName: text, carrier: text, invoiceNumber: text, billTo: text, state: text },
  ...{ effectiveDate: date, expirationDate: date, valuationDate: date, invoiceDate: date, dueDate: date },
  ...{ premium: dollars, total: dollars, totalDue: dollars, deductible: dollars, eachOccurrence: dollars },
  ...{ generalAggregate: dollars, productsAggregate: dollars, personalInjury: dollars, medicalExpense: dollars },
  ...{ damageToRentedPremises: dollars, annualRevenue: dollars, naicsCode: text },
  losses: z.array(z.strictObject(LOSS).partial()).max(LOSSES_MAX),
};

const DATE_NAMES = new Set(
  Object.entries({ ...VALUES, ...LOSS }).flatMap(([name, shape]) => (shape === date ? [name] : [])),
);

/** The values that each type has; for other types none are extracted. */
const OF_TYPE: Readonly<Record<string, readonly string[]>> = {
  acord_125: ['insuredName', 'effectiveDate', 'state', 'annualRevenue', 'naicsCode'],
  acord_126: [
    ...['insuredName', 'effectiveDate', 'eachOccurrence', 'generalAggregate', 'productsAggregate', 'personalInjury'],
    ...['damageToRentedPremises', 'medicalExpense'],
  ],
  loss_run: ['policyNumber', 'insuredName', 'carrier', 'valuationDate', 'losses'],
  declaration_page: [
    ...['policyNumber', 'insuredName', 'carrier', 'effectiveDate', 'expirationDate', 'state', 'premium', 'totalDue'],
    ...['eachOccurrence', 'generalAggregate', 'deductible'],
  ],
  invoice: ['invoiceNumber', 'policyNumber', 'billTo', 'invoiceDate', 'dueDate', 'total'],
};

const AnswerSchema = z.strictObject({
  type: z.enum(DOCUMENT_TYPES),
  confidence: z.number().min(0).max(1),
  values: z.strictObject(VALUES).partial(),
});

export type ModelAnswer = z.output<typeof AnswerSchema>;

/** What the model must fill in, as JSON Schema. */
export const ANSWER_SHAPE = z.toJSONSchema(AnswerSchema);

/** Reads what a model filled in; null for anything else. */
export function readAnswer(input: unknown): ModelAnswer | null {
  return AnswerSchema.safeParse(input).data ?? null;
}

/** The values of an answer that belong to its type and occur in the document, cleaned like values we read ourselves. */
export function groundedValues({ type, values }: ModelAnswer, documentText: string): Extracted {
  const cleaned = cleanerOf(documentText);
  const known = OF_TYPE[type] ?? [];
  const found: Extracted = {};
  for (const name of known) {
    const value = values[name as keyof typeof values];
    const kept = Array.isArray(value)
      ? value.flatMap((row) => cleanedRow(row, cleaned) ?? [])
      : cleaned(name, value, false);
    if (Array.isArray(kept) ? kept.length > 0 : kept !== null) found[name] = kept;
  }
  return found;
}

type Cleaner = (name: string, value: unknown, mayBeNothing: boolean) => unknown;

/** A loss whose every value occurs in the document; null for any other, and for an empty one. */
function cleanedRow(row: object, cleaned: Cleaner): Extracted | null {
  const values = Object.entries(row).map(([name, value]) => [name, cleaned(name, value, true)] as const);
  return values.length > 0 && values.every(([, value]) => value !== null) ? Object.fromEntries(values) : null;
}

const DATES = /\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4}|[A-Za-z]{3,9}\.? \d{1,2},? \d{4}/g;
/** Digits that may be an amount, unlike those of a code, a date or a percentage. */
const AMOUNTS = /(?<![\w.,/-])(?:us)?(\$\s?)?((?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d{1,2})?)(?![\w%/-]|[.,]\d)/gi;
/** What makes an amount negative. */
const BELOW_NOTHING = /[-−(]\s?(?:us)?\$?$/i;

/** Returns values as we store them; null for a value that the text does not contain as claimed. */
function cleanerOf(documentText: string): Cleaner {
  const plain = spaced(documentText);
  const dates = new Set((documentText.match(DATES) ?? []).map((found) => readDate(found)));
  const amounts = amountsIn(documentText);
  return (name, value, mayBeNothing) => {
    if (typeof value === 'number') return amounts.has(value) && (value > 0 || mayBeNothing) ? value : null;
    if (typeof value !== 'string') return null;
    if (DATE_NAMES.has(name)) return isRealDate(value) && (dates.has(value) || stands(plain, value)) ? value : null;
    return stands(plain, value) ? readText(name, value) : null;
  };
}

function amountsIn(documentText: string): Set<number> {
  const found = [...documentText.matchAll(AMOUNTS)].filter(
    ([, sign = '', digits = '']) => sign !== '' || /[.,]/.test(digits),
  );
  const above = found.filter(({ index }) => !BELOW_NOTHING.test(documentText.slice(Math.max(0, index - 4), index)));
  const cents = above.map(([, , digits = '']) => (isNothing(digits) ? 0 : readMoney(digits)));
  return new Set(cents.flatMap((each) => (each === null ? [] : each / 100)));
}

function readText(name: string, value: string): string | null {
  if (name === 'state') return readState(value);
  if (name === 'naicsCode') return readDigits(value, 2, 6);
  const whole = wholeText(value, TEXT_MAX);
  return name === 'status' ? (whole?.toLowerCase() ?? null) : whole;
}

/** Whether words occur in a text, ignoring case and spacing, and not as part of other words. */
function stands(plain: string, value: string): boolean {
  const words = spaced(value);
  for (let at = plain.indexOf(words); words !== '' && at >= 0; at = plain.indexOf(words, at + 1)) {
    const [before = '', after = ''] = [plain[at - 1], plain[at + words.length]];
    if (!WORDLIKE.test(before) && !WORDLIKE.test(after)) return true;
  }
  return false;
}

const WORDLIKE = /[\p{L}\p{N}]/u;

const spaced = (words: string): string => words.toLowerCase().replaceAll(/\s+/g, ' ').trim();
