// The types of received documents, and the confidence of a classification. Contract 3.5 "ingest".

export const DOCUMENT_TYPES = [
  'acord_125',
  'acord_126',
  'acord_25',
  'loss_run',
  'declaration_page',
  'invoice',
  'claim_form',
  'police_report',
  'medical_record',
  'financial_statement',
  'driver_list',
  'inspection_report',
  'contract',
  'other',
] as const;

export type DocumentType = (typeof DOCUMENT_TYPES)[number];

export interface ClassifiedAs {
  type: DocumentType;
  /** From 0 to 1. */
  confidence: number;
}

export interface Classification extends ClassifiedAs {
  /** The next likely types, likeliest first. */
  alternatives: ClassifiedAs[];
}

/** What a classifier sees of a document. All of it is untrusted. */
export interface Appearance {
  text: string;
  fileName: string;
  /** Names of a form's fields. */
  fields: readonly string[];
}

/** Contract 3.5. */
const SURE_FROM = 0.7;
/** A name alone is weak evidence, however clear. */
const BY_NAME_AT_MOST = 0.6;

/** Whether a person must review a document with this classification. */
export function needsReview({ confidence }: ClassifiedAs): boolean {
  return confidence < SURE_FROM;
}

/** Lowers the confidence of a classification based only on the file name. */
export function byNameAlone({ type, confidence, alternatives }: Classification): Classification {
  return { type, confidence: Math.min(confidence, BY_NAME_AT_MOST), alternatives };
}

/** Words that appear on every document. */
const EVERYWHERE = new Set(
  'and the for with this that from are any all was were has have not you your our will may shall been its but'.split(
    ' ',
  ),
);
const WORD = /[a-z]{3,}|(?<=acord\s{0,3})\d{2,3}/g;
/** Enough to recognize a document by; the rest of a long one is more of the same. */
const [TEXT_MAX_CHARACTERS, WORDS_MAX] = [20_000, 2_000];

/** What a document is recognized by: its distinct words, its form number, the words of its name and of its fields. */
export function features({ text, fileName, fields }: Appearance): string[] {
  const all = text.slice(0, TEXT_MAX_CHARACTERS).toLowerCase().match(WORD) ?? [];
  const words = all.filter((word) => !EVERYWHERE.has(word));
  const named = wordsOf(fileName).map((word) => `name:${word}`);
  const ofFields = fields
    .slice(0, WORDS_MAX)
    .flatMap((field) => wordsOf(bareField(field)).map((word) => `field:${word}`));
  return [...new Set([...words.slice(0, WORDS_MAX), ...named, ...ofFields])];
}

const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .match(/[a-z]{3,}|\d{2,3}/g) ?? [];

const bareField = (name: string): string => (name.split('.').at(-1) ?? '').replace(/\[\d+\]/g, '');
