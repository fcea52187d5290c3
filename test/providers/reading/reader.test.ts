import { deflateSync } from 'node:zlib';
import test from 'ava';
import { PDFDocument } from 'pdf-lib';
import { DomainError } from '../../../domain/errors.ts';
import { readAcord125 } from '../../../domain/submission/acord125.ts';
import { createDocumentReader } from '../../../providers/reading/reader.ts';
import type { ThreadLimits } from '../../../providers/threads/pool.ts';
import { fc } from '../../support/fixed/chance.ts';
import { forGood } from '../../support/for-good.ts';
import { fillableForm, flattenedForm, printedForm, RISK, scannedForm } from '../../support/forms/acord-forms.ts';
import { mutated } from '../../support/forms/mutated.ts';

const TODAY = '2026-11-22';
const MEGABYTE = 1_048_576;
const MUTATIONS = 40;

const shared = createDocumentReader();
test.after.always(() => shared.close());

const read = (bytes: Uint8Array) => forGood(() => shared.readPdf(async () => bytes));

async function reasonOf(bytes: Uint8Array, limits?: Partial<ThreadLimits>): Promise<unknown> {
  const reader = limits ? createDocumentReader(limits) : shared;
  try {
    await forGood(() => reader.readPdf(async () => bytes));
    return null;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return error.details.reason;
  } finally {
    if (limits) await reader.close();
  }
}

/** A file whose single page has a stream of this many spaces. */
function bomb(bytes: number, dictionary = ''): Uint8Array {
  const packed = deflateSync(Buffer.alloc(bytes, ' '));
  const parts = [
    '%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj ',
    '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R>>endobj ',
    `4 0 obj<</Length ${packed.length}/Filter/FlateDecode${dictionary}>>\nstream\n`,
  ];
  const end = '\nendstream endobj\ntrailer<</Root 1 0 R>>\nstartxref\n0\n%%EOF';
  return Buffer.concat([Buffer.from(parts.join('')), packed, Buffer.from(end)]);
}

async function scripted(): Promise<PDFDocument> {
  const document = await PDFDocument.create();
  document.addPage();
  document.addJavaScript('greeting', 'app.alert(1)');
  return document;
}

test('a form filled in, flattened or printed gives the same facts', async (t) => {
  const expected = {
    ...{ insuredName: 'Lone Star Bakery LLC', naicsCode: '722511', annualRevenueCents: 125_000_000, state: 'TX' },
    ...{ effectiveDate: '2027-03-01', lineOfBusiness: 'GL', requestedLimitCents: 100_000_000, lossesLast5Years: 1 },
    ...{ insuredPhone: '(512) 555-0100', insuredEmail: 'owner@lonestar.example', yearsInBusiness: 10 },
    description: 'Bakery with a small cafe',
    insuredAddress: { line1: '100 Congress Ave', line2: '', city: 'Austin', state: 'TX', postalCode: '78701' },
  };
  const forms = {
    '2016': await fillableForm(RISK),
    older: await fillableForm(RISK, 'older'),
    flattened: await flattenedForm(RISK),
    printed: await printedForm(RISK),
  };
  for (const [name, bytes] of Object.entries(forms))
    t.deepEqual(readAcord125(await read(bytes), TODAY).facts, expected, name);
});

test('a file that is no PDF, ends early, is locked or carries a script is refused with its reason', async (t) => {
  const form = Buffer.from(await fillableForm(RISK));
  t.is(await reasonOf(Buffer.from('plain words')), 'not_a_pdf');
  t.is(await reasonOf(form.subarray(0, form.length / 2)), 'truncated');
  const locked = form.toString('latin1').replace('/Root', '/Encrypt 9 0 R /Root');
  t.is(await reasonOf(Buffer.from(locked, 'latin1')), 'encrypted');
  t.is(await reasonOf(await (await scripted()).save()), 'contains_script');
  const plain = Buffer.from(await (await scripted()).save({ useObjectStreams: false })).toString('latin1');
  t.is(await reasonOf(Buffer.from(plain, 'latin1')), 'contains_script');
  const disguised = plain.replaceAll('/JavaScript', '/Java#53cript').replaceAll('/JS', '/#4aS');
  t.is(await reasonOf(Buffer.from(disguised, 'latin1')), 'contains_script');
});

/** A file whose objects are packed into a stream, with a page to read and perhaps a script. */
function packedObjects(
  { script, dictionary = '/Filter/FlateDecode' }: { script?: string; dictionary?: string },
  pack: (objects: Buffer) => Uint8Array = deflateSync,
): Uint8Array {
  const action = script === undefined ? '' : `/OpenAction<</S${script}/JS(app.alert\\(1\\))>>`;
  const objects = [
    `<</Type/Catalog/Pages 2 0 R${action}>>`,
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>',
  ];
  let at = 0;
  const places = objects.map((object, index) => {
    at += object.length + 1;
    return `${index + 1} ${at - object.length - 1} `;
  });
  const packed = pack(Buffer.from(`${places.join('')}${objects.join(' ')}`));
  const head = `%PDF-1.7\n4 0 obj<</Type/ObjStm/N 3/First ${places.join('').length}/Length ${packed.length}`;
  const stream = Buffer.concat([
    ...[Buffer.from(`${head}${dictionary}>>\nstream\n`), packed, Buffer.from('\nendstream endobj\n')],
  ]);
  // One row per object: 0 to 3 within stream 4, the stream itself, this table.
  const rows = [
    [0, 0, 0],
    ...[0, 1, 2].map((index) => [2, 4, index]),
    [1, stream.indexOf('4 0 obj'), 0],
    [1, stream.length, 0],
  ];
  const table = Buffer.from(rows.flatMap(([kind = 0, place = 0, index = 0]) => [kind, place >> 8, place & 255, index]));
  const xref = `5 0 obj<</Type/XRef/Size 6/W[1 2 1]/Root 1 0 R/Length ${table.length}>>\nstream\n`;
  const end = `\nendstream endobj\nstartxref\n${stream.length}\n%%EOF`;
  return Buffer.concat([stream, Buffer.from(xref), table, Buffer.from(end)]);
}

test('a script in packed objects is refused however they are packed, and so are objects closed to inspection', async (t) => {
  const script = '/JavaScript';
  const asTheyAre = (objects: Buffer) => objects;
  t.is(await reasonOf(packedObjects({})), null);
  t.is(await reasonOf(packedObjects({ dictionary: '' }, asTheyAre)), null);
  t.is(await reasonOf(packedObjects({ script })), 'contains_script');
  t.is(await reasonOf(packedObjects({ script, dictionary: '' }, asTheyAre)), 'contains_script');
  const hex = (objects: Buffer) => Buffer.from(`${deflateSync(objects).toString('hex')}>`);
  const filters = '/Filter[/ASCIIHexDecode/FlateDecode]';
  t.is(await reasonOf(packedObjects({ script, dictionary: filters }, hex)), 'contains_script');
  const plainHex = (objects: Buffer) => Buffer.from(`${objects.toString('hex')}>`);
  t.is(await reasonOf(packedObjects({ script, dictionary: '/Filter/AHx' }, plainHex)), 'contains_script');
  t.is(await reasonOf(packedObjects({ script, dictionary: '/F/AHx' }, plainHex)), 'contains_script');
  t.is(await reasonOf(packedObjects({ script, dictionary: '/Filter 9 0 R' }, hex)), 'contains_script');
  const predicted = '/Filter/FlateDecode/DecodeParms<</Predictor 12/Columns 4>>';
  t.is(await reasonOf(packedObjects({ dictionary: predicted })), 'contains_script');
  const cut = (objects: Buffer) => deflateSync(objects).subarray(0, -6);
  t.is(await reasonOf(packedObjects({ script }, cut)), 'damaged');
  // A dictionary that seems to end early: only the parser sees what it belongs to.
  const disguised = { script, dictionary: '/Filter[/ASCIIHexDecode/FlateDecode]/X(an obj)' };
  t.is(await reasonOf(packedObjects(disguised, hex)), 'contains_script');
});

test('a file that unpacks to too much is refused before it does, also where it disguises that', async (t) => {
  t.is(await reasonOf(bomb(80 * MEGABYTE)), 'too_complex');
  t.is(await reasonOf(bomb(1, '/Filter[/FlateDecode/FlateDecode]')), 'too_complex');
  t.is(await reasonOf(bomb(200 * MEGABYTE, '/Subtype/Image'), { memoryMb: 150 }), 'too_much_memory');
});

test('a file that takes too long is given up, and the next one is read', async (t) => {
  // Its memory limit is more than its time limit lets it use.
  const reader = createDocumentReader({ timeoutMs: 1_000, threads: 1, memoryMb: 2_048 });
  const slow = bomb(400 * MEGABYTE, '/Subtype/Image');
  const first = t.throwsAsync<DomainError>(forGood(() => reader.readPdf(async () => slow)));
  await t.notThrowsAsync(forGood(() => shared.readPdf(scannedForm)));
  t.is((await first)?.details.reason, 'took_too_long');
  await reader.close();
});

test('a file beyond those that may wait for a thread is refused for now', async (t) => {
  const reader = createDocumentReader({ threads: 1, waiting: 1 });
  const results = await Promise.allSettled([1, 2, 3].map(() => reader.readPdf(scannedForm)));
  t.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'rejected'],
  );
  const [, , last] = results;
  t.is(last?.status === 'rejected' && last.reason.code, 'service_unavailable');
  await reader.close();
});

test('the remains of a damaged form in its thread do not judge the next file', async (t) => {
  const [form, flattened] = [await fillableForm(RISK), await flattenedForm(RISK)];
  const reader = createDocumentReader({ threads: 1 });
  for (let seed = 125; seed < 135; seed++)
    for (const bytes of [form, flattened]) {
      const damaged = reader.readPdf(async () => mutated(bytes, seed)).catch(() => null);
      const next = await t.throwsAsync(reader.readPdf(async () => form.subarray(0, form.length / 2)));
      t.like(next, { details: { reason: 'truncated' } }, `after form ${seed}`);
      await damaged;
    }
  await reader.close();
});

test('a damaged form is read or refused with a reason, and nothing else', async (t) => {
  const forms = [await fillableForm(RISK), await flattenedForm(RISK)];
  await fc.assert(
    fc.asyncProperty(fc.integer(), fc.constantFrom(...forms), async (seed, form) => {
      const reason = await reasonOf(mutated(form, seed));
      return reason === null || typeof reason === 'string';
    }),
    { numRuns: MUTATIONS, endOnFailure: true },
  );
  t.pass();
});

test('a forwarded e-mail is read, and e-mails deeper within it are not opened', async (t) => {
  const level = 'From: a@b.example\nSubject: S\nContent-Type: message/rfc822\n\n';
  const readMail = (levels: number) =>
    forGood(() => shared.readMail(async () => Buffer.from(`${level.repeat(levels)}From: c@d.example\n\nThe end`)));
  t.true((await readMail(1)).text.includes('The end'));
  t.false((await readMail(20_000)).text.includes('The end'));
});
