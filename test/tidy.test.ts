// The repository rules that a machine can check. Each is tried on a bad sample first, then on every file.
import test from 'ava';
import { englishFindings } from './support/tidy/english.ts';
import {
  deadExports,
  deadFiles,
  fullFolders,
  importCircles,
  scriptsOnTestRunner,
  sharedNames,
  testedExports,
} from './support/tidy/house.ts';
import { importFindings } from './support/tidy/imports.ts';
import { deadLinks } from './support/tidy/links.ts';
import {
  bannedFolders,
  defaultExports,
  listingHeads,
  longFiles,
  longFunctions,
  longLines,
  missingHeads,
  strangeSlices,
  undocumentedFunctions,
} from './support/tidy/shape.ts';
import { type Finding, parseSource, readSources, readTexts, type Source } from './support/tidy/source.ts';
import { bannedWords, textFindings } from './support/tidy/words.ts';

const sources = readSources();
const manyLines = (count: number) => Array.from({ length: count }, (_, line) => `  use(${line});`).join('\n');

/** Tests a rule on one sample that it must flag and one that it must not, then on the repository. */
const rule = test.macro({
  title: (title) => title ?? '',
  exec(t, find: (source: Source) => Finding[], samples: { bad: [string, string][]; good: [string, string][] }) {
    for (const [path, text] of samples.bad)
      t.not(find(parseSource(path, text)).length, 0, `${path}: ${text.slice(0, 80)}`);
    for (const [path, text] of samples.good) t.deepEqual(find(parseSource(path, text)), []);
    t.deepEqual(sources.flatMap(find).map(toLine), []);
  },
});

const toLine = ({ path, line, message }: Finding) => `${path}:${line}: ${message}`;

test('imports point one way, and workflows import activities as types only', rule, importFindings, {
  bad: [
    ['domain/a.ts', "import { x } from '../db/orm.ts';"],
    ['domain/a.ts', "import { hash } from 'node:crypto';"],
    ['db/a.ts', "import { x } from '../api/app.ts';"],
    ['db/a.ts', "import { x } from '../plans/quotation.ts';"],
    ['contracts/a.ts', "import type { X } from '../db/orm.ts';"],
    ['plans/a.ts', "import { x } from '../activities/context.ts';"],
    ['workflows/a.ts', "import { bind } from '../activities/bind.ts';"],
    ['workflows/a.ts', "import { type Bind, bind } from '../activities/bind.ts';"],
    ['workflows/a.ts', "import pg from 'pg';"],
    ['workflows/a.ts', "const fs = await import('node:fs');"],
    ['api/a.ts', "import type { X } from '../activities/bind.ts';"],
    ['api/a.ts', "import { submissionWorkflow } from '../workflows/submission.ts';"],
    ['api/a.ts', "import { loadApiConfig } from '../config.ts';"],
    ['http/a.ts', "import { x } from '../auth/app.ts';"],
    ['auth/a.ts', "import { x } from '../api/app.ts';"],
    ['activities/a.ts', "import { x } from './b';"],
  ],
  good: [
    ['workflows/a.ts', "import type { Activities } from '../activities/create-activities.ts';"],
    [
      'api/a.ts',
      "import { bindUpdate } from '../contracts/submission.ts';\nimport type { ApiConfig } from '../config.ts';",
    ],
    ['api/server.ts', "import { loadApiConfig } from '../config.ts';"],
    ['domain/a.ts', "// import { x } from '../db/orm.ts';\nimport { y } from './b.ts';"],
  ],
});

test(
  'workflows and the domain read no clock, chance, environment or network, and plans write nothing',
  rule,
  bannedWords,
  {
    bad: [
      ['workflows/a.ts', 'const now = Date.now();'],
      ['workflows/a.ts', 'const now = new Date();'],
      ['workflows/a.ts', 'const key = process.env.KEY;'],
      ['domain/a.ts', 'const dice = Math.random();'],
      ['domain/a.ts', "await fetch('https://example.com');"],
      ['api/a.ts', 'const key = process.env.KEY;'],
      ['api/a.ts', "console.log('here');"],
      ['scripts/a.ts', 'const port = process.env.PORT;'],
      ['activities/a.ts', "database.acrossOrgs('why not', work);"],
      ['api/a.ts', 'count(ctx.ip);'],
      ['plans/a.ts', 'const row = em.create(Policy, {});'],
      ['plans/a.ts', 'await em.execute(`update policies set status = 1`);'],
    ],
    good: [
      ['workflows/a.ts', '// Date.now() would be wrong here.\nconst day = new Date(epochMs);'],
      ['api/server.ts', 'const config = loadApiConfig(process.env);'],
      ['config.ts', 'const key = process.env.KEY;'],
    ],
  },
);

test('files have at most 300 lines of code', rule, longFiles, {
  bad: [['api/a.ts', manyLines(301)]],
  good: [['api/a.ts', `${'// A comment.\n'.repeat(100)}${manyLines(300)}`]],
});

test('functions have at most 60 lines of code', rule, longFunctions, {
  bad: [
    ['api/a.ts', `function long() {\n${manyLines(59)}\n}`],
    ['api/a.ts', `const long = () => {\n${manyLines(59)}\n};`],
  ],
  good: [['api/a.ts', `function short() {\n${manyLines(58)}\n}`]],
});

test('folders are named after what is in them', rule, bannedFolders, {
  bad: [['api/utils/a.ts', '']],
  good: [['api/routes/services.ts', '']],
});

test('the layers are divided by the same slices', rule, strangeSlices, {
  bad: [
    ['plans/policies/a.ts', ''],
    ['db/entities/money/a.ts', ''],
    ['test/db/ledger/a.test.ts', ''],
  ],
  good: [
    ['activities/billing/refunds/a.ts', ''],
    ['domain/money.ts', ''],
  ],
});

test('every file says at its head what it is responsible for', rule, missingHeads, {
  bad: [['api/a.ts', "import { x } from './b.ts';"]],
  good: [['api/a.ts', '// Answers questions.\n']],
});

test('every function that the domain exports has a docstring', rule, undocumentedFunctions, {
  bad: [
    ['domain/a.ts', '// Adds.\nexport function add() {}'],
    ['domain/a.ts', 'export const add = () => 1;'],
  ],
  good: [['domain/a.ts', '/** Adds. */\nexport function add() {}\nexport const ONE = 1;\nfunction inner() {}']],
});

test('lines have at most 120 columns, but for text that cannot be broken', rule, longLines, {
  bad: [
    ['api/a.ts', `// ${'word '.repeat(30)}`],
    ['api/a.ts', `const sum = ${'a + '.repeat(30)}b;`],
    ['api/a.ts', `const sum = 'text' + ${'a + '.repeat(30)}b;`],
  ],
  good: [['api/a.ts', `const text = '${'word '.repeat(30)}';`]],
});

test('a head says what a file is responsible for, and does not list its exports', rule, listingHeads, {
  bad: [['api/a.ts', '// What a policy costs: priceOf, taxOf.\nexport const priceOf = 1;\nexport const taxOf = 2;']],
  good: [['api/a.ts', '// What a policy costs.\nexport const priceOf = 1;\nexport const taxOf = 2;']],
});

/** Tests a rule about the whole tree on trees that break it, then on the repository. */
const wholeTree = test.macro({
  title: (title) => title ?? '',
  exec(t, find: (sources: readonly Source[]) => Finding[], bad: Record<string, string>) {
    const sample = Object.entries(bad).map(([path, text]) => parseSource(path, text));
    t.is(find(sample).length, 1, JSON.stringify(find(sample)));
    t.deepEqual(find(sources).map(toLine), []);
  },
});

test('no file imports itself through others', wholeTree, importCircles, {
  'api/a.ts': "import { b } from './b.ts';",
  'api/b.ts': "import type { A } from './c.ts';",
  'api/c.ts': "import { a } from './a.ts';",
});

test('no script loads the test runner', wholeTree, scriptsOnTestRunner, {
  'scripts/lives.ts': "import { live } from '../test/lives.ts';",
  'test/lives.ts': "import { startPlatform } from './platform.ts';",
  'test/platform.ts': "import test from 'ava';",
});

test('every file is imported or opened by name', wholeTree, deadFiles, {
  'api/server.ts': "import { b } from './b.ts';",
  'api/b.ts': '',
  'api/forgotten.ts': '',
});

test('every export has somebody who imports it', wholeTree, deadExports, {
  'api/server.ts': "import { used } from './b.ts';",
  'api/b.ts': 'export const used = 1;\nexport const unused = 2;\nexport interface Shape {}\nconst shape: Shape = {};',
});

test('no two files of the product export the same name', wholeTree, sharedNames, {
  'api/a.ts': 'export function ensureVoidable() {}',
  'domain/b.ts': 'export const ensureVoidable = 1;\nexport interface Row {}',
  'auth/c.ts': 'export const ensureVoidable = 2;',
  'db/entities/row.ts': 'export class Row {}',
});

test('no export is there for tests alone', wholeTree, testedExports, {
  'api/server.ts': "import { used } from './b.ts';",
  'api/b.ts': 'export const used = () => inner();\nexport const inner = () => 1;\nexport const rest = 2;',
  'test/b.test.ts': "import { inner, rest } from '../api/b.ts';",
});

test(
  'folders have at most 25 files',
  wholeTree,
  fullFolders,
  Object.fromEntries(Array.from({ length: 26 }, (_, index) => [`api/f${index}.ts`, ''])),
);

test('things are exported by name', rule, defaultExports, {
  bad: [['api/a.ts', 'export default 1;']],
  good: [['ava.config.js', 'export default {};']],
});

test('no file holds unfinished work, a place of one machine or the name of a registry', (t) => {
  const unfinished = `// ${['TO', 'DO'].join('')} later`;
  const place = `read('${['', 'home', 'me', 'x'].join('/')}')`;
  const host = ['https://registry', 'npmjs', 'org'].join('.');
  for (const bad of [unfinished, place, host]) t.is(textFindings('a.ts', bad).length, 1, bad);
  t.deepEqual(textFindings('a.ts', "fetch('/homepage');\n// to do or not to do"), []);
  const findings = [...readTexts()].flatMap(([path, text]) => textFindings(path, text));
  t.deepEqual(findings.map(toLine), []);
});

test('comments, documents, names and titles of tests are in plain English', (t) => {
  const bad = [
    '// The caller is told.',
    "test('whoever asked gets it', run);",
    'const toldUntilNow = 1;',
    '// at once',
  ];
  for (const line of bad) t.not(englishFindings('test/a.test.ts', line).length, 0, line);
  t.is(englishFindings('api/a.ts', "refuse('Too many files are read at once.');").length, 1, 'what callers read');
  t.is(englishFindings('plans/a.liquid', '<p>You were told.</p>').length, 1);
  t.deepEqual(englishFindings('api/a.ts', "send('told'); // A heartbeat tells a dead worker from a slow one."), []);
  t.deepEqual([...readTexts()].flatMap(([path, text]) => englishFindings(path, text)).map(toLine), []);
});

test('every relative link of a document leads to a file that is there', (t) => {
  t.is(deadLinks('docs/guides/a.md', 'See [it](openapi.json) and [more](no-such-file.md#part).').length, 2);
  const good = '[a](../openapi.json) [b](#here) [c](https://example.com/x) [d](../../README.md#the-tour) `[e](f)`';
  t.deepEqual(deadLinks('docs/guides/a.md', good), []);
  const texts = [...readTexts()];
  t.true(texts.filter(([path]) => path.endsWith('.md')).length > 100);
  t.deepEqual(texts.flatMap(([path, text]) => deadLinks(path, text)).map(toLine), []);
});
