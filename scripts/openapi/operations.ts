// What the client and collection generators know about an operation, read from the API document.
import type { OpenApiDocument } from '../../api/openapi/document.ts';
import { TIME_FIELD } from '../../api/openapi/time-needed.ts';

export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  items?: Schema;
  examples?: unknown[];
}

export interface Parameter {
  name: string;
  description: string;
  isRequired: boolean;
  schema: Schema;
}

export interface Content {
  type: string;
  schema: Schema;
  /** The first, if there are several. */
  example: unknown;
}

export interface Answer {
  status: number;
  contents: Content[];
}

export interface Operation {
  id: string;
  tag: string;
  summary: string;
  /** Upper case. */
  method: string;
  /** With `{name}` parameters. */
  path: string;
  pathParameters: Parameter[];
  query: Parameter[];
  body: { isRequired: boolean; contents: Content[] } | null;
  /** The non-error answers. */
  answers: Answer[];
  /** Whether `Idempotency-Key` is honored. */
  isIdempotent: boolean;
  isConditional: boolean;
  isOpen: boolean;
  /** How long it may take; null if the usual timeout is enough. */
  timeoutSeconds: number | null;
}

interface Described {
  operationId: string;
  tags: string[];
  summary: string;
  security?: object[];
  [TIME_FIELD]?: number;
  parameters: { $ref?: string; name: string; in: string; required: boolean; description?: string; schema: Schema }[];
  requestBody?: { required: boolean; content: Record<string, Shown> };
  responses: Record<string, { content?: Record<string, Shown> }>;
}

interface Shown {
  schema: Schema;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

export const JSON_TYPE = 'application/json';
export const FORM_TYPE = 'multipart/form-data';
export const CSV_TYPE = 'text/csv';

/** Every operation, in the order of the document. */
export function operationsOf(document: OpenApiDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => operationOf(path, method, described as Described)),
  );
}

function operationOf(path: string, method: string, described: Described): Operation {
  const shares = (name: string) => described.parameters.some(({ $ref = '' }) => $ref.endsWith(`/${name}`));
  const within = (place: string) =>
    described.parameters
      .filter((parameter) => parameter.in === place)
      .map(({ name, required, description = '', schema }) => ({ name, description, isRequired: required, schema }));
  return {
    ...{ id: described.operationId, tag: described.tags[0] ?? '', summary: described.summary },
    ...{ method: method.toUpperCase(), path, pathParameters: within('path'), query: within('query') },
    body: described.requestBody
      ? { isRequired: described.requestBody.required, contents: contentsOf(described.requestBody.content) }
      : null,
    answers: Object.entries(described.responses)
      .filter(([status]) => status.startsWith('2'))
      .map(([status, { content = {} }]) => ({ status: Number(status), contents: contentsOf(content) })),
    ...{ isIdempotent: shares('IdempotencyKey'), isConditional: shares('IfMatch') },
    isOpen: described.security?.length === 0,
    timeoutSeconds: described[TIME_FIELD] ?? null,
  };
}

function contentsOf(content: Record<string, Shown>): Content[] {
  return Object.entries(content).map(([type, { schema, example, examples = {} }]) => ({
    ...{ type, schema },
    example: example ?? Object.values(examples)[0]?.value,
  }));
}

/**
 * The answers of the operation itself, and that of its preview, which writes nothing: the 200 answer of an operation
 * with the parameter `preview`.
 */
export function answersOf({ answers, query }: Operation): { answer: Content[]; preview: Content | null } {
  const hasPreview = query.some(({ name }) => name === 'preview');
  const isPreview = ({ status }: Answer) => hasPreview && status === 200;
  const preview = answers.find(isPreview)?.contents[0] ?? null;
  return { answer: answers.filter((each) => !isPreview(each)).flatMap(({ contents }) => contents), preview };
}

/** The name behind a reference; null for an inline schema. */
export function referenceOf({ $ref }: Schema): string | null {
  return $ref?.replace('#/components/schemas/', '') ?? null;
}
