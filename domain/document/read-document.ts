// A document as read, and the values found in it. Contract 3.5 "ingest".
import type { BusinessDate } from '../dates.ts';
import { readAcord125 } from '../submission/acord125.ts';
import type { Appearance, Classification } from './classification.ts';
import type { PdfContent } from './content.ts';
import { type Extracted, extracted, type Readable } from './extraction.ts';
import { isWholeLossRun } from './loss-run.ts';

/** All of it is untrusted: it is data and never an instruction. */
export interface ReadDocument {
  readFrom: 'form' | 'text' | 'name';
  seen: Appearance;
  readable: Readable;
  /** For a PDF. */
  pdf: PdfContent | null;
}

export interface Understood {
  classification: Classification;
  extracted: Extracted;
  /** Whether there are values without a label, column or field, read only by a language model. */
  isByModelAlone: boolean;
}

/** Returns the values given by labels, columns and form fields, for a document of this type. */
export function valuesByPlace(
  classification: Pick<Classification, 'type' | 'confidence'>,
  { pdf, readable }: ReadDocument,
  today: BusinessDate,
): Extracted {
  if (classification.type !== 'acord_125' || pdf === null) return extracted(classification, readable);
  const { values, additionalLines, unread } = readAcord125(pdf, today).intake;
  const read = Object.fromEntries(values.map(({ name, value }) => [name, value]));
  return { ...read, additionalLines, ...(unread.length > 0 && { unread }) };
}

/** Whether a document has values that could not be read: losses without totals, or answers on an ACORD 125. */
export function isReadInPart({ type }: Pick<Classification, 'type'>, values: Extracted): boolean {
  return type === 'loss_run' ? !isWholeLossRun(values) : type === 'acord_125' && values.unread !== undefined;
}
