// The examples of the document: the bodies and responses of each operation, recorded from a test run by `npm run
// examples` and committed in examples.json.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ResponseSpec, Route } from '../spine/route.ts';

export interface OperationExamples {
  /** Status → the request body that got it. */
  requests?: Record<string, unknown>;
  /** Status → media type → the response. */
  answers?: Record<string, Record<string, unknown>>;
}

/** Operation → its examples. */
export type Examples = Readonly<Record<string, OperationExamples>>;

/** The committed examples. */
export const EXAMPLES: Examples = JSON.parse(readFileSync(join(import.meta.dirname, 'examples.json'), 'utf8'));

const JSON_TYPE = 'application/json';

/** Returns whether an operation takes a body that can be shown as JSON. */
function takesJson({ body, file, upload }: Route): boolean {
  return body !== null || file !== null || upload?.schema !== undefined;
}

/** The media types of a response that callers parse; not those they show or store as is (pages, files). */
export function shownTypes({ body, contentType = JSON_TYPE, csv = false }: ResponseSpec): string[] {
  if (body === null || !/^(application\/json|text\/(calendar|plain))/.test(contentType)) return [];
  return csv ? [contentType, 'text/csv'] : [contentType];
}

/** The responses whose request body is shown, the usual one first. None if the operation takes no JSON. */
export function answeredBodies(route: Route): readonly ResponseSpec[] {
  if (!takesJson(route)) return [];
  return [route.response, ...route.alternates.filter((spec) => shownTypes(spec).length > 0)];
}

/** The usual body; undefined if none was recorded. */
export function usualBody({ operationId, response }: Route): unknown {
  return EXAMPLES[operationId]?.requests?.[response.status];
}

/** The `example` of a body, or its `examples` if the operation has several responses. */
export function bodyExamples(route: Route): object {
  const { requests = {} } = EXAMPLES[route.operationId] ?? {};
  return shown(
    route,
    answeredBodies(route).map((spec) => [spec, requests[spec.status]]),
  );
}

/** The example of a form: the fields sent with the same file in JSON, and the file by name. */
export function formExample(route: Route): object {
  const { contentBase64, fileName = 'application.pdf', contentType, ...fields } = Object(usualBody(route));
  return { example: { ...(contentBase64 === undefined ? {} : fields), file: fileName } };
}

/** The same for a response, named after the body it responds to. */
export function answerExamples(route: Route, spec: ResponseSpec, type: string): object {
  return shown(route, [[spec, EXAMPLES[route.operationId]?.answers?.[spec.status]?.[type]]]);
}

function shown(route: Route, values: readonly (readonly [ResponseSpec, unknown])[]): object {
  const known = values.filter(([, value]) => value !== undefined);
  if (known.length === 0) return {};
  if (answeredBodies(route).length < 2) return { example: known[0]?.[1] };
  const named = known.map(([{ exampleName = 'real', description }, value]) => [
    exampleName,
    { ...(description === undefined ? {} : { summary: description }), value },
  ]);
  return { examples: Object.fromEntries(named) };
}
