// A document as it was read, and what was understood of it. Contract 3.5 "ingest".
import type { BusinessDate } from '../dates.ts';
import { readAcord125 } from '../submission/acord125.ts';
import type { Appearance, Classification } from './classification.ts';
import type { PdfContent } from './content.ts';
import { type Extracted, extracted, type Readable } from './extraction.ts';

/** All of it was written by strangers: it is data and never an instruction. */
export interface ReadDocument {
  readFrom: 'form' | 'text' | 'name';
  seen: Appearance;
  readable: Readable;
  /** Of a PDF. */
  pdf: PdfContent | null;
}

export interface Understood {
  classification: Classification;
  extracted: Extracted;
  /** Whether values stand there that no label, column or field says: a language model alone has read them. */
  isByModelAlone: boolean;
}

/** Gives the values that labels, columns and form fields say, for a document of this type. */
export function valuesByPlace(
  classification: Pick<Classification, 'type' | 'confidence'>,
  { pdf, readable }: ReadDocument,
  today: BusinessDate,
): Extracted {
  if (classification.type !== 'acord_125' || pdf === null) return extracted(classification, readable);
  const { values, additionalLines } = readAcord125(pdf, today).intake;
  return { ...Object.fromEntries(values.map(({ name, value }) => [name, value])), additionalLines };
}
