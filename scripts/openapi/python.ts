// Prints the typed dictionaries of the Python client, and a method for each operation.
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

const HEAD = (what: string) => `"""${what} Made from docs/openapi.json by "npm run openapi"."""
`;

/** Keywords that cannot be used as names. */
const RESERVED = new Set(['from', 'class', 'in', 'is', 'not', 'or', 'and', 'global', 'import', 'pass', 'return']);

/** The module with every schema of the document. */
export function pythonTypesOf(document: OpenApiDocument): string {
  const schemas = Object.entries(document.components.schemas ?? {}) as [string, Schema][];
  const isDictionary = ([, { type, properties }]: [string, Schema]) => type === 'object' && properties !== undefined;
  const events = Object.keys(document.webhooks).map((type) => `Event_${type.replaceAll('.', '_')}`);
  return [
    HEAD('The shapes of the API.'),
    'from __future__ import annotations\n',
    'from typing import Any, Literal, NotRequired, TypeAlias, TypedDict, Union\n',
    ...schemas
      .filter((entry) => !isDictionary(entry))
      .map(([name, schema]) => `${name}: TypeAlias = ${quoted(schema)}`),
    `WebhookEvent: TypeAlias = "Union[${events.join(', ')}]"`,
    '',
    ...schemas.filter(isDictionary).map(([name, schema]) => dictionaryText(name, schema)),
  ].join('\n');
}

/** The module with a method for each operation. */
export function pythonOperationsOf(document: OpenApiDocument): string {
  const schemas = (document.components.schemas ?? {}) as Record<string, Schema>;
  return [
    HEAD('The operations of the API.'),
    'from __future__ import annotations\n',
    'from collections.abc import Iterator',
    'from typing import Any, Literal, Union, cast',
    'from urllib.parse import quote\n',
    'from . import shapes as t',
    'from .files import File\n',
    TRANSPORT,
    ...operationsOf(document).flatMap((operation) => methodsOf(operation, schemas)),
  ].join('\n');
}

const TRANSPORT = `
def _path(pattern: str, **values: str) -> str:
    return pattern.format(**{name: quote(value, safe="") for name, value in values.items()})


class Operations:
    """A method for each operation; how a call is sent is for the client that extends it."""

    def _send(
        self,
        method: str,
        path: str,
        *,
        query: dict[str, Any] | None = None,
        body: Any = None,
        idempotency_key: str | None = None,
        has_key: bool = False,
        if_match: str | None = None,
        accept: str = "",
        timeout_s: float = 60.0,
    ) -> Any:
        raise NotImplementedError

    def _rows(self, path: str, query: dict[str, Any]) -> Iterator[Any]:
        cursor: str | None = None
        while True:
            page = self._send("GET", path, query={**query, "cursor": cursor})
            yield from page["data"]
            cursor = page["nextCursor"]
            if cursor is None:
                return
`;

function dictionaryText(name: string, { properties = {}, required = [], description }: Schema): string {
  const fields = Object.entries(properties).map(([key, schema]) => {
    const type = typeOf(schema);
    return [key, required.includes(key) ? type : `NotRequired[${type}]`] as const;
  });
  if (fields.some(([key]) => RESERVED.has(key) || !/^[A-Za-z_]\w*$/.test(key))) {
    const entries = fields.map(
      ([key, type]) => `    ${JSON.stringify(key)}: ${JSON.stringify(type).replaceAll('\\"', "'")},`,
    );
    return `\n${name} = TypedDict(\n  "${name}",\n  {\n${entries.join('\n')}\n  },\n)\n`;
  }
  const head = `\nclass ${name}(TypedDict):\n${description === undefined ? '' : `    """${prose(description)}"""\n\n`}`;
  return `${head}${fields.map(([key, type]) => `    ${key}: ${type}`).join('\n') || '    pass'}\n`;
}

function methodsOf(operation: Operation, schemas: Record<string, Schema>): string[] {
  const { answer, preview } = answersOf(operation);
  const name = snake(operation.id);
  const own = methodText(operation, { name, answer: unionOf(answer.map(answerText)) });
  const item = answer.map(({ schema }) => rowOf(schema, schemas)).find((type) => type !== null);
  return [
    own,
    ...(preview === null ? [] : [methodText(operation, previewOf(name, preview))]),
    ...(answer.some(({ type }) => type === CSV_TYPE) ? [methodText(operation, tableOf(name))] : []),
    ...(item ? [rowsText(operation, item)] : []),
  ];
}

/** The row type, for an answer that is a page of a list. */
function rowOf(schema: Schema, schemas: Record<string, Schema>): string | null {
  const { properties = {} } = schemas[referenceOf(schema) ?? ''] ?? {};
  const { data, nextCursor } = properties;
  return data?.items && nextCursor ? typeOf(data.items, 't.') : null;
}

/** One of the ways to call an operation. */
interface Way {
  name: string;
  answer: string;
  /** What its docstring begins with. */
  what?: string;
  isPreview?: boolean;
  isTable?: boolean;
}

const previewOf = (name: string, preview: Content): Way => ({
  ...{ name: `preview_${name}`, answer: answerText(preview), isPreview: true },
  what: 'What would happen; nothing is written. ',
});

const tableOf = (name: string): Way => ({ name: `${name}_csv`, answer: 'str', isTable: true, what: 'As CSV. ' });

function methodText(operation: Operation, way: Way): string {
  const { method, isIdempotent, isConditional, summary, path, body, timeoutSeconds } = operation;
  const { name, what = '', isPreview = false, isTable = false } = way;
  const answer = way.answer === '' ? 'None' : way.answer;
  const query = operation.query.filter((parameter) => parameter.name !== 'preview');
  const headers = [...(isIdempotent ? ['idempotency_key'] : []), ...(isConditional ? ['if_match'] : [])];
  const parameters = [
    ...pathText(operation),
    ...(body === null ? [] : [bodyText(operation)]),
    ...keywordsText(query, headers),
  ];
  const sent = [
    `"${method}"`,
    addressOf(operation),
    ...(query.length > 0 || isPreview ? [`query=${queryText(query, isPreview)}`] : []),
    ...(body === null ? [] : ['body=body']),
    ...headers.map((header) => `${header}=${header}`),
    ...(isIdempotent ? ['has_key=True'] : []),
    ...(timeoutSeconds === null ? [] : [`timeout_s=${timeoutSeconds}.0`]),
    ...(isTable ? [`accept="${CSV_TYPE}"`] : []),
  ];
  return [
    `    def ${name}(self${parameters.map((each) => `, ${each}`).join('')}) -> ${answer}:`,
    `        """${what}${prose(summary)}: \`${method} ${path}\`."""`,
    answer === 'None'
      ? `        self._send(${sent.join(', ')})\n`
      : `        return cast(${JSON.stringify(answer)}, self._send(${sent.join(', ')}))\n`,
  ].join('\n');
}

function rowsText(operation: Operation, item: string): string {
  const query = operation.query.filter(({ name }) => name !== 'cursor');
  const name = `iterate_${snake(operation.id.replace(/^(list|get|read)(?=[A-Z])/, ''))}`;
  const parameters = [...pathText(operation), ...keywordsText(query)];
  return [
    `    def ${name}(self${parameters.map((each) => `, ${each}`).join('')}) -> Iterator[${item}]:`,
    `        """Every row, page by page. ${prose(operation.summary)}: \`${operation.method} ${operation.path}\`."""`,
    `        return self._rows(${addressOf(operation)}, ${queryText(query, false)})\n`,
  ].join('\n');
}

const pathText = ({ pathParameters }: Operation): string[] =>
  pathParameters.map(({ name, schema }) => `${safe(name)}: ${typeOf(schema, 't.')}`);

function bodyText({ body }: Operation): string {
  const contents = body?.contents ?? [];
  const json = contents.filter(({ type }) => type === JSON_TYPE).map(({ schema }) => typeOf(schema, 't.'));
  const files = contents.filter(({ type }) => type !== JSON_TYPE && type !== FORM_TYPE).map(() => 'File');
  const type = [...new Set([...json, ...files])].join(' | ');
  return body?.isRequired ? `body: ${type}` : `body: ${type} | None = None`;
}

function keywordsText(query: readonly Parameter[], headers: readonly string[] = []): string[] {
  const required = query.filter(({ isRequired }) => isRequired);
  const optional = query.filter(({ isRequired }) => !isRequired);
  const fields = [
    ...required.map(({ name, schema }) => `${safe(name)}: ${typeOf(schema, 't.')}`),
    ...optional.map(({ name, schema }) => `${safe(name)}: ${typeOf(schema, 't.')} | None = None`),
    ...headers.map((name) => `${name}: str | None = None`),
  ];
  return fields.length === 0 ? [] : ['*', ...fields];
}

function queryText(query: readonly Parameter[], isPreview: boolean): string {
  const fields = query.map(({ name }) => `"${name}": ${safe(name)}`);
  return `{${[...fields, ...(isPreview ? ['"preview": True'] : [])].join(', ')}}`;
}

/** The client encodes path values, so they may contain anything. */
const addressOf = ({ path, pathParameters }: Operation): string =>
  pathParameters.length === 0
    ? `"${path}"`
    : `_path("${path}", ${pathParameters.map(({ name }) => `${name}=${safe(name)}`).join(', ')})`;

const answerText = ({ type, schema }: Content): string => {
  if (type === JSON_TYPE) return typeOf(schema, 't.');
  return type === CSV_TYPE ? '' : 'bytes';
};

const quoted = (schema: Schema): string => JSON.stringify(typeOf(schema)).replaceAll('\\"', "'");

/** A schema as a type; the document's names are `prefix`ed with their module. */
function typeOf(schema: Schema, prefix = ''): string {
  const name = referenceOf(schema);
  if (name !== null) return `${prefix}${name}`;
  if ('const' in schema) return `Literal[${literal(schema.const)}]`;
  if (schema.enum) return `Literal[${schema.enum.map(literal).join(', ')}]`;
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return unionOf(choices.map((choice) => typeOf(choice, prefix)));
  const types = [schema.type ?? []].flat();
  return types.length === 0 ? 'Any' : unionOf(types.map((type) => plainType(type, schema, prefix)));
}

function plainType(type: string, schema: Schema, prefix: string): string {
  const plain: Record<string, string> = {
    string: 'str',
    integer: 'int',
    number: 'float',
    boolean: 'bool',
    null: 'None',
  };
  if (type === 'array') return `list[${typeOf(schema.items ?? {}, prefix)}]`;
  if (type === 'object') return 'dict[str, Any]';
  return plain[type] ?? 'Any';
}

function unionOf(types: readonly string[]): string {
  const different = [...new Set(types)].filter((type) => type !== '');
  return different.length > 1 ? `Union[${different.join(', ')}]` : (different[0] ?? '');
}

const literal = (value: unknown): string => {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return value === null ? 'None' : JSON.stringify(value).replaceAll('"', "'");
};
const snake = (name: string): string => name.replaceAll(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
const safe = (name: string): string => (RESERVED.has(name) ? `${snake(name)}_` : snake(name));
const prose = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('"""', "'''").replaceAll('\n', ' ').replace(/\.$/, '');
