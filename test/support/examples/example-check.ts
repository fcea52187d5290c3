// Holds the examples of the document against its schemas, and against the operations: none is missing or left over.
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { openApiDocument } from '../../../api/openapi/document.ts';
import { type Examples, shownTypes, takesJson } from '../../../api/openapi/examples.ts';
import { ROUTES } from '../../../api/routes/index.ts';
import type { Route } from '../../../api/spine/route.ts';

/** Where an example belongs: the body of an operation, or one of its answers. */
export interface ExamplePlace {
  route: Route;
  /** Null for the body that is sent. */
  answer: { status: number; type: string } | null;
}

const DOCUMENT = 'openapi.json';
/** The document does not hold itself. */
const WITHOUT_EXAMPLE = new Set(['readOpenApi']);

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);
ajv.addSchema(openApiDocument(ROUTES, { version: '0', serverUrl: 'http://localhost' }), DOCUMENT);

/** Every place that needs an example, in the order of the routes. */
export const EXAMPLE_PLACES: readonly ExamplePlace[] = ROUTES.flatMap((route) => {
  const answers = [route.response, ...route.alternates].flatMap((spec) =>
    shownTypes(spec).map((type) => ({ route, answer: { status: spec.status, type } })),
  );
  const all = [...(takesJson(route) ? [{ route, answer: null }] : []), ...answers];
  return WITHOUT_EXAMPLE.has(route.operationId) ? [] : all;
});

/** `createSubmission`, or `createSubmission 201 application/json`. */
export function nameOf({ route, answer }: ExamplePlace): string {
  return [route.operationId, ...(answer === null ? [] : [answer.status, answer.type])].join(' ');
}

/** The example of a place; undefined when there is none. */
export function exampleAt(examples: Examples, { route, answer }: ExamplePlace): unknown {
  const { request, answers } = examples[route.operationId] ?? {};
  return answer === null ? request : answers?.[answer.status]?.[answer.type];
}

/** What is wrong with an example at its place; null when its schema takes it. */
export function faultOf(place: ExamplePlace, example: unknown): string | null {
  if (example === undefined) return 'has no example';
  if (isEmptyList(example)) return 'shows a list without a row';
  const { route, answer } = place;
  const type = answer === null ? 'application/json' : answer.type;
  const path = route.pattern
    .replaceAll(/:(\w+)/g, '{$1}')
    .replaceAll('~', '~0')
    .replaceAll('/', '~1');
  const part = answer === null ? 'requestBody' : `responses/${answer.status}`;
  const media = encodeURIComponent(type.replaceAll('/', '~1'));
  const pointer = `/paths/${encodeURIComponent(path)}/${route.method}/${part}/content/${media}/schema`;
  const isValid = ajv.getSchema(`${DOCUMENT}#${pointer}`);
  if (!isValid) return 'has no schema';
  return isValid(example) ? null : ajv.errorsText(isValid.errors);
}

function isEmptyList(example: unknown): boolean {
  const { data } = Object(example) as { data?: unknown };
  return Array.isArray(data) && data.length === 0;
}

/** The names of the places that the examples fill. */
export function namesOf(examples: Examples): string[] {
  return Object.entries(examples).flatMap(([operationId, { request, answers = {} }]) => [
    ...(request === undefined ? [] : [operationId]),
    ...Object.entries(answers).flatMap(([status, types]) =>
      Object.keys(types).map((type) => `${operationId} ${status} ${type}`),
    ),
  ]);
}
