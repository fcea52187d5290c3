// What a reader sees of each document: text is on the stylesheet's grid, amounts are right-aligned, nothing leaves the
// page or overlaps, and tables that continue repeat their heading. Compares positions rather than pixels, and draws
// each page: it must show that text in its place, without lines through it. The stylesheet is
// plans/document/templates/print.css.
import test from 'ava';
import { PDFDocument } from 'pdf-lib';
import { TEMPLATE_KINDS, type TemplateKind } from '../../../domain/document/kinds.ts';
import { defaultTemplate, PRINT_STYLE } from '../../../plans/document/own-templates.ts';
import { createTypesetter } from '../../../providers/typesetting/typesetter.ts';
import { picturesOf } from '../../support/printing/pictures.ts';
import { startPress } from '../../support/printing/press.ts';
import { HARD_PAGES, plainFacts, ROW_NAMES } from './pages.ts';
import { type PrintedPages, type PrintedRun, printedText } from './printed-text.ts';
import { type Area, hasDarkLine, inkOutside, struck, unexplained, unseen } from './seen.ts';

const press = startPress();
const typesetter = createTypesetter();
test.after.always(() => typesetter.close());

const PT_OF_INCH = 72;
const LETTER = { width: 8.5 * PT_OF_INCH, height: 11 * PT_OF_INCH };
/** 16 mm, plus the one-point inset of the body. */
const LEFT = (16 / 25.4) * PT_OF_INCH + 1;
const RIGHT = LETTER.width - LEFT;
const TOP_MARGIN = (16 / 25.4) * PT_OF_INCH;
const BOTTOM_MARGIN = (18 / 25.4) * PT_OF_INCH;
/** Padding of a table cell. */
const CELL_PADDING = 5;
/** The browser lays out in whole pixels, 96 to the inch. */
const TOLERANCE = 1;
/** Inside the page margins; the soft edge of a letter or line may extend beyond. */
const BODY: Area = {
  ...{ left: LEFT - 1 - TOLERANCE, right: RIGHT + 1 + TOLERANCE },
  ...{ top: TOP_MARGIN - TOLERANCE, bottom: LETTER.height - BOTTOM_MARGIN + TOLERANCE },
};
const QR_CODE_SIZE = 66;
const MONEY = /^-?\$[\d,]+(\.\d\d)?$/;

async function printedBytes(kind: TemplateKind, facts: object): Promise<Uint8Array> {
  const page = await typesetter.page(defaultTemplate(kind), { ...facts, style: PRINT_STYLE });
  return (await press.render(page)).bytes;
}

async function printed(kind: TemplateKind, facts: object): Promise<PrintedPages> {
  return printedText(await printedBytes(kind, facts));
}

const isNear = (one: number, other: number) => Math.abs(one - other) <= TOLERANCE;
const isInFooter = ({ baseline }: PrintedRun) => baseline > LETTER.height - BOTTOM_MARGIN;

/** Overlapping runs: on one line of one page, one beginning before the other has ended. */
function overlaps(runs: readonly PrintedRun[]): string[] {
  return runs.flatMap((one, place) =>
    runs
      .slice(place + 1)
      .filter((other) => one.page === other.page && isNear(one.baseline, other.baseline))
      .filter((other) => one.left < other.right - TOLERANCE && other.left < one.right - TOLERANCE)
      .map((other) => `${one.text} | ${other.text}`),
  );
}

/** Runs of text outside the margins. */
function outside({ runs }: PrintedPages): string[] {
  return runs.filter(({ left, right }) => left < LEFT - 2 || right > RIGHT + 2).map(({ text }) => text);
}

/** Table amounts that do not end where the amount column ends. */
function ragged({ runs }: PrintedPages): string[] {
  const beginsRow = (run: PrintedRun) => isNear(run.left, LEFT + CELL_PADDING);
  const isOnLineOf = (one: PrintedRun) => (other: PrintedRun) =>
    one.page === other.page && isNear(one.baseline, other.baseline);
  const amounts = runs.filter((run) => MONEY.test(run.text) && runs.filter(isOnLineOf(run)).some(beginsRow));
  return amounts.filter(({ right }) => !isNear(right, RIGHT - CELL_PADDING)).map(({ text }) => text);
}

/** Where pictures of the pages differ from the text positions. */
async function unlikePositions(bytes: Uint8Array, { runs, count }: PrintedPages, name: string): Promise<string[]> {
  const pictures = await picturesOf(bytes, name);
  return [
    ...(pictures.length === count ? [] : [`${pictures.length} pictures of ${count} pages`]),
    ...pictures.flatMap((picture, place) => {
      const ofPage = runs.filter(({ page }) => page === place + 1);
      return [
        ...unseen(picture, ofPage).map((text) => `unseen: ${text}`),
        ...struck(picture, ofPage).map((text) => `a line through: ${text}`),
        ...inkOutside(picture, BODY, ofPage.filter(isInFooter)).map((at) => `ink in the margin: ${at}`),
        ...unexplained(picture, ofPage, qrCodePlaces(ofPage)).map((at) => `ink elsewhere: ${at}`),
      ];
    }),
  ];
}

/** Next to the text that names it, at the left edge. */
function qrCodePlaces(runs: readonly PrintedRun[]): Area[] {
  return runs
    .filter(({ text }) => text.startsWith('Check that this certificate'))
    .map(({ baseline }) => ({
      ...{ left: LEFT - 1, right: LEFT + QR_CODE_SIZE + 1 },
      ...{ top: baseline - QR_CODE_SIZE, bottom: baseline + QR_CODE_SIZE },
    }));
}

const PAGES = {
  ...Object.fromEntries(TEMPLATE_KINDS.map((kind) => [`plain ${kind}`, { kind, facts: plainFacts(kind) }])),
  ...HARD_PAGES,
};

for (const [name, { kind, facts }] of Object.entries(PAGES)) {
  test(`${name}: text stays within the margins and over nothing else, each page says what it is part of`, async (t) => {
    const bytes = await printedBytes(kind, facts);
    const pages = await printedText(bytes);
    t.deepEqual([pages.width, pages.height], [LETTER.width, LETTER.height]);
    t.deepEqual(outside(pages), []);
    t.deepEqual(overlaps(pages.runs), []);
    t.deepEqual(await unlikePositions(bytes, pages, name), []);
    t.true(pages.runs.some(({ text, left, page }) => page === 1 && text !== '' && isNear(left, LEFT)));
    const title = (await PDFDocument.load(bytes)).getTitle() ?? '';
    t.regex(title, /(GL-TX-2026-000042|COI-2026-000123-23456789|check 4711|INV-2026-000301|CLM-2026-000007)$/);
    for (let page = 1; page <= pages.count; page++) {
      const [subject, number, ...rest] = pages.runs
        .filter((run) => run.page === page && isInFooter(run))
        .sort((one, other) => one.left - other.left);
      t.deepEqual(rest, []);
      t.is(number?.text, `Page ${page} of ${pages.count}`);
      t.regex(subject?.text ?? '', /(GL-TX-2026-000042|COI-2026-000123-23456789|INV-2026-000301|CLM-2026-000007)$/);
    }
  });
}

for (const kind of [
  'declarations',
  'binder',
  'invoice',
  'endorsement',
  'cancellation_notice',
  'mcs90',
  'claim_settlement',
  'receipt',
] as const) {
  test(`${kind}: every amount ends at the right edge of its column`, async (t) => {
    const pages = await printed(kind, plainFacts(kind));
    t.true(pages.runs.some(({ text }) => MONEY.test(text)));
    t.deepEqual(ragged(pages), []);
  });
}

for (const name of ['forty coverages', 'forty charges'] as const) {
  test(`${name}: every row is there once, with its amount on its line, and each page heads its table`, async (t) => {
    const { kind, facts } = HARD_PAGES[name]!;
    const pages = await printed(kind, facts);
    t.true(pages.count > 1);
    t.deepEqual(ragged(pages), []);
    t.deepEqual(
      pages.runs.map(({ text }) => text).filter((text) => /^Row \d+$/.test(text)),
      ROW_NAMES,
    );
    const rows = pages.runs.filter(({ text }) => ROW_NAMES.includes(text));
    for (const row of rows) {
      const beside = pages.runs.filter((run) => run.page === row.page && isNear(run.baseline, row.baseline));
      t.deepEqual(
        beside.map(({ left }) => left < LETTER.width / 2),
        [true, false],
        row.text,
      );
      const head = pages.runs.find(({ text, page }) => page === row.page && text === 'AMOUNT');
      t.true(head !== undefined && head.baseline < row.baseline && isNear(head.right, RIGHT - CELL_PADDING));
    }
  });
}

test('a dark line is under the head of a table on each page, and over each sum', async (t) => {
  const { kind, facts } = HARD_PAGES['forty charges']!;
  const bytes = await printedBytes(kind, facts);
  const [pictures, { runs }] = [await picturesOf(bytes, 'forty charges'), await printedText(bytes)];
  const at = (y: number) => ({ left: LETTER.width / 2, right: LETTER.width / 2 + 1, top: y - 4, bottom: y + 4 });
  const [heads, sums] = [['AMOUNT'], ['Total', 'Balance due']].map((names) =>
    runs.filter(({ text }) => names.includes(text)),
  ) as [PrintedRun[], PrintedRun[]];
  t.deepEqual([heads.length, sums.length], [2, 2]);
  const lines = [
    ...heads.map(({ page, baseline }) => ({ page, y: baseline + 6 })),
    ...sums.map(({ page, baseline }) => ({ page, y: baseline - 14 })),
  ];
  for (const { page, y } of lines) t.true(hasDarkLine(pictures[page - 1]!, at(y)), `page ${page}, ${y.toFixed(0)} pt`);
});

test('the two boxes of a document begin on the same line, half a gap on each side of the middle', async (t) => {
  const { runs } = await printed('declarations', plainFacts('declarations'));
  const [insured, policy] = ['NAMED INSURED', 'POLICY'].map((label) => runs.find(({ text }) => text === label));
  // A box: 0.75 pt of border and 8 pt of padding. The gap between two boxes is 18 pt.
  t.true(isNear(insured?.left ?? 0, LEFT + 8.75));
  t.true(isNear(policy?.left ?? 0, LETTER.width / 2 + 9 + 8.75));
  t.true(isNear(insured?.baseline ?? 0, policy?.baseline ?? 1));
});

for (const [name, letters] of [
  ['a Hebrew name', /[\u0590-\u05ff]/],
  ['a Chinese name', /[\u4e00-\u9fff]/],
] as const) {
  test(`${name} begins where any other name begins`, async (t) => {
    const { kind, facts } = HARD_PAGES[name]!;
    const runs = (await printed(kind, facts)).runs.filter(({ text }) => letters.test(text));
    t.true(isNear(Math.min(...runs.map(({ left }) => left)), LEFT + 8.75));
  });
}
