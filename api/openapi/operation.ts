// One operation of the document, from one row of the route table.
import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import { ERROR_STATUS, type ErrorCode } from '../../domain/errors.ts';
import { ROLES, requiredScope, roleMay } from '../../domain/permissions.ts';
import { isWorthRetrying } from '../../http/errors.ts';
import type { ResponseSpec, Route } from '../spine/route.ts';
import type { JsonSchema, SchemaComponents } from './components.ts';
import { errorCodesOf, isConditional } from './errors.ts';

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
    parameters: parametersOf(route, components),
    ...requestBodyOf(route, components),
    responses: responsesOf(route, components),
  };
}

function descriptionOf(route: Route): string {
  const lines = [
    route.description,
    accessText(route),
    `${/^\d/.test(route.spec) ? 'Specification ' : ''}${route.spec}.`,
  ];
  return lines.filter((line) => line !== undefined && line !== '').join('\n\n');
}

function accessText({ access }: Route): string {
  if (access.kind === 'open') return `Needs no credential: ${access.reason}.`;
  const { action } = access;
  const roles = [...ROLES.filter((role) => roleMay(role, action)), 'the machine secret'];
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
    shared('RequestId'),
  ];
}

interface ObjectSchema {
  properties?: Record<string, JsonSchema>;
  required?: string[];
}

function fieldsOf(schema: z.ZodObject | null, place: 'path' | 'query', components: SchemaComponents): object[] {
  if (schema === null) return [];
  const { properties = {}, required = [] } = components.of(schema, 'input') as ObjectSchema;
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema: rest,
  }));
}

function requestBodyOf(route: Route, components: SchemaComponents): object {
  if (route.body === null && !route.upload) return {};
  if (route.file !== null) return fileBodyOf(route, components);
  const json = route.body && { 'application/json': { schema: components.of(route.body, 'input') } };
  const bytes = route.upload?.schema
    ? components.of(route.upload.schema, 'input')
    : { type: 'string', format: 'binary' };
  const files = (route.upload?.contentTypes ?? []).map((type) => [type, { schema: bytes }]);
  const isRequired = route.body === null || !route.body.safeParse({}).success;
  return { requestBody: { required: isRequired, content: { ...json, ...Object.fromEntries(files) } } };
}

/** A file comes as a part of a form, which says its name and type, or within JSON, which says them in fields. */
function fileBodyOf({ body }: Route, components: SchemaComponents): object {
  const {
    properties = {},
    required = [],
    ...rest
  } = components.of(body ?? z.strictObject({}), 'input') as ObjectSchema;
  const { fileName, contentType, ...fields } = properties;
  const json = { ...properties, contentBase64: { type: 'string', format: 'byte', minLength: 1 } };
  const form = { ...fields, file: { type: 'string', format: 'binary' } };
  const content = {
    'application/json': { schema: { ...rest, properties: json, required: [...required, 'contentBase64'] } },
    'multipart/form-data': { schema: { ...rest, properties: form, required: ['file'] } },
  };
  return { requestBody: { required: true, content } };
}

function responsesOf(route: Route, components: SchemaComponents): object {
  const answers = [route.response, ...route.alternates].map((spec) => [
    String(spec.status),
    successOf(route, spec, components),
  ]);
  const byStatus = Map.groupBy(errorCodesOf(route), (code) => ERROR_STATUS[code]);
  const errors = [...byStatus].map(([status, codes]) => [String(status), failureOf(status, codes)]);
  return Object.fromEntries([...answers, ...errors].sort(([a], [b]) => Number(a) - Number(b)));
}

function successOf(route: Route, spec: ResponseSpec, components: SchemaComponents): object {
  const type = spec.contentType ?? 'application/json';
  const isDetail =
    route.access.kind === 'organization' && route.access.resource?.version && route.path.endsWith('/:id');
  const headers = [
    'X-Request-Id',
    ...RATE_HEADERS,
    ...(isDetail && spec.body ? ['ETag'] : []),
    ...(route.idempotent ? ['Idempotent-Replayed'] : []),
  ];
  return {
    description: spec.description ?? STATUS_CODES[spec.status] ?? 'Answer',
    headers: references(headers),
    ...(spec.body ? { content: { [type]: { schema: components.of(spec.body, 'output') } } } : {}),
  };
}

function failureOf(status: number, codes: readonly ErrorCode[]): object {
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
