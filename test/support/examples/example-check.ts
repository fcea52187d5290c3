// Checks the document's examples against its schemas and its operations: none missing, none left over.
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { openApiDocument } from '../../../api/openapi/document.ts';
import { answeredBodies, type Examples, shownTypes } from '../../../api/openapi/examples.ts';
import { ROUTES } from '../../../api/routes/index.ts';
import type { Route } from '../../../api/spine/route.ts';

/** Where an example belongs: to one of an operation's answers, or to the request body behind it. */
export interface ExamplePlace {
  route: Route;
  /** Status of the answer. */
  status: number;
  /** Media type of the answer; null for the request body. */
  type: string | null;
}

const DOCUMENT = 'openapi.json';
/** The document itself does not contain it. */
const WITHOUT_EXAMPLE = new Set(['readOpenApi']);

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);
ajv.addSchema(openApiDocument(ROUTES, { version: '0', serverUrl: 'http://localhost' }), DOCUMENT);

/** Every place that needs an example, in route order. */
export const EXAMPLE_PLACES: readonly ExamplePlace[] = ROUTES.flatMap((route) => {
  const bodies = answeredBodies(route).map(({ status }) => ({ route, status, type: null }));
  const answers = [route.response, ...route.alternates].flatMap((spec) =>
    shownTypes(spec).map((type) => ({ route, status: spec.status, type })),
  );
  return WITHOUT_EXAMPLE.has(route.operationId) ? [] : [...bodies, ...answers];
});

/** `createSubmission 201 body`, or `createSubmission 201 application/json`. */
export function nameOf({ route, status, type }: ExamplePlace): string {
  return `${route.operationId} ${status} ${type ?? 'body'}`;
}

/** The example for a place; undefined when there is none. */
export function exampleAt(examples: Examples, { route, status, type }: ExamplePlace): unknown {
  const { requests, answers } = examples[route.operationId] ?? {};
  return type === null ? requests?.[status] : answers?.[status]?.[type];
}

/** What is wrong with an example for its place; null when it fits the schema. */
export function faultOf(place: ExamplePlace, example: unknown): string | null {
  if (example === undefined) return 'has no example';
  if (isEmptyList(example)) return 'shows a list without a row';
  const { route, status, type } = place;
  const path = route.pattern
    .replaceAll(/:(\w+)/g, '{$1}')
    .replaceAll('~', '~0')
    .replaceAll('/', '~1');
  const part = type === null ? 'requestBody' : `responses/${status}`;
  const media = encodeURIComponent((type ?? 'application/json').replaceAll('/', '~1'));
  const pointer = `/paths/${encodeURIComponent(path)}/${route.method}/${part}/content/${media}/schema`;
  const isValid = ajv.getSchema(`${DOCUMENT}#${pointer}`);
  if (!isValid) return 'has no schema';
  return isValid(example) ? null : ajv.errorsText(isValid.errors);
}

function isEmptyList(example: unknown): boolean {
  if (typeof example === 'string') return example.startsWith('BEGIN:VCALENDAR') && !example.includes('BEGIN:VEVENT');
  const { data } = Object(example) as { data?: unknown };
  return Array.isArray(data) && data.length === 0;
}

/** The names of the places that the examples fill. */
export function namesOf(examples: Examples): string[] {
  return Object.entries(examples).flatMap(([operationId, { requests = {}, answers = {} }]) => [
    ...Object.keys(requests).map((status) => `${operationId} ${status} body`),
    ...Object.entries(answers).flatMap(([status, types]) =>
      Object.keys(types).map((type) => `${operationId} ${status} ${type}`),
    ),
  ]);
}
