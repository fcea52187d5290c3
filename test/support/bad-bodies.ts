// Spoils a valid body in every way its JSON schema forbids, one field at a time, as deep as the schema goes.

export interface BadBody {
  /** What is wrong, for the message when an assertion fails. */
  what: string;
  /** Dotted path of the field that the response must name. */
  field: string;
  body: unknown;
}

export interface JsonSchema {
  $ref?: string;
  type?: string;
  anyOf?: JsonSchema[];
  enum?: unknown[];
  pattern?: string;
  examples?: unknown[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: JsonSchema | boolean;
  items?: JsonSchema;
  maxLength?: number;
  maxItems?: number;
}

type Resolve = (schema: JsonSchema) => JsonSchema;

const LONGEST_TEXT = 2_000;
const SAMPLES: Record<string, unknown> = {
  null: null,
  boolean: true,
  number: 42,
  string: 'nonsense',
  array: ['nonsense'],
  object: { nonsense: { deeper: [{ $ne: null }] } },
};

/** Resolves a reference to a component of the document. */
export function resolverOf(schemas: Record<string, object>): Resolve {
  return (schema) => (schema.$ref ? (schemas[schema.$ref.split('/').at(-1) ?? ''] as JsonSchema) : schema);
}

/** Every bad variant of `body`; each is wrong in exactly one place. */
export function badBodies(schema: JsonSchema, body: unknown, resolve: Resolve): BadBody[] {
  const variants = spoil(schema, body, resolve, '');
  const whole = Object.entries(SAMPLES).filter(([type]) => type !== 'object');
  return [
    ...variants,
    ...whole.map(([type, sample]) => ({ what: `the body is ${type}`, field: 'body', body: sample })),
  ];
}

function spoil(given: JsonSchema, value: unknown, resolve: Resolve, field: string): BadBody[] {
  const branches = (resolve(given).anyOf ?? [given]).map(resolve);
  const types = branches.map(({ type }) => type ?? 'string');
  const put = (what: string, body: unknown, at = field): BadBody => ({
    what: `${at || 'body'} ${what}`,
    field: at,
    body,
  });
  const wrongTypes = Object.entries(SAMPLES)
    .filter(([type]) => !types.includes(type) && !(type === 'number' && types.includes('integer')))
    .map(([type, sample]) => put(`is ${type}`, sample));
  const schema = branches.find(({ type }) => type === typeOf(value)) ?? branches[0] ?? {};
  return [...(field === '' ? [] : wrongTypes), ...spoilInside(schema, value, resolve, put, field)];
}

type Put = (what: string, body: unknown, at?: string) => BadBody;

function spoilInside(schema: JsonSchema, value: unknown, resolve: Resolve, put: Put, field: string): BadBody[] {
  if (Array.isArray(value)) return spoilArray(schema, value, resolve, put, field);
  if (typeof value === 'object' && value !== null) {
    return spoilObject(schema, value as Record<string, unknown>, resolve, put, field);
  }
  if (typeof value === 'string') return spoilText(schema, value, put);
  if (typeof value === 'number')
    return [put('has a third decimal', 10.001), put('is huge', 1e300), put('is below zero', -1)];
  return [];
}

function spoilText(schema: JsonSchema, value: string, put: Put): BadBody[] {
  return [
    put('is too long', 'x'.repeat((schema.maxLength ?? LONGEST_TEXT) + 1)),
    put('is empty', ''),
    put('has a zero byte', `${value}\u0000`),
    put('has control characters', `${value.slice(0, 1)}\u0007\u001b${value.slice(1)}`),
    put('has half a character', `${value}\ud800`),
  ];
}

function spoilArray(schema: JsonSchema, value: unknown[], resolve: Resolve, put: Put, field: string): BadBody[] {
  const tooMany = Array.from({ length: (schema.maxItems ?? LONGEST_TEXT) + 1 }, () => value[0]);
  const inside = spoil(schema.items ?? {}, value[0], resolve, join(field, '0'));
  return [put('has too many entries', tooMany), ...nest(inside, (bad) => [bad, ...value.slice(1)])];
}

function spoilObject(
  schema: JsonSchema,
  value: Record<string, unknown>,
  resolve: Resolve,
  put: Put,
  field: string,
): BadBody[] {
  const unknown = put('has an unknown field', { ...value, colour: 'red' }, join(field, 'colour'));
  const missing = (schema.required ?? []).map((name) => {
    const { [name]: _left, ...rest } = value;
    return put('is missing', rest, join(field, name));
  });
  const inside = Object.entries(value).flatMap(([name, inner]) => {
    const free = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : {};
    const bad = spoil(schema.properties?.[name] ?? free, inner, resolve, join(field, name));
    return nest(bad, (spoiled) => ({ ...value, [name]: spoiled }));
  });
  return [unknown, ...missing, ...inside];
}

function nest(bad: BadBody[], around: (body: unknown) => unknown): BadBody[] {
  return bad.map((each) => ({ ...each, body: around(each.body) }));
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value;
}

function join(field: string, name: string): string {
  return field === '' ? name : `${field}.${name}`;
}
