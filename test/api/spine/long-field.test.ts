// A file within JSON is decoded as it arrives, in pieces of any size, and reads like the whole body would.
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import test from 'ava';
import { readJsonFile } from '../../../api/spine/files/base64.ts';
import { DomainError } from '../../../domain/errors.ts';
import { FILE_MAX_BYTES } from '../../../domain/limits.ts';
import { fc } from '../../support/fixed/chance.ts';

const read = (pieces: Iterable<Buffer>, maxBytes = FILE_MAX_BYTES) =>
  readJsonFile(Readable.from(pieces) as unknown as IncomingMessage, maxBytes, tmpdir());

function* piecesOf(text: string, size: number): Iterable<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** How senders may write a text: slashes escaped, or any character by its code. */
const WRITINGS: ((json: string) => string)[] = [
  (json) => json,
  (json) => json.replaceAll('/', '\\/'),
  (json) => json.replaceAll('contentBase64', 'content\\u0042ase64').replaceAll('+', '\\u002b'),
];

test('the fields and the bytes are those of the whole body, whatever its pieces and its spelling', async (t) => {
  const field = fc.string({ minLength: 1 }).filter((name) => name !== 'contentBase64' && name !== '__proto__');
  // A name that no body may have, at any depth.
  const value = fc.jsonValue({ maxDepth: 2 }).filter((each) => !JSON.stringify(each).includes('__proto__'));
  const bodies = fc.record({
    before: fc.dictionary(field, value, { noNullPrototype: true }),
    bytes: fc.uint8Array({ minLength: 1, maxLength: 200 }),
    writing: fc.constantFrom(...WRITINGS),
    size: fc.integer({ min: 1, max: 40 }),
  });
  await fc.assert(
    fc.asyncProperty(bodies, async ({ before, bytes, writing, size }) => {
      const contentBase64 = Buffer.from(bytes).toString('base64');
      const nested = { nested: { contentBase64: 'of another' }, said: 'contentBase64":"' };
      const [start] = JSON.stringify({ ...before, ...nested }).split(/\}$/);
      const written = writing(`"contentBase64":"${contentBase64}"`);
      const text = `${start}, ${written} ,"after":["contentBase64",1]}`;
      const { contentBase64: content, ...fields } = JSON.parse(text);
      const { json, file, issues } = await read(piecesOf(text, size));
      t.deepEqual([json, issues], [fields, []]);
      t.deepEqual(file && (await buffer(file.stream())), Buffer.from(content, 'base64'));
      await file?.discard();
    }),
    { numRuns: 200 },
  );
});

test('a field that is no Base64, no text, empty or repeated is named, and a non-JSON body is refused', async (t) => {
  for (const [text, rule] of [
    ['{}', 'required'],
    ['{"contentBase64":7}', 'type'],
    ['{"contentBase64":["QUJD"]}', 'type'],
    ['{"contentBase64":""}', 'min'],
    ['{"contentBase64":"QUJ"}', 'format'],
    ['{"contentBase64":"QQ==QUJD"}', 'format'],
    ['{"contentBase64":"QU\\u4e2dJ"}', 'format'],
    ['{"contentBase64":"QUJD","contentBase64":"QUJD"}', 'unknown_field'],
  ] as const) {
    const { file, issues } = await read(piecesOf(text, 3));
    t.deepEqual([file, issues[0]?.rule], [null, rule], text);
  }
  for (const text of [
    '{"contentBase64":"QUJD"',
    '{"contentBase64":"QUJD',
    '{"contentBase64":"QU\nJ"}',
    '{"contentBase64":"\\x"}',
  ]) {
    const error = await t.throwsAsync(read(piecesOf(text, 3)), { instanceOf: DomainError }, text);
    t.is(error?.code, 'malformed_json', text);
  }
  const large = `{"contentBase64":"${Buffer.alloc(101).toString('base64')}"}`;
  const error = await t.throwsAsync(read(piecesOf(large, 10), 100), { instanceOf: DomainError });
  t.is(error?.code, 'payload_too_large');
});

test('others have their turn hundreds of times while a file of 25 MiB is decoded', async (t) => {
  const text = `{"contentBase64":"${Buffer.alloc(FILE_MAX_BYTES, 1).toString('base64')}"}`;
  let turns = 0;
  let isOver = false;
  const turn = () => {
    turns += 1;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  const { file } = await read([Buffer.from(text)]);
  isOver = true;
  t.is(file?.size, FILE_MAX_BYTES);
  t.true(turns > 300, `${turns} turns`);
  await file?.discard();
});
