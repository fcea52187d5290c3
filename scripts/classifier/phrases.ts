// The phrases of every document type.
import { DOCUMENT_TYPES, type DocumentType } from '../../domain/document/classification.ts';
import { OTHER_PHRASES } from './phrases-of-others.ts';
import { POLICY_PHRASES } from './phrases-of-policies.ts';
import type { TypePhrases } from './type-phrases.ts';

/** Phrases found on documents of any type. */
export const COMMON: readonly string[] = [
  'page 1 of 4',
  'named insured',
  'policy number',
  'date',
  'effective date',
  'insurance company',
  'phone fax email',
  'street city state zip',
  'signature',
  'total',
  'amount',
  'name and address',
  'agency',
  'please contact us with any questions',
  'prepared by',
  'for office use',
  'continued on the next page',
  'limited liability company',
  'road avenue suite texas florida ohio',
  'attached',
];

const PHRASES: Readonly<Record<DocumentType, TypePhrases>> = { ...POLICY_PHRASES, ...OTHER_PHRASES };

/** The phrases of each type, in the types' order. */
export const PHRASES_BY_TYPE: readonly (readonly [DocumentType, TypePhrases])[] = DOCUMENT_TYPES.map((type) => [
  type,
  PHRASES[type],
]);
