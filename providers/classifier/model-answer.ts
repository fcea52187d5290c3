// What a language model may say of a document, and how much of it is believed: names that we know, values of the right
// sort, and nothing that does not stand in the document. Contract 3.5 "ingest".
import { z } from 'zod';
import { DOCUMENT_TYPES } from '../../domain/document/classification.ts';
import type { Extracted } from '../../domain/document/extraction.ts';
import { readDate } from '../../domain/document/read-values.ts';

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

/** The values that each type has; of the others none are extracted. */
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

/** What the model is to fill in, as JSON Schema. */
export const ANSWER_SHAPE = z.toJSONSchema(AnswerSchema);

/** Reads what a model has filled in; null for anything else. */
export function readAnswer(input: unknown): ModelAnswer | null {
  return AnswerSchema.safeParse(input).data ?? null;
}

/** The values of an answer that belong to its type and stand in the document. */
export function groundedValues({ type, values }: ModelAnswer, documentText: string): Extracted {
  const stands = groundsOf(documentText);
  const known = OF_TYPE[type] ?? [];
  const found = Object.entries(values).filter(([name]) => known.includes(name));
  return Object.fromEntries(
    found.flatMap(([name, value]): [string, unknown][] => {
      if (!Array.isArray(value)) return stands(value) ? [[name, value]] : [];
      const rows = value.filter((row) => Object.values(row).every(stands));
      return rows.length > 0 ? [[name, rows]] : [];
    }),
  );
}

const DATES = /\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4}|[A-Za-z]{3,9}\.? \d{1,2},? \d{4}/g;
const AMOUNTS = /\d[\d,]*(?:\.\d+)?/g;

/** Says whether a value stands in a text: in any case and spacing, dates and amounts however they are written. */
function groundsOf(documentText: string): (value: unknown) => boolean {
  const plain = spaced(documentText);
  const dates = new Set((documentText.match(DATES) ?? []).map((found) => readDate(found)));
  const amounts = new Set((documentText.match(AMOUNTS) ?? []).map((found) => Number(found.replaceAll(',', ''))));
  return (value) => {
    if (typeof value === 'number') return amounts.has(Math.abs(value));
    if (typeof value !== 'string') return false;
    return plain.includes(spaced(value)) || dates.has(value);
  };
}

const spaced = (words: string): string => words.toLowerCase().replaceAll(/\s+/g, ' ').trim();
