// What a reader sees of each document: text stands on the grid of the stylesheet, amounts are aligned on the right,
// nothing leaves the page or lies over something else, and tables that go on are headed again. Positions are compared
// rather than pixels. The stylesheet is plans/document/templates/print.css.
import test from 'ava';
import { TEMPLATE_KINDS, type TemplateKind } from '../../../domain/document/kinds.ts';
import { defaultTemplate, PRINT_STYLE } from '../../../plans/document/own-templates.ts';
import { createTypesetter } from '../../../providers/typesetting/typesetter.ts';
import { startPress } from '../../support/printing/press.ts';
import { HARD_PAGES, plainFacts, ROW_NAMES } from './pages.ts';
import { type PrintedPages, type PrintedRun, printedText } from './printed-text.ts';

const press = startPress();
const typesetter = createTypesetter();
test.after.always(() => typesetter.close());

const PT_OF_INCH = 72;
const LETTER = { width: 8.5 * PT_OF_INCH, height: 11 * PT_OF_INCH };
/** 16 mm, and the point that the body keeps from it. */
const LEFT = (16 / 25.4) * PT_OF_INCH + 1;
const RIGHT = LETTER.width - LEFT;
const BOTTOM_MARGIN = (18 / 25.4) * PT_OF_INCH;
/** Of a cell of a table. */
const CELL_PADDING = 5;
/** The browser lays out in whole pixels, of which an inch has 96. */
const TOLERANCE = 1;
const MONEY = /^-?\$[\d,]+(\.\d\d)?$/;

async function printed(kind: TemplateKind, facts: object): Promise<PrintedPages> {
  const page = await typesetter.page(defaultTemplate(kind), { ...facts, style: PRINT_STYLE });
  return printedText((await press.render(page)).bytes);
}

const isNear = (one: number, other: number) => Math.abs(one - other) <= TOLERANCE;
const isInFooter = ({ baseline }: PrintedRun) => baseline > LETTER.height - BOTTOM_MARGIN;

/** Runs that lie over each other: on one line of one page, one beginning before the other has ended. */
function overlaps(runs: readonly PrintedRun[]): string[] {
  return runs.flatMap((one, place) =>
    runs
      .slice(place + 1)
      .filter((other) => one.page === other.page && isNear(one.baseline, other.baseline))
      .filter((other) => one.left < other.right - TOLERANCE && other.left < one.right - TOLERANCE)
      .map((other) => `${one.text} | ${other.text}`),
  );
}

/** Runs of text outside of the margins. */
function outside({ runs }: PrintedPages): string[] {
  return runs.filter(({ left, right }) => left < LEFT - 2 || right > RIGHT + 2).map(({ text }) => text);
}

/** Amounts of tables that do not end where the column of amounts ends. */
function ragged({ runs }: PrintedPages): string[] {
  const beginsRow = (run: PrintedRun) => isNear(run.left, LEFT + CELL_PADDING);
  const isOnLineOf = (one: PrintedRun) => (other: PrintedRun) =>
    one.page === other.page && isNear(one.baseline, other.baseline);
  const amounts = runs.filter((run) => MONEY.test(run.text) && runs.filter(isOnLineOf(run)).some(beginsRow));
  return amounts.filter(({ right }) => !isNear(right, RIGHT - CELL_PADDING)).map(({ text }) => text);
}

const PAGES = {
  ...Object.fromEntries(TEMPLATE_KINDS.map((kind) => [`plain ${kind}`, { kind, facts: plainFacts(kind) }])),
  ...HARD_PAGES,
};

for (const [name, { kind, facts }] of Object.entries(PAGES)) {
  test(`${name}: text stays within the margins and over nothing else, each page says what it is part of`, async (t) => {
    const pages = await printed(kind, facts);
    t.deepEqual([pages.width, pages.height], [LETTER.width, LETTER.height]);
    t.deepEqual(outside(pages), []);
    t.deepEqual(overlaps(pages.runs), []);
    t.true(pages.runs.some(({ text, left, page }) => page === 1 && text !== '' && isNear(left, LEFT)));
    for (let page = 1; page <= pages.count; page++) {
      const [subject, number, ...rest] = pages.runs
        .filter((run) => run.page === page && isInFooter(run))
        .sort((one, other) => one.left - other.left);
      t.deepEqual(rest, []);
      t.is(number?.text, `Page ${page} of ${pages.count}`);
      t.regex(subject?.text ?? '', /(GL-TX-2026-000042|COI-2026-000123|INV-2026-000301|CLM-2026-000007)$/);
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
