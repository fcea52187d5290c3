// Random requests from the API document: those that it describes, and those that are wrong somewhere.
import { fc } from '../support/fixed/chance.ts';
import { idPrefixOf, type Operation } from '../support/operations.ts';
import { VALID_BODIES } from '../support/valid-bodies.ts';
import { type Known, valuesOf } from './values.ts';

export interface Drawn {
  path: string;
  query: string;
  body: unknown;
  headers: Record<string, string>;
}

/** Requests that fit the document. */
export function fittingRequests(operation: Operation, known: Known): fc.Arbitrary<Drawn> {
  return fc.record({
    path: pathsOf(operation, known),
    query: queriesOf(operation, known),
    body: bodiesOf(operation, known),
    headers: headersOf(operation),
  });
}

/** Requests with one of the caller's own rows in the path and a fitting body spoiled in one place. */
export function spoiledBodies(operation: Operation, known: Known): fc.Arbitrary<Drawn> {
  const rows = pathsOf(operation, known);
  const bodies = fc
    .tuple(bodiesOf(operation, known), fc.nat(), junk(), fc.constantFrom('put', 'put', 'drop', 'add'))
    .map(([body, place, value, how]) => spoiled(body, place, value, how));
  return fc.record({ path: rows, query: fc.constant(''), body: bodies, headers: fc.constant({}) });
}

/** Requests with anything in the path and the query, known and unknown parameters. */
export function wildAddresses(operation: Operation, known: Known): fc.Arbitrary<Drawn> {
  const wild = fc.oneof(fc.string({ minLength: 1 }), fc.string({ unit: 'binary', minLength: 1, maxLength: 30 }));
  const text = wild.map((drawn) => drawn.toWellFormed()).filter((drawn) => !/^\.{0,2}$/.test(drawn));
  const parts = [...operation.path].map(([name, schema]) =>
    fc.oneof(text, valuesOf(schema, known).map(String)).map((value) => [name, value] as const),
  );
  const names = [...operation.query.keys(), 'orgId', 'colour'];
  const pairs = fc.array(fc.tuple(fc.constantFrom(...names), text), { maxLength: 3 });
  return fc.record({
    path: fc.tuple(...parts).map((all) => addressOf(operation, all)),
    query: pairs.map((all) => (all.length > 0 ? `?${new URLSearchParams(all)}` : '')),
    body: fc.constant(VALID_BODIES[operation.id]?.()),
    headers: fc.constant({}),
  });
}

function pathsOf(operation: Operation, known: Known): fc.Arbitrary<string> {
  const parts = [...operation.path].map(([name, schema]) => {
    const own = name === 'orgId' ? (known.ids.get('org') ?? []) : (known.ids.get(idPrefixOf(schema) ?? '') ?? []);
    const values = valuesOf(schema, known).map(String);
    const drawn = own.length > 0 ? fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...own) }, values) : values;
    return drawn.filter((value) => !/^\.{0,2}$/.test(value)).map((value) => [name, value] as const);
  });
  return fc.tuple(...parts).map((all) => addressOf(operation, all));
}

function addressOf({ pattern }: Operation, values: readonly (readonly [string, string])[]): string {
  return values.reduce((path, [name, value]) => path.replace(`:${name}`, () => encodeURIComponent(value)), pattern);
}

function queriesOf({ query }: Operation, known: Known): fc.Arbitrary<string> {
  const fields = Object.fromEntries([...query].map(([name, schema]) => [name, valuesOf(schema, known)]));
  return fc.record(fields, { requiredKeys: [] }).map((drawn) => {
    const pairs = Object.entries(drawn).map(([name, value]): [string, string] => [name, String(value)]);
    return pairs.length > 0 ? `?${new URLSearchParams(pairs)}` : '';
  });
}

/** Bodies from the schema, and known everyday bodies with some fields from the schema. */
function bodiesOf({ id, body, route }: Operation, known: Known): fc.Arbitrary<unknown> {
  if (Object.keys(body).length === 0 || route.upload) return fc.constant(undefined);
  const everyday = VALID_BODIES[id]?.() ?? {};
  const drawn = valuesOf(body, known);
  const mixed = fc.tuple(drawn, fc.array(fc.boolean(), { minLength: 30, maxLength: 30 })).map(([all, picks]) => {
    const picked = Object.entries(all as object).filter((_entry, index) => picks[index % picks.length]);
    return { ...everyday, ...Object.fromEntries(picked) };
  });
  return fc.oneof(drawn, { weight: 2, arbitrary: mixed });
}

function headersOf({ route }: Operation): fc.Arbitrary<Record<string, string>> {
  const visible = fc.stringMatching(/^[!-~]{1,40}$/);
  const tags = fc.oneof(fc.constantFrom('*', '"1"', 'W/"1"', '"1", "2"'), visible);
  const anywhere = { 'if-none-match': tags, prefer: visible, 'x-request-id': visible };
  const all: Record<string, fc.Arbitrary<string>> = route.idempotent
    ? { ...anywhere, 'idempotency-key': visible }
    : anywhere;
  return fc.record(all, { requiredKeys: [] }).map((drawn) => drawn as Record<string, string>);
}

function junk(): fc.Arbitrary<unknown> {
  return fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.string({ unit: 'binary' }),
    fc.constantFrom(-1, 0.001, 1e300, '', ' ', '\u0000', '\ud800', 'x'.repeat(2_001), [], {}, null, '2026-02-30'),
  );
}

/** Replaces one place of the body, drops it, or adds a field next to it. */
function spoiled(body: unknown, place: number, value: unknown, how: string): unknown {
  const places = placesIn(body);
  const chosen = places[place % places.length] ?? [];
  return changed(body, how === 'add' ? [...chosen, 'colour'] : chosen, value, how);
}

function placesIn(value: unknown, at: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([name, inner]) => placesIn(inner, [...at, name]))];
}

function changed(body: unknown, [name, ...rest]: readonly string[], value: unknown, how: string): unknown {
  if (name === undefined) return value;
  if (typeof body !== 'object' || body === null) return value;
  if (Array.isArray(body))
    return body.map((one, index) => (String(index) === name ? changed(one, rest, value, how) : one));
  const { [name]: inner, ...others } = body as Record<string, unknown>;
  if (rest.length === 0 && how === 'drop') return others;
  return { ...body, [name]: changed(inner, rest, value, how) };
}
