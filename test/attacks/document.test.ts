// The threat model names the test behind each claim: a claim without one, or naming something that does not exist,
// does not count.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';

const ROOT = join(import.meta.dirname, '../..');
const DOCUMENT = readFileSync(join(ROOT, 'docs/security.md'), 'utf8');
const PATH = /`((?:[\w.-]+\/)+[\w.-]*|docker-compose\.yml)`/g;

test('every file that docs/security.md names is there', (t) => {
  const named = [...DOCUMENT.matchAll(PATH)].map(([, path = '']) => path).filter((path) => !path.includes('..'));
  t.true(named.length > 0);
  t.deepEqual(
    named.filter((path) => !existsSync(join(ROOT, path))),
    [],
  );
});

test('every defence in docs/security.md names the code that holds it', (t) => {
  const defences = DOCUMENT.split('\n').filter(
    (line) => /^\| (?!Tries|What|Who|---|-)/.test(line) && line.split('|').length === 5,
  );
  t.true(defences.length > 0);
  t.deepEqual(
    defences.filter((line) => !/`[^`]+`/.test(line.split('|')[3] ?? '')),
    [],
  );
});
