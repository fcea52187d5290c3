// One operation of the document, from one row of the route table.
import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import { ERROR_STATUS, type ErrorCode } from '../../domain/errors.ts';
import { ROLES, requiredScope, roleMay } from '../../domain/permissions.ts';
import { isWorthRetrying } from '../../http/errors.ts';
import { deprecationText, describedHeaders } from '../spine/deprecation.ts';
import type { ResponseSpec, Route } from '../spine/route.ts';
import type { JsonSchema, SchemaComponents } from './components.ts';
import { errorCodesOf, isConditional } from './errors.ts';
import { answerExamples, bodyExamples, formExample, usualBody } from './examples.ts';
import { parameterDescription } from './parameters.ts';
import { timeNeeded } from './time-needed.ts';

const RATE_HEADERS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];

/** Builds the Operation Object of a route. */
export function operationOf(route: Route, components: SchemaComponents): object {
  const isOpen = route.access.kind === 'open';
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    description: descriptionOf(route),
    ...(isOpen ? { security: [] } : {}),
    ...(route.deprecation ? { deprecated: true } : {}),
    ...timeNeeded(route),
    parameters: parametersOf(route, components),
    ...requestBodyOf(route, components),
    responses: responsesOf(route, components),
  };
}

function descriptionOf(route: Route): string {
  const lines = [route.deprecation && deprecationText(route.deprecation), route.description, accessText(route)];
  return lines.filter((line) => line !== undefined && line !== '').join('\n\n');
}

function accessText({ access }: Route): string {
  if (access.kind === 'open') return `Needs no credential: ${access.reason}.`;
  const { action } = access;
  const machine = roleMay('superadmin', action) ? ['the machine secret'] : [];
  const roles = [...ROLES.filter((role) => roleMay(role, action)), ...machine];
  const scope = requiredScope(action);
  const keys = scope === null ? 'Closed to API keys.' : `API keys need the scope \`${scope}\`.`;
  return `Permission \`${action}\`: ${roles.join(', ')}. ${keys}`;
}

function parametersOf(route: Route, components: SchemaComponents): object[] {
  const shared = (name: string) => ({ $ref: `#/components/parameters/${name}` });
  return [
    ...fieldsOf(route.params, 'path', components),
    ...fieldsOf(route.query, 'query', components),
    ...(route.access.kind === 'open' ? [] : [shared('OrgId'), shared('XOrgId')]),
    ...(route.idempotent ? [shared('IdempotencyKey')] : []),
    ...(isConditional(route) ? [shared('IfMatch')] : []),
    ...signaturesOf(route),
    shared('RequestId'),
  ];
}

interface ObjectSchema {
  properties?: Record<string, JsonSchema>;
  required?: string[];
}

/** A sender uses one of several signature headers, depending on its provider. */
function signaturesOf({ signatureHeaders = [] }: Route): object[] {
  const required = signatureHeaders.length === 1;
  const others = required ? '' : ' One of the headers with a signature is needed.';
  return signatureHeaders.map((name) => ({
    ...{ name, in: 'header', required, schema: { type: 'string' } },
    description: `Signs every byte of the body.${others}`,
  }));
}

function fieldsOf(schema: z.ZodObject | null, place: 'path' | 'query', components: SchemaComponents): object[] {
  if (schema === null) return [];
  const { properties = {}, required = [] } = components.of(schema, 'input') as ObjectSchema;
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    description: description ?? parameterDescription(place, name, rest.$ref),
    schema: rest,
  }));
}

function requestBodyOf(route: Route, components: SchemaComponents): object {
  if (route.body === null && !route.upload) return {};
  if (route.file !== null) return fileBodyOf(route, components);
  const json = route.body && { 'application/json': shownBody(route, components.of(route.body, 'input')) };
  const bytes = route.upload?.schema
    ? components.of(route.upload.schema, 'input')
    : { type: 'string', format: 'binary' };
  const files = (route.upload?.contentTypes ?? []).map((type) => [type, shownBody(route, bytes)]);
  const isRequired = route.body === null || !route.body.safeParse({}).success;
  return { requestBody: { required: isRequired, content: { ...json, ...Object.fromEntries(files) } } };
}

/** A JSON body with its recorded examples. */
function shownBody(route: Route, schema: object): object {
  return { schema, ...bodyExamples(route) };
}

/** A file arrives as a form part that states its name and type, or within JSON that states them in fields. */
function fileBodyOf(route: Route, components: SchemaComponents): object {
  const { body, file: spec } = route;
  const binary = { type: 'string', format: 'binary' };
  const part = { ...binary, description: 'The file itself. An example shows its name instead.' };
  if (body && spec?.inPlaceOfJson) {
    const alone = spec.inPlaceOfJson.contentTypes.map((type) => [type, { schema: binary }]);
    const schema = { type: 'object', properties: { file: part }, required: ['file'], additionalProperties: false };
    const json = { 'application/json': shownBody(route, components.of(body, 'input')) };
    const content = { ...json, ...Object.fromEntries(alone), 'multipart/form-data': { schema, ...formExample(route) } };
    return { requestBody: { required: true, content } };
  }
  const described = components.of(body ?? z.strictObject({}), 'input') as ObjectSchema;
  if ('$ref' in described) throw new Error(`${route.operationId}: what comes with a file is described in its place`);
  const { properties = {}, required = [], ...rest } = described;
  const { fileName, contentType, ...fields } = properties;
  const json = { ...properties, contentBase64: { type: 'string', format: 'byte', minLength: 1 } };
  const form = { ...fields, file: part };
  const whole = { ...rest, properties: json, required: [...required, 'contentBase64'] };
  const content = {
    'application/json': shownBody(route, whole),
    'multipart/form-data': { schema: { ...rest, properties: form, required: ['file'] }, ...formExample(route) },
    ...Object.fromEntries((spec?.alone ?? []).map((type) => [type, shownFile(route, type)])),
  };
  return { requestBody: { required: true, content } };
}

/** A file as the whole body; a text file shows the content of its JSON example. */
function shownFile(route: Route, type: string): object {
  if (!type.startsWith('text/')) return { schema: { type: 'string', format: 'binary' } };
  const { contentBase64 = '' } = (usualBody(route) ?? {}) as { contentBase64?: string };
  return { schema: { type: 'string' }, example: Buffer.from(contentBase64, 'base64').toString() };
}

interface Answer {
  description: string;
  headers: object;
  content?: object;
}

function responsesOf(route: Route, components: SchemaComponents): object {
  const answers = [route.response, ...route.alternates].map(
    (spec) => [String(spec.status), successOf(route, spec, components)] as const,
  );
  const unchanged = {
    description: 'Not modified: `If-None-Match` names this version.',
    headers: references(['X-Request-Id', ...RATE_HEADERS, 'ETag']),
  };
  const kept = isDetail(route) && route.method === 'get' ? [['304', unchanged] as const] : [];
  const byStatus = Map.groupBy(errorCodesOf(route), (code) => ERROR_STATUS[code]);
  const errors = [...byStatus].map(([status, codes]) => [String(status), failureOf(status, codes)] as const);
  const all = [...answers, ...kept, ...errors].map(([status, answer]) => [status, announced(route, answer)] as const);
  return Object.fromEntries(all.sort(([a], [b]) => Number(a) - Number(b)));
}

/** Every response of a deprecated operation says so, including errors. */
function announced({ deprecation }: Route, answer: Answer): Answer {
  if (!deprecation) return answer;
  return { ...answer, headers: { ...answer.headers, ...describedHeaders(deprecation) } };
}

function successOf(route: Route, spec: ResponseSpec, components: SchemaComponents): Answer {
  const type = spec.contentType ?? 'application/json';
  const headers = [
    'X-Request-Id',
    ...RATE_HEADERS,
    ...(isDetail(route) && spec.body ? ['ETag'] : []),
    ...(spec.status === 201 ? ['Location'] : []),
    ...(isList(spec) ? ['Link'] : []),
    ...(route.idempotent ? ['Idempotent-Replayed'] : []),
  ];
  return {
    description: spec.description ?? STATUS_CODES[spec.status] ?? 'Answer',
    headers: references(headers),
    ...(spec.body ? { content: shownAnswers(route, spec, { [type]: components.of(spec.body, 'output') }) } : {}),
  };
}

/** A response's schemas by media type, each with its recorded example. */
function shownAnswers(route: Route, spec: ResponseSpec, schemas: Record<string, object>): object {
  const text = { type: 'string' };
  const all = { ...schemas, ...(spec.csv ? { 'text/csv': text } : {}), ...(spec.html ? { 'text/html': text } : {}) };
  return Object.fromEntries(
    Object.entries(all).map(([type, schema]) => [type, { schema, ...answerExamples(route, spec, type) }]),
  );
}

/**
 * Returns whether an operation's response carries an entity tag: it reads one row, or changes one that has a version.
 */
function isDetail({ access, path, method, isTagged = false }: Route): boolean {
  if (isTagged) return true;
  if (access.kind !== 'organization' || access.resource === null || !path.endsWith('/:id')) return false;
  return method === 'get' || access.resource.version !== undefined;
}

function isList({ body }: ResponseSpec): boolean {
  return body instanceof z.ZodObject && 'nextCursor' in body.shape;
}

function failureOf(status: number, codes: readonly ErrorCode[]): Answer {
  const hasRetry = codes.some(isWorthRetrying);
  return {
    description: `${STATUS_CODES[status]}: ${codes.map((code) => `\`${code}\``).join(', ')}`,
    headers: references(['X-Request-Id', ...RATE_HEADERS, ...(hasRetry ? ['Retry-After'] : [])]),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  };
}

function references(headers: readonly string[]): object {
  return Object.fromEntries(headers.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
