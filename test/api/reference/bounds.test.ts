// Everything that a caller may send has bounds, which the API document states.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { ROOT } from '../../scripts/run-script.ts';

type Json = Record<string, unknown>;

const DOCUMENT = JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8'));

/** Places of lists without `maxItems` in a schema and the schemas it refers to. */
function unboundedLists(schema: unknown, place: string, seen: ReadonlySet<string> = new Set()): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { $ref, type, maxItems, ...inner } = schema as Json;
  if (typeof $ref === 'string') {
    const name = $ref.replace('#/components/schemas/', '');
    return seen.has(name) ? [] : unboundedLists(DOCUMENT.components.schemas[name], place, new Set([...seen, name]));
  }
  const isList = [type].flat().includes('array');
  const own = isList && typeof maxItems !== 'number' ? [place] : [];
  return [...own, ...Object.entries(inner).flatMap(([key, each]) => unboundedLists(each, `${place}.${key}`, seen))];
}

test('every list in the body of a request has a bound, so that its entries are not looked at beyond it', (t) => {
  const found: string[] = [];
  for (const [path, operations] of Object.entries<Json>(DOCUMENT.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const { content = {} } = (operation as { requestBody?: { content?: Json } }).requestBody ?? {};
      for (const each of Object.values(content)) {
        found.push(...unboundedLists((each as Json).schema, `${method} ${path}`));
      }
    }
  }
  t.deepEqual(found, []);
  t.deepEqual(unboundedLists({ properties: { all: { type: 'array' } } }, 'a'), ['a.properties.all']);
});
