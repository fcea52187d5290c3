// Prints the types of the TypeScript client, and the table of operations that it calls by name.
import type { OpenApiDocument } from '../../api/openapi/document.ts';
import {
  answersOf,
  type Content,
  CSV_TYPE,
  FORM_TYPE,
  JSON_TYPE,
  type Operation,
  operationsOf,
  type Parameter,
  referenceOf,
  type Schema,
} from './operations.ts';

const HEAD = `// Made from docs/openapi.json by "npm run openapi": change the routes, not this file.
`;

/** The module with every schema and every operation of the document. */
export function typescriptOf(document: OpenApiDocument): string {
  const schemas = Object.entries(document.components.schemas ?? {}) as [string, Schema][];
  const operations = operationsOf(document);
  return [
    HEAD,
    ...schemas.map(([name, schema]) => `${comment(schema.description)}export type ${name} = ${typeOf(schema)};\n`),
    `/** What each operation takes and answers, by its name. */\nexport interface Operations {`,
    ...operations.map(operationText),
    '}\n',
    `/** Where each operation is, whether its Idempotency-Key is honoured, and how long it may need, where that is long. */`,
    'export const OPERATIONS = {',
    ...operations.map(placeText),
    '} as const;\n',
    `/** Every event that webhooks deliver; its type says what is in its data. */`,
    `export type WebhookEvent =\n${eventsOf(document).join('\n')};\n`,
  ].join('\n');
}

function eventsOf(document: OpenApiDocument): string[] {
  return Object.keys(document.webhooks).map((type) => `  | Event_${type.replaceAll('.', '_')}`);
}

function operationText(operation: Operation): string {
  const { answer, preview } = answersOf(operation);
  const lines = [
    `    request: ${requestText(operation)};`,
    `    answer: ${unionOf(answer.length === 0 ? ['undefined'] : answer.map(contentText))};`,
    ...(preview === null ? [] : [`    preview: ${contentText(preview)};`]),
    ...(answer.some(({ type }) => type === CSV_TYPE) ? ['    csv: string;'] : []),
  ];
  return [
    `  /** ${operation.summary}: \`${operation.method} ${operation.path}\`. */`,
    `  ${operation.id}: {`,
    ...lines,
    '  };',
  ].join('\n');
}

function requestText({ pathParameters, query, body }: Operation): string {
  const parts = [
    pathParameters.length === 0 ? [] : [`path: ${parametersText(pathParameters)}`],
    query.length === 0
      ? []
      : [`query${query.some(({ isRequired }) => isRequired) ? '' : '?'}: ${parametersText(query)}`],
    body === null ? [] : [`body${body.isRequired ? '' : '?'}: ${unionOf(body.contents.map(bodyText))}`],
  ].flat();
  return parts.length === 0 ? 'Record<never, never>' : `{ ${parts.join('; ')} }`;
}

function parametersText(parameters: readonly Parameter[]): string {
  const fields = parameters.map(
    ({ name, isRequired, schema }) => `${key(name)}${isRequired ? '' : '?'}: ${typeOf(schema)}`,
  );
  return `{ ${fields.join('; ')} }`;
}

const bodyText = ({ type, schema }: Content): string => {
  if (type === JSON_TYPE) return typeOf(schema);
  return type === FORM_TYPE ? 'FormData' : 'Blob';
};

/** A table that is also available as CSV is read as JSON. */
const contentText = ({ type, schema }: Content): string => {
  if (type === JSON_TYPE) return typeOf(schema);
  return type === CSV_TYPE ? 'never' : 'Blob';
};

function placeText({ id, method, path, isIdempotent, timeoutSeconds }: Operation): string {
  const time = timeoutSeconds === null ? '' : `, timeoutMs: ${timeoutSeconds * 1000}`;
  return `  ${id}: { method: '${method}', path: '${path}', hasKey: ${isIdempotent}${time} },`;
}

/** A schema as a type. */
function typeOf(schema: Schema, indent = ''): string {
  const name = referenceOf(schema);
  if (name !== null) return name;
  if ('const' in schema) return literal(schema.const);
  if (schema.enum) return unionOf(schema.enum.map(literal));
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return unionOf(choices.map((choice) => typeOf(choice, indent)));
  if (schema.allOf) return schema.allOf.map((part) => typeOf(part, indent)).join(' & ');
  const types = [schema.type ?? []].flat();
  return types.length === 0 ? 'unknown' : unionOf(types.map((type) => plainType(type, schema, indent)));
}

function plainType(type: string, schema: Schema, indent: string): string {
  if (type === 'object') return objectType(schema, indent);
  if (type === 'array') return `Array<${typeOf(schema.items ?? {}, indent)}>`;
  return type === 'integer' ? 'number' : type;
}

function objectType({ properties = {}, required = [], additionalProperties }: Schema, indent: string): string {
  const more = typeof additionalProperties === 'object' ? typeOf(additionalProperties, indent) : null;
  const fields = Object.entries(properties).map(([name, schema]) => {
    const optional = required.includes(name) ? '' : '?';
    return `${comment(schema.description, `${indent}  `)}${indent}  ${key(name)}${optional}: ${typeOf(schema, `${indent}  `)};`;
  });
  if (fields.length === 0) return `Record<string, ${additionalProperties === false ? 'never' : (more ?? 'unknown')}>`;
  const open = more === null ? [] : [`${indent}  [more: string]: unknown;`];
  return ['{', ...fields, ...open, `${indent}}`].join('\n');
}

const unionOf = (types: readonly string[]): string =>
  [...new Set(types)].filter((type) => type !== 'never').join(' | ');
const literal = (value: unknown): string => JSON.stringify(value);
const key = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name));
const comment = (text: string | undefined, indent = ''): string =>
  text === undefined ? '' : `${indent}/** ${text.replaceAll('*/', '* /').replaceAll('\n', ' ')} */\n`;
