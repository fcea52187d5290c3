// Values of every kind that an API document schema accepts, drawn by fast-check. Where a schema takes an id, mostly
// one of an existing row, so that a request gets past its first check.

import { addDays, type BusinessDate } from '../../domain/dates.ts';
import type { JsonSchema } from '../support/bad-bodies.ts';
import { fc } from '../support/fixed/chance.ts';
import { idPrefixOf, resolve } from '../support/operations.ts';

/** What a schema states beyond what bad-bodies spoils. */
export interface DrawnSchema extends JsonSchema {
  const?: unknown;
  format?: string;
  oneOf?: JsonSchema[];
  allOf?: { pattern?: string }[];
  propertyNames?: JsonSchema;
  minLength?: number;
  minItems?: number;
  minProperties?: number;
  minimum?: number;
  maximum?: number;
}

/** What there is to name: rows by id prefix, and the day that dates are drawn around. */
export interface Known {
  ids: ReadonlyMap<string, readonly string[]>;
  today: BusinessDate;
}

/** Nothing listens there: a randomly drawn address must not belong to anyone. */
const ADDRESSES = ['http://127.0.0.1:65001/hooks', 'https://127.0.0.1:65001/?a=1', 'ftp://127.0.0.1', 'http://'];
const LONGEST_DRAWN = 40;
const MOST_ENTRIES = 3;
const DAYS_AROUND = 500;

/** Draws values that a schema accepts. */
export function valuesOf(given: JsonSchema, known: Known): fc.Arbitrary<unknown> {
  const schema: DrawnSchema = resolve(given);
  const branches = schema.anyOf ?? schema.oneOf;
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (branches) return fc.oneof(...branches.map((branch) => valuesOf(branch, known)));
  const types = [schema.type ?? 'any'].flat();
  return fc.oneof(...types.map((type) => valuesOfType(type, schema, known)));
}

function valuesOfType(type: string, schema: DrawnSchema, known: Known): fc.Arbitrary<unknown> {
  if (type === 'object') return objects(schema, known);
  if (type === 'array') {
    const { minItems: minLength = 0, maxItems = MOST_ENTRIES } = schema;
    const maxLength = Math.max(minLength, Math.min(maxItems, MOST_ENTRIES));
    return fc.array(valuesOf(schema.items ?? {}, known), { minLength, maxLength });
  }
  if (type === 'string') return texts(schema, known);
  if (type === 'number') return numbers(schema);
  if (type === 'integer') return integers(schema);
  if (type === 'boolean') return fc.boolean();
  if (type === 'null') return fc.constant(null);
  return fc.jsonValue({ maxDepth: 2 });
}

function objects(schema: DrawnSchema, known: Known): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties: more } = schema;
  const fields = Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, valuesOf(one, known)]));
  const named = fc.record(fields, { requiredKeys: required });
  if (typeof more !== 'object') return named;
  const keys = valuesOf({ type: 'string', maxLength: 20, ...schema.propertyNames }, known) as fc.Arbitrary<string>;
  const free = fc.dictionary(keys, valuesOf(more, known), {
    minKeys: schema.minProperties ?? 0,
    maxKeys: MOST_ENTRIES,
  });
  return fc.tuple(free, named).map(([all, own]) => ({ ...all, ...own }));
}

function numbers({ minimum = -1e6, maximum = 1e6 }: DrawnSchema): fc.Arbitrary<number> {
  const least = Math.ceil(minimum * 100);
  const most = Math.floor(maximum * 100);
  const everyday = fc.integer({ min: Math.max(least, -10_000), max: Math.min(most, 1_000_000) });
  const any = fc.maxSafeInteger().filter((cents) => cents >= least && cents <= most);
  const cents = most > 1e9 ? fc.oneof({ weight: 5, arbitrary: everyday }, fc.constantFrom(least, most)) : everyday;
  return fc.oneof({ weight: 9, arbitrary: cents }, least < -1e12 ? any : cents).map((drawn) => drawn / 100);
}

function integers({ minimum: min = -1_000_000, maximum: max = 1_000_000 }: DrawnSchema): fc.Arbitrary<number> {
  return fc.oneof(
    fc.integer({ min, max }),
    fc.constantFrom(min, max),
    fc.integer({ min, max: Math.min(max, min + 20) }),
  );
}

function texts(schema: DrawnSchema, known: Known): fc.Arbitrary<string> {
  const { pattern, format, minLength = 0, maxLength = LONGEST_DRAWN, examples = [] } = schema;
  const own = known.ids.get(idPrefixOf(schema) ?? '') ?? [];
  const rows = own.length > 0 ? [{ weight: 4, arbitrary: fc.constantFrom(...own) }] : [];
  if (pattern && /^\^(\(?[a-z]{3}[|)]?)+_/.test(pattern)) return fc.oneof(...rows, matching(pattern));
  if (rows.length > 0) return fc.oneof(...rows, fc.constantFrom(...examples.map(String)));
  if (format === 'date') return days(known.today);
  if (format === 'date-time') return instants();
  if (format === 'uri') return fc.constantFrom(...ADDRESSES);
  if (format === 'byte') return fc.uint8Array({ minLength: 1, maxLength: 60 }).map(toBase64);
  if (pattern?.includes('@')) return fc.emailAddress().filter((address) => new RegExp(pattern).test(address));
  const patterns = [pattern, ...(schema.allOf ?? []).map((part) => part.pattern)].filter((one) => one !== undefined);
  const longest = Math.min(maxLength, Math.max(LONGEST_DRAWN, minLength));
  const drawn = fc.oneof(
    { weight: 3, arbitrary: fc.string({ minLength, maxLength: longest }) },
    fc.string({ unit: 'grapheme', minLength, maxLength: longest }),
    ...(examples.length > 0 ? [fc.constantFrom(...examples.map(String))] : []),
    ...(pattern && !FREE_TEXT.test(pattern) ? [{ weight: 20, arbitrary: matching(pattern) }] : []),
  );
  const fits = (text: string) => [...text].length <= maxLength && [...text].length >= minLength;
  return drawn.filter((text) => fits(text) && patterns.every((one) => new RegExp(one, 'u').test(text)));
}

/** Patterns that allow any text except certain characters, and those for which fast-check draws nothing. */
const FREE_TEXT = /\[\^|\\P|\(\?/;

const matching = (pattern: string) => fc.stringMatching(new RegExp(pattern));

function days(today: BusinessDate): fc.Arbitrary<string> {
  const near = fc.integer({ min: -DAYS_AROUND, max: DAYS_AROUND }).map((distance) => addDays(today, distance));
  return fc.oneof({ weight: 4, arbitrary: near }, fc.constantFrom(today, addDays(today, 10)), anyDay());
}

function anyDay(): fc.Arbitrary<string> {
  const from = { min: new Date('1900-01-01T00:00:00Z'), max: new Date('2999-12-31T00:00:00Z'), noInvalidDate: true };
  return fc.date(from).map((date) => date.toISOString().slice(0, 10));
}

function instants(): fc.Arbitrary<string> {
  const from = { min: new Date('1900-01-01T00:00:00Z'), max: new Date('2999-12-31T00:00:00Z'), noInvalidDate: true };
  return fc.date(from).map((date) => date.toISOString());
}

const toBase64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
