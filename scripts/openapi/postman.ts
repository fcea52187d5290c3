// Prints the operations as a Postman collection, format 2.1: a folder per tag, an example in each body.
import type { OpenApiDocument } from '../../api/openapi/document.ts';
import { JSON_TYPE, type Operation, operationsOf, type Parameter } from './operations.ts';

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

/** The collection. Its variables are the address of the API, a credential, and the organization to act in. */
export function postmanOf(document: OpenApiDocument): object {
  const folders = Map.groupBy(operationsOf(document), ({ tag }) => tag);
  const variable = (key: string, value: string) => ({ key, value });
  return {
    info: { name: document.info.title, description: document.info.description, schema: SCHEMA },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}', type: 'string' }] },
    variable: [
      variable('baseUrl', document.servers[0]?.url ?? ''),
      variable('token', ''),
      variable('organizationId', ''),
    ],
    item: [...folders].map(([name, operations]) => ({ name, item: operations.map(requestOf) })),
  };
}

function requestOf(operation: Operation): object {
  const { summary, method, isOpen, isIdempotent, body } = operation;
  const json = body?.contents.find(({ type, example }) => type === JSON_TYPE && example !== undefined);
  const header = [
    ...(json ? [{ key: 'Content-Type', value: JSON_TYPE }] : []),
    ...(isOpen ? [] : [{ key: 'X-Org-Id', value: '{{organizationId}}', disabled: true }]),
    ...(isIdempotent ? [{ key: 'Idempotency-Key', value: '{{$guid}}' }] : []),
  ];
  const raw = json && {
    mode: 'raw',
    raw: JSON.stringify(json.example, null, 2),
    options: { raw: { language: 'json' } },
  };
  return {
    name: summary,
    request: {
      ...{ method, header, url: urlOf(operation) },
      ...(isOpen ? { auth: { type: 'noauth' } } : {}),
      ...(raw ? { body: raw } : {}),
    },
  };
}

function urlOf({ path, pathParameters, query }: Operation): object {
  const place = path.replaceAll(/\{(\w+)\}/g, ':$1');
  const described = ({ name, description }: Parameter) => ({
    key: name,
    value: '',
    ...(description ? { description } : {}),
  });
  return {
    raw: `{{baseUrl}}${place}`,
    host: ['{{baseUrl}}'],
    path: place.slice(1).split('/'),
    ...(pathParameters.length === 0 ? {} : { variable: pathParameters.map(described) }),
    ...(query.length === 0 ? {} : { query: query.map((each) => ({ ...described(each), disabled: !each.isRequired })) }),
  };
}
