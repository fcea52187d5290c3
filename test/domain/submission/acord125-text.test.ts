import test from 'ava';
import type { PdfContent, TextPiece } from '../../../domain/document/content.ts';
import { extracted } from '../../../domain/document/extraction.ts';
import type { TextCell, TextLine } from '../../../domain/document/text-layout.ts';
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

test('the contact of the agency is not that of the insured', (t) => {
  const agency = [
    ...[piece(40, 760, 'AGENCY'), piece(40, 746, 'Bright Insurance'), piece(40, 730, 'CONTACT NAME: Ana Ruiz')],
    ...[piece(40, 715, 'PHONE: (512) 555-0199'), piece(40, 700, 'E-MAIL ADDRESS: desk@broker.example')],
    ...[piece(40, 685, 'CITY: Dallas STATE: OK ZIP: 75201')],
  ];
  const insured = [
    ...[piece(40, 650, 'APPLICANT INFORMATION'), piece(40, 630, 'NAMED INSURED: Acme LLC')],
    ...[piece(40, 610, 'CITY: Austin STATE: TX ZIP: 78701')],
  ];
  const without = readAcord125(printed(...agency, ...insured), TODAY);
  t.like(without.facts, { insuredName: 'Acme LLC', state: 'TX', insuredEmail: undefined, insuredPhone: undefined });
  const names = without.intake.values.map(({ name }) => name);
  t.true(names.includes('producerName') && !names.includes('contactName'));
  const own = [piece(40, 590, 'E-MAIL ADDRESS: owner@acme.example'), piece(40, 570, 'PHONE: (512) 555-0100')];
  const contact = { insuredEmail: 'owner@acme.example', insuredPhone: '(512) 555-0100' };
  t.like(facts(printed(...agency, ...insured, ...own)), contact);
  t.like(facts(printed(...agency, ...insured.slice(1), ...own)), contact, 'without a heading the name ends the block');
});

test('an invalid telephone number is left out and named as unread', (t) => {
  const form = printed(piece(40, 740, 'NAMED INSURED: Acme LLC'), piece(40, 720, 'BUSINESS PHONE: see remarks'));
  const { facts: found, intake } = readAcord125(form, TODAY);
  t.like(found, { insuredName: 'Acme LLC', insuredPhone: undefined });
  t.like(intake.unread, [{ name: 'insuredPhone' }]);
});

test('a label that says whose the value is goes before one that does not, wherever it stands', (t) => {
  const found = facts(
    printed(
      ...[piece(40, 740, 'E-MAIL ADDRESS: desk@broker.example'), piece(40, 720, 'EFFECTIVE DATE: 01/01/2026')],
      ...[piece(40, 700, 'PRIMARY E-MAIL ADDRESS: owner@acme.example'), piece(40, 680, 'NAMED INSURED: Acme LLC')],
      piece(40, 660, 'PROPOSED EFF DATE: 03/01/2027'),
    ),
  );
  t.like(found, { insuredEmail: 'owner@acme.example', effectiveDate: '2027-03-01' });
});

test('an earlier policy gives no date, no limit and no line to the one that is proposed', (t) => {
  const found = readAcord125(
    printed(
      ...[piece(40, 740, 'NAMED INSURED: Acme LLC'), piece(40, 720, 'PROPOSED EFF DATE')],
      ...[piece(40, 660, 'PRIOR CARRIER INFORMATION', 3), piece(40, 640, 'CARRIER: Old Mutual', 3)],
      ...[piece(40, 620, 'EFFECTIVE DATE', 3), piece(300, 620, 'EXPIRATION DATE', 3)],
      ...[piece(40, 605, '03/01/2025', 3), piece(300, 605, '03/01/2026', 3)],
      ...[piece(40, 580, 'EACH OCCURRENCE: $2,000,000', 3), piece(40, 560, '[X] GENERAL LIABILITY', 3)],
      ...[piece(40, 500, 'LOSS HISTORY', 3), piece(40, 480, 'DATE OF OCCURRENCE', 3), piece(40, 460, '04/10/2025', 3)],
    ),
    TODAY,
  );
  t.like(found.facts, { insuredName: 'Acme LLC', effectiveDate: undefined, lineOfBusiness: undefined });
  t.like(found.facts, { requestedLimitCents: 100_000_000, lossesLast5Years: 1 });
  t.deepEqual(
    found.intake.values.map(({ name }) => name),
    ['insuredName', 'lossesLast5Years', 'losses.A.occurredOn'],
  );
});

test('"None" in the first row of the losses says that there are none', (t) => {
  const table = [piece(40, 660, 'DATE OF OCCURRENCE'), piece(200, 660, 'TYPE / DESCRIPTION OF OCCURRENCE OR CLAIM')];
  const name = piece(40, 740, 'NAMED INSURED: Acme');
  t.is(facts(printed(name, ...table, piece(200, 640, 'NONE'))).lossesLast5Years, 0);
  t.is(facts(printed(name, ...table, piece(40, 640, 'None'))).lossesLast5Years, 0);
  t.is(facts(printed(name, ...table, piece(40, 640, '04/10/2025'), piece(200, 640, 'n/a'))).lossesLast5Years, 1);
  t.is(facts(printed(name, ...table)).lossesLast5Years, undefined);
});

test('the number of a trucker is read behind its label, too', (t) => {
  const found = facts(printed(piece(40, 740, 'NAMED INSURED: Acme'), piece(40, 700, 'USDOT #: 1234567')));
  t.is(found.usdotNumber, '1234567');
});

const MANY = 20_000;
/** Below a cell there are at most 60 lines to check, and fifteen looks find a cell among 20,000 in each of them. */
const LOOKS_A_CELL = 60 * 15;

/** A cell that counts how often its position is read. */
class WatchedCell implements TextCell {
  static looks = 0;
  readonly page = 1;
  readonly height = 0.001;
  readonly #x: number;
  readonly y: number;
  readonly right: number;
  readonly text: string;

  constructor(x: number, y: number, text: string) {
    [this.#x, this.y, this.right, this.text] = [x, y, x + 20, text];
  }

  get x(): number {
    WatchedCell.looks++;
    return this.#x;
  }
}

/** A page full of one text, in lines a thousandth of a point apart. */
function repeated(text: string, lines: number, xOf: (line: number, column: number) => number): TextLine[] {
  const cell = (line: number, column: number) => new WatchedCell(xOf(line, column), -line / 1_000, text);
  return Array.from({ length: lines }, (_, line) =>
    Array.from({ length: MANY / lines }, (__, column) => cell(line, column)),
  );
}

test('a page of 20,000 labels is read with a bounded number of looks around each of them', (t) => {
  const arrangements: Record<string, (text: string) => TextLine[]> = {
    'each in a line and a column of its own': (text) => repeated(text, MANY, (line) => line * 30),
    'all in one column': (text) => repeated(text, MANY, () => 40),
    'all in one line': (text) => repeated(text, 1, (_, column) => column * 300),
    'a hundred lines, no two labels in one column': (text) =>
      repeated(text, 100, (line, column) => column * 3_000 + line * 25),
  };
  const looksOf = (read: () => unknown) => {
    WatchedCell.looks = 0;
    read();
    return WatchedCell.looks;
  };
  for (const [name, arranged] of Object.entries(arrangements)) {
    const [form, terms] = [arranged('Date of loss'), arranged('Policy number')];
    const atForm = looksOf(() => textAnswers(form));
    t.true(atForm < MANY * LOOKS_A_CELL, `${name}: ${atForm} looks at a form`);
    const atTerms = looksOf(() => extracted({ type: 'loss_run', confidence: 1 }, { lines: terms, fields: [] }));
    t.true(atTerms < MANY * LOOKS_A_CELL, `${name}: ${atTerms} looks at a loss run`);
  }
});
