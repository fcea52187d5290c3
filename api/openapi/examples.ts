// The examples of the document: for each operation its bodies and what was answered to them, recorded from a run of the
// tests by `npm run examples` and committed in examples.json.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ResponseSpec, Route } from '../spine/route.ts';

export interface OperationExamples {
  /** Status → the body that was answered with it. */
  requests?: Record<string, unknown>;
  /** Status → media type → what was answered. */
  answers?: Record<string, Record<string, unknown>>;
}

/** Operation → its examples. */
export type Examples = Readonly<Record<string, OperationExamples>>;

/** The committed examples. */
export const EXAMPLES: Examples = JSON.parse(readFileSync(join(import.meta.dirname, 'examples.json'), 'utf8'));

const JSON_TYPE = 'application/json';

/** Says whether an operation takes a body that can be shown as JSON. */
function takesJson({ body, file, upload }: Route): boolean {
  return body !== null || file !== null || upload?.schema !== undefined;
}

/** The media types of an answer that callers read; what they show or store as it comes (pages, files) is not one. */
export function shownTypes({ body, contentType = JSON_TYPE, csv = false }: ResponseSpec): string[] {
  if (body === null || !/^(application\/json|text\/(calendar|plain))/.test(contentType)) return [];
  return csv ? [contentType, 'text/csv'] : [contentType];
}

/** The answers whose body is shown, the usual one first. None where no JSON is taken. */
export function answeredBodies(route: Route): readonly ResponseSpec[] {
  if (!takesJson(route)) return [];
  return [route.response, ...route.alternates.filter((spec) => shownTypes(spec).length > 0)];
}

/** The body that is usually answered; undefined where none was recorded. */
export function usualBody({ operationId, response }: Route): unknown {
  return EXAMPLES[operationId]?.requests?.[response.status];
}

/** The `example` of a body, or its `examples` where the operation has several answers. */
export function bodyExamples(route: Route): object {
  const { requests = {} } = EXAMPLES[route.operationId] ?? {};
  return shown(
    route,
    answeredBodies(route).map((spec) => [spec, requests[spec.status]]),
  );
}

/** The example of a form: the fields that come with the same file in JSON, and the file by its name. */
export function formExample(route: Route): object {
  const { contentBase64, fileName = 'application.pdf', contentType, ...fields } = Object(usualBody(route));
  return { example: { ...(contentBase64 === undefined ? {} : fields), file: fileName } };
}

/** The same of an answer: it has the name of the body that it answers. */
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
