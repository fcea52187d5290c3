import test from 'ava';
import type { PdfContent, TextPiece } from '../../../domain/document/content.ts';
import { extracted } from '../../../domain/document/extraction.ts';
import type { Cell, Line } from '../../../domain/document/text-layout.ts';
import { readAcord125 } from '../../../domain/submission/acord125.ts';
import { textAnswers } from '../../../domain/submission/acord125-text.ts';

const TODAY = '2026-11-22';

const piece = (x: number, y: number, text: string, page = 1): TextPiece => {
  return { page, x, y, width: text.length * 5, height: 10, text };
};
const printed = (...texts: TextPiece[]): PdfContent => ({ pageCount: 4, fields: [], texts });
const facts = (content: PdfContent) => readAcord125(content, TODAY).facts;

test('a printed form is read after colons, beside labels, below them, and by its marks', (t) => {
  const { facts: found, intake } = readAcord125(
    printed(
      piece(40, 740, 'NAMED INSURED: Acme LLC'),
      piece(40, 700, 'CITY: Austin STATE: TX ZIP: 78701'),
      piece(40, 660, 'PROPOSED EFF DATE'),
      piece(300, 660, 'PROPOSED EXP DATE'),
      piece(40, 645, '03/01/2027'),
      piece(300, 645, '03/01/2028'),
      piece(40, 600, 'NAICS:'),
      piece(120, 600, '722511'),
      piece(40, 560, '[X]'),
      piece(70, 560, 'COMMERCIAL GENERAL LIABILITY'),
      piece(300, 560, '[ ]'),
      piece(330, 560, 'BUSINESS AUTO'),
      piece(40, 700, 'ANNUAL REVENUES: $ 1,000,000', 2),
    ),
    TODAY,
  );
  t.is(intake.source, 'text');
  t.like(found, {
    ...{ insuredName: 'Acme LLC', state: 'TX', effectiveDate: '2027-03-01', naicsCode: '722511', lineOfBusiness: 'GL' },
    annualRevenueCents: 100_000_000,
  });
  t.deepEqual(intake.additionalLines, []);
  const expiration = intake.values.find(({ name }) => name === 'expirationDate');
  t.like(expiration, { value: '2028-03-01', field: 'PROPOSED EXP DATE', confidence: 0.8 });
});

test('the address under the name of a printed form is the mailing address', (t) => {
  const found = facts(
    printed(
      piece(40, 740, 'NAME (First Named Insured) AND MAILING ADDRESS (including ZIP+4)'),
      piece(40, 726, 'Acme LLC'),
      piece(40, 712, '1 Main St'),
      piece(40, 698, 'Austin, TX 78701'),
    ),
  );
  t.is(found.insuredName, 'Acme LLC');
  t.deepEqual(found.insuredAddress, {
    line1: '1 Main St',
    line2: '',
    city: 'Austin',
    state: 'TX',
    postalCode: '78701',
  });
});

test('dates in the column under their heading are losses', (t) => {
  const rows = ['04/10/2025', '05/11/2024', '06/12/2019'].map((date, row) => piece(40, 640 - row * 20, date, 4));
  const found = facts(
    printed(
      piece(40, 740, 'NAMED INSURED: Acme'),
      piece(40, 660, 'DATE OF OCCURRENCE', 4),
      piece(200, 660, 'LINE', 4),
      ...rows,
    ),
  );
  t.is(found.lossesLast5Years, 2);
});

test('a label without a value takes none from the next label under or beside it', (t) => {
  const content = printed(
    ...[piece(50, 500, 'ANNUAL REVENUES: $600,000'), piece(50, 480, 'ANNUAL REVENUES:')],
    ...[
      piece(50, 460, 'DESCRIPTION OF PRIMARY OPERATIONS: Bakery'),
      piece(50, 440, 'CITY:'),
      piece(120, 440, 'ZIP: 78701'),
    ],
  );
  t.like(facts(content), { annualRevenueCents: 60_000_000, description: 'Bakery' });
  t.is(readAcord125(content, TODAY).intake.unread.length, 0);
});

const MANY = 20_000;
/** A look around a cell takes at most 60 lines and finds a cell of a line in at most fifteen steps. */
const STEPS_A_CELL = 60 * 15;

/** Counts how often somebody looks where a cell stands. */
function watched(lines: Line[]): { lines: Line[]; steps: () => number } {
  let steps = 0;
  const each = ({ x, ...cell }: Cell): Cell => ({
    ...cell,
    get x() {
      steps++;
      return x;
    },
  });
  return { lines: lines.map((line) => line.map(each)), steps: () => steps };
}

/** A page full of one text, in lines that are a thousandth of a point apart. */
function repeated(text: string, lines: number, xOf: (line: number, column: number) => number): Line[] {
  const cell = (line: number, column: number): Cell => {
    const x = xOf(line, column);
    return { page: 1, x, y: -line / 1_000, right: x + 20, height: 0.001, text };
  };
  return Array.from({ length: lines }, (_, line) =>
    Array.from({ length: MANY / lines }, (__, column) => cell(line, column)),
  );
}

test('a page of 20,000 labels is read in a bounded number of steps for each of them', (t) => {
  const arrangements: Record<string, (text: string) => Line[]> = {
    'each in a line and a column of its own': (text) => repeated(text, MANY, (line) => line * 30),
    'all in one column': (text) => repeated(text, MANY, () => 40),
    'all in one line': (text) => repeated(text, 1, (_, column) => column * 300),
    'a hundred lines, no two labels in one column': (text) =>
      repeated(text, 100, (line, column) => column * 3_000 + line * 25),
  };
  for (const [name, arranged] of Object.entries(arrangements)) {
    const form = watched(arranged('Date of loss'));
    textAnswers(form.lines);
    t.true(form.steps() < MANY * STEPS_A_CELL, `${name}: ${form.steps()} steps at a form`);
    const terms = watched(arranged('Policy number'));
    extracted({ type: 'loss_run', confidence: 1 }, { lines: terms.lines, fields: [] });
    t.true(terms.steps() < MANY * STEPS_A_CELL, `${name}: ${terms.steps()} steps at a loss run`);
  }
});
