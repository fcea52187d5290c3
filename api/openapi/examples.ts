// The examples of the document: for each operation a body and its answers, recorded from a run of the tests by
// `npm run examples` and committed in examples.json.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ResponseSpec, Route } from '../spine/route.ts';

export interface OperationExamples {
  /** What was sent as JSON. */
  request?: unknown;
  /** Status → media type → what was answered. */
  answers?: Record<string, Record<string, unknown>>;
}

/** Operation → its examples. */
export type Examples = Readonly<Record<string, OperationExamples>>;

/** The committed examples. */
export const EXAMPLES: Examples = JSON.parse(readFileSync(join(import.meta.dirname, 'examples.json'), 'utf8'));

const JSON_TYPE = 'application/json';

/** Says whether an operation takes a body that can be shown as JSON. */
export function takesJson({ body, file, upload }: Route): boolean {
  return body !== null || file !== null || upload?.schema !== undefined;
}

/** The media types of an answer that can be shown as text; files, pages and measurements cannot. */
export function shownTypes({ body, contentType = JSON_TYPE, csv = false }: ResponseSpec): string[] {
  if (body === null || contentType !== JSON_TYPE) return [];
  return csv ? [JSON_TYPE, 'text/csv'] : [JSON_TYPE];
}
