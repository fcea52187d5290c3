// What untrusted templates can do to a process that serves others: nothing. Also, forms that are filled in.
import test from 'ava';
import { PDFDocument } from 'pdf-lib';
import { extractText, getDocumentProxy } from 'unpdf';
import type { FieldMap } from '../../domain/document/field-map.ts';
import { TEMPLATE_KINDS } from '../../domain/document/kinds.ts';
import { DomainError } from '../../domain/errors.ts';
import { DOCUMENTS_OF_ORGANIZATION_TOGETHER } from '../../domain/limits.ts';
import { defaultTemplate } from '../../plans/document/own-templates.ts';
import { sampleFacts } from '../../plans/document/sample-facts.ts';
import { ThreadFault } from '../../providers/threads/pool.ts';
import { refusingText } from '../../providers/typesetting/given-up.ts';
import { fillTemplate } from '../../providers/typesetting/liquid.ts';
import { createTypesetter } from '../../providers/typesetting/typesetter.ts';
import { forGood } from '../support/for-good.ts';
import { fillableForm, RISK } from '../support/forms/acord-forms.ts';
import { dynamicForm, templateForm } from '../support/forms/template-forms.ts';

const typesetter = createTypesetter();
test.after.always(() => typesetter.close());

/** It runs until it is stopped, and prints nothing. */
const ENDLESS = '{% for a in (1..9000) %}{% for b in (1..9000) %}{% assign c = a | plus: b %}{% endfor %}{% endfor %}';

const refusal = async (work: Promise<unknown>): Promise<[string, unknown]> => {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof DomainError)) throw error ?? new Error('It was not refused.');
  return [error.code, error.details];
};

const form = templateForm().then((document) => document.save());
const fill = (fields: FieldMap, facts: Record<string, unknown>) =>
  forGood(() => typesetter.fillForm(() => form, fields, facts));

test('a template cannot use another one, and its refusal shows not a word of a file on the disk', async (t) => {
  for (const tag of ['include', 'render', 'layout']) {
    const error = await t.throwsAsync<DomainError>(typesetter.page(`{% ${tag} "package.json" %}`, {}));
    t.is(error?.code, 'validation_failed');
    t.is(error?.message, 'A template cannot use another template.');
  }
  const nested = '{% if a %}'.repeat(20_000);
  const error = await t.throwsAsync<DomainError>(typesetter.page(nested, {}));
  t.is(error?.message, 'The template cannot be used: It is nested too deeply.');
});

test('a telephone number of North America is written as people there write it, and any other as it is', async (t) => {
  t.is(await typesetter.page('{{ a | phone }}', { a: '+15125550100' }), '(512) 555-0100');
  t.is(await typesetter.page('{{ a | phone }}', { a: '+442071838750' }), '+442071838750');
});

test('a template that does not finish is refused, and meanwhile the process does its other work', async (t) => {
  let isOver = false;
  const over = refusal(forGood(() => typesetter.page(ENDLESS, {}))).finally(() => {
    isOver = true;
  });
  let turns = 0;
  for (; !isOver; turns++) await new Promise((resolve) => setImmediate(resolve));
  t.deepEqual(await over, ['validation_failed', { field: 'html', rule: 'format' }]);
  t.true(turns > 100, `the process had ${turns} turns`);
});

// It blocks the process, so it runs before the others.
test.serial(
  'a template delayed by a busy machine is refused for now, and not because of anything in its content',
  async (t) => {
    const nobody = new Int32Array(new SharedArrayBuffer(4));
    const facts = {
      get number() {
        Atomics.wait(nobody, 0, 0, 2_100);
        return 1;
      },
    };
    const error = t.throws<DomainError>(() => fillTemplate('{{ number }}{{ number }}', facts, 'html'));
    const forNow = { code: 'service_unavailable', details: { retryAfterSeconds: 5 } };
    t.like(error, forNow);
    const starved = () => Promise.reject(new ThreadFault('machine_busy'));
    for (const text of [{ template: 'html' }, 'form'] as const) {
      t.like(await t.throwsAsync<DomainError>(refusingText(text, starved)), forNow);
    }
  },
);

test('a template that does not stop is ended with its thread, and the next one is filled', async (t) => {
  // Long before the thread would stop on its own.
  const hasty = createTypesetter({ limits: { threads: 1, timeoutMs: 400 } });
  const endless = forGood(() => hasty.page(ENDLESS, {}));
  t.is((await t.throwsAsync<ThreadFault>(endless, { instanceOf: ThreadFault }))?.reason, 'took_too_long');
  const text = { template: 'templateId' };
  const refused = forGood(() => refusingText(text, () => hasty.page(ENDLESS, {}, 'templateId')));
  const error = await t.throwsAsync<DomainError>(refused);
  t.is(error?.message, 'The template cannot be used: it does not finish');
  t.deepEqual(error?.details, { field: 'templateId', rule: 'format' });
  const patient = createTypesetter({ limits: { threads: 1 } });
  t.is(await patient.page('{{ a | money }} {{ b }}', { a: 123_456, b: '<b>' }), '$1,234.56 &lt;b&gt;');
  await Promise.all([hasty.close(), patient.close()]);
});

test('as many endless templates as one organization may have under way leave a thread to the others', async (t) => {
  const order: string[] = [];
  const own = createTypesetter();
  // All threads have started: startup time does not count.
  await Promise.all(Array.from({ length: DOCUMENTS_OF_ORGANIZATION_TOGETHER + 1 }, () => own.page('first', {})));
  const endless = Array.from({ length: DOCUMENTS_OF_ORGANIZATION_TOGETHER }, () =>
    refusal(own.page(ENDLESS, {})).then(() => order.push('endless')),
  );
  await own.page('light', {});
  order.push('light');
  await Promise.all(endless);
  t.deepEqual(order, ['light', 'endless', 'endless']);
  await own.close();
});

test('each of our templates uses only values that documents of its kind have', async (t) => {
  for (const kind of TEMPLATE_KINDS) {
    const sample = { ...sampleFacts(kind), style: '' };
    await t.notThrowsAsync(typesetter.tryPage(defaultTemplate(kind), sample), kind);
  }
});

test('a form holds the values of its map as parts of its page, and the same values give the same bytes', async (t) => {
  const fields = {
    'Holder.Name': '{{ holder.name }}',
    Number: '{{ certificate.number }}',
    Notes: 'Limit {{ limitCents | whole }}, from {{ day | day }}.',
    ...{ Sent: '{{ isSent }}', Sort: 'excess', State: '{{ state }}' },
  };
  const facts = {
    ...{ holder: { name: 'Müller & Söhne <LLC>' }, certificate: { number: 'COI-2026-000001-ABCDEFGH' } },
    ...{ limitCents: 100_000_000, day: '2027-03-01', isSent: true, state: 'TX' },
  };
  await typesetter.tryForm(() => form, fields, facts);
  const bytes = await fill(fields, facts);
  const filled = await PDFDocument.load(bytes, { updateMetadata: false });
  t.deepEqual(filled.getForm().getFields(), []);
  const { text } = await extractText(await getDocumentProxy(Uint8Array.from(bytes)), { mergePages: true });
  for (const part of [
    ...['FILED FORM 12', 'Müller & Söhne <LLC>', 'COI-2026-000001-ABCDEFGH', 'TX'],
    'Limit $1,000,000, from March 1, 2027.',
  ]) {
    t.true(text.replaceAll(/\s+/g, ' ').includes(part), `${part}: ${text}`);
  }
  t.deepEqual(await fill(fields, facts), bytes);
  t.notDeepEqual(await fill(fields, { ...facts, isSent: false }), bytes);
});

test('a value that a field cannot hold whole is no document', async (t) => {
  const cases: [string, string, string][] = [
    ['Number', 'x'.repeat(200), 'does_not_fit'],
    ['Number', 'two\nlines', 'does_not_fit'],
    ['Notes', 'words '.repeat(1_000), 'does_not_fit'],
    ['Holder.Name', 'บริษัท', 'unknown_letters'],
    ['Number', '北京'.repeat(60), 'does_not_fit'],
    ['Number', '北京\n海港', 'does_not_fit'],
    ['Notes', '北京 '.repeat(1_000), 'does_not_fit'],
    ['State', 'NY', 'unknown_option'],
    ['Sort', 'third', 'unknown_option'],
  ];
  for (const [field, value, reason] of cases) {
    const answer = await refusal(fill({ [field]: '{{ value }}' }, { value }));
    t.deepEqual(answer, ['document_not_applicable', { field, reason }], `${field} ${reason}`);
  }
});

const NAMES = [
  'Żółć Łódź Spółka z o.o.',
  'Công ty Việt',
  'Ναυτιλία ΑΕ',
  'ООО «Гавань»',
  '北京海港房地产有限公司',
  '株式会社トヨタ 12 LLC',
  '삼성전자 주식회사',
  'חברת הנמל 123',
  'Harbor שלום עולם LLC',
];

test('a name in letters that the typeface of a form lacks is printed in ours, whole and where its field was', async (t) => {
  for (const name of NAMES) {
    const fields = { 'Holder.Name': '{{ name }}', Notes: 'Limit for {{ name }}:\n$1,000' };
    const bytes = await fill(fields, { name });
    t.deepEqual((await PDFDocument.load(bytes)).getForm().getFields(), [], name);
    const page = await (await getDocumentProxy(Uint8Array.from(bytes))).getPage(1);
    const pieces = (await page.getTextContent()).items.flatMap((item) =>
      'str' in item && item.str.trim() ? item : [],
    );
    const within = (top: number, bottom: number) =>
      pieces.filter(({ transform: [, , , , , y] }) => y > bottom && y < top).map(({ str }) => str);
    t.is(lettersOf(within(346, 330).join('')), lettersOf(name), name);
    t.is(lettersOf(within(260, 200).join('')), lettersOf(`Limit for ${name}:$1,000`), name);
    for (const { transform, width } of pieces) t.true(transform[4] >= 20 && transform[4] + width <= 320, name);
    t.deepEqual(await fill(fields, { name }), bytes, name);
  }
});

/** Sorted, because right-to-left text is extracted in a different order. */
function lettersOf(text: string): string {
  return [...text.normalize('NFKC').replaceAll(/\s/g, '')].sort().join('');
}

test('a file that is not a fillable form, and a map that does not fit it, are refused with the reason', async (t) => {
  const check = (bytes: Uint8Array | Promise<Uint8Array>, fields: FieldMap) =>
    refusal(forGood(() => typesetter.tryForm(async () => bytes, fields, { limits: [{ name: 'Each occurrence' }] })));
  const own = await templateForm();
  const plain = await PDFDocument.create();
  plain.addPage();
  const scripted = await templateForm();
  scripted.addJavaScript('greeting', 'app.alert(1)');
  const whole = Buffer.from(await own.save({ useObjectStreams: false }));
  const locked = Buffer.from(whole.toString('latin1').replace('/Root', '/Encrypt 9 0 R /Root'), 'latin1');
  const reasons: [Uint8Array, string][] = [
    [Buffer.from('words'), 'not_a_pdf'],
    [await plain.save(), 'no_form'],
    [await dynamicForm(), 'dynamic_form'],
    [await scripted.save(), 'contains_script'],
    [locked, 'encrypted'],
    [whole.subarray(0, 900), 'truncated'],
  ];
  for (const [bytes, reason] of reasons) {
    t.deepEqual(await check(bytes, { Number: 'x' }), ['unreadable_document', { reason }], reason);
  }
  t.deepEqual(await check(form, { Missing: 'x' }), [
    'validation_failed',
    { field: 'fields.Missing', rule: 'unknown_reference' },
  ]);
  t.deepEqual(await check(form, { Signature: 'x' }), [
    'validation_failed',
    { field: 'fields.Signature', rule: 'type' },
  ]);
  t.deepEqual(await check(form, { Number: '{% if %}' }), [
    'validation_failed',
    { field: 'fields.Number', rule: 'format' },
  ]);
  for (const text of [
    '{{ number }}',
    '{{ limits.first.cents }}',
    '{% for each in limits %}{{ each.cents }}{% endfor %}',
  ]) {
    const unknown = { field: 'fields.Number', rule: 'unknown_reference' };
    t.deepEqual(await check(form, { Number: text }), ['validation_failed', unknown], text);
  }
  const known = { Number: '{{ limits.first.name }} of {{ limits.size }}' };
  await t.notThrowsAsync(typesetter.tryForm(() => form, known, { limits: [{ name: 'Each occurrence' }] }));
  await t.notThrowsAsync(
    typesetter.tryForm(() => fillableForm(RISK), { 'F[0].P1[0].NamedInsured_FullName_A[0]': 'x' }, {}),
  );
});
