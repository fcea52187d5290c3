// A printed or flattened ACORD 125: values are found by the labels beside or above them, checkboxes by the mark in
// front of the line's name. Pure. Domain 5.1.
import { BELOW, BESIDE, labelledAt, plainLabel, Sheet } from '../document/labelled-values.ts';
import { readDate, saysNone } from '../document/read-values.ts';
import type { TextCell, TextLine } from '../document/text-layout.ts';
import { FORM_LABELS, LINE_LABELS, LOSS_DATES, LOSS_DESCRIPTIONS, type Meaning, NO_LOSSES } from './acord125-labels.ts';
import { LOSS_ROWS, lineBox, NAMES, REVENUES } from './acord125-names.ts';
import { type Section, sectionAt } from './acord125-sections.ts';

/** The content of a field. */
export interface Answer {
  page: number;
  /** As the file names it. */
  field: string;
  value: string | boolean;
  /** From 0 to 1. */
  confidence: number;
}

/** Field, in lower case → its content. */
export type Answers = ReadonlyMap<string, Answer>;

const ROW_GAP = 40;
const MARK = /^[[(]?\s*[xX✓✔✕✖✗✘☑☒■]\s*[\])]?$/u;
const MARKED = /^[[(]?\s*[xX✓✔✕✖✗✘☑☒■]\s*[\])]?\s+(.+)$/u;
const CITY_LINE = /^(.+?),?\s+([A-Z]{2})\s+(\d{5}(?:-\d{4})?)$/;
/** The address is below the name, at most this many points away. */
const ADDRESS_WITHIN = 80;

/** Finds the contents of a form's fields from the positions of its text. */
export function textAnswers(lines: readonly TextLine[]): Answers {
  const page = new Sheet(lines);
  const found = new Answered();
  let section: Section = 'insured';
  for (const line of page.lines) {
    for (const cell of line) {
      section = sectionAt(cell.text, section);
      for (const { meaning, label, value, confidence } of labelledAt(cell, page, FORM_LABELS)) {
        found.add(meaning, section, { page: cell.page, field: label, value, confidence });
      }
      const line = markedLine(cell, page);
      if (line && section !== 'others')
        found.set(lineBox(line), { page: cell.page, field: cell.text, value: true, confidence: BESIDE });
      if (isMarked(cell, NO_LOSSES, page)) {
        found.set(NAMES.noPriorLosses[0], { page: cell.page, field: cell.text, value: true, confidence: BESIDE });
      }
      const label = plainLabel(cell.text);
      if (LOSS_DATES.includes(label)) addLosses(cell, page, found);
      if (LOSS_DATES.includes(label) || LOSS_DESCRIPTIONS.includes(label)) addNone(cell, page, found);
    }
  }
  addAddressUnderName(page, found);
  return found.answers();
}

/** Whose address a section holds. */
const ADDRESSES: Partial<Record<Section, string>> = {
  insured: 'NamedInsured_MailingAddress',
  premises: 'CommercialStructure_PhysicalAddress',
};

/** The answers so far. The first answer for a field wins, unless a later one has a label that says whose it is. */
class Answered {
  readonly #sure = new Map<string, Answer>();
  readonly #plain = new Map<string, Answer>();
  #revenues = 0;

  set(field: string, answer: Answer): void {
    setFirst(this.#sure, field, answer);
  }

  get(field: string): Answer | undefined {
    return this.#sure.get(field.toLowerCase());
  }

  answers(): Answers {
    return new Map([...this.#plain, ...this.#sure]);
  }

  add(meaning: Meaning, section: Section, answer: Answer): void {
    if (section === 'others') return;
    if ('field' in meaning) {
      if (!meaning.isPlain) this.set(meaning.field, answer);
      else if (section !== 'agency') setFirst(this.#plain, meaning.field, answer);
    } else if ('part' in meaning) {
      const address = ADDRESSES[section];
      if (address) this.set(`${address}_${meaning.part}_A`, answer);
    } else {
      const field = REVENUES[this.#revenues++];
      if (field) this.set(field, answer);
    }
  }
}

function setFirst(answers: Map<string, Answer>, field: string, answer: Answer): void {
  const key = field.toLowerCase();
  if (!answers.has(key)) answers.set(key, answer);
}

/** The line of business that a cell names after a mark. */
function markedLine(cell: TextCell, page: Sheet): string | null {
  const name = (text: string) => LINE_LABELS[plainLabel(text)];
  const inCell = MARKED.exec(cell.text)?.[1];
  if (inCell !== undefined) return name(inCell) ?? null;
  const line = name(cell.text);
  return line !== undefined && MARK.test(page.before(cell)?.text ?? '') ? line : null;
}

function isMarked(cell: TextCell, labels: readonly string[], page: Sheet): boolean {
  const inCell = MARKED.exec(cell.text)?.[1];
  if (inCell !== undefined) return labels.includes(plainLabel(inCell));
  return labels.includes(plainLabel(cell.text)) && MARK.test(page.before(cell)?.text ?? '');
}

/** Each date in the column under the heading is a loss. */
function addLosses(heading: TextCell, page: Sheet, found: Answered): void {
  let last = heading.y;
  let row = 0;
  for (const cell of page.under(heading, Number.POSITIVE_INFINITY)) {
    if (last - cell.y > ROW_GAP || row === LOSS_ROWS.length) return;
    if (readDate(cell.text) === null) continue;
    last = cell.y;
    const [field] = LOSS_ROWS[row++] ?? [];
    if (field) found.set(field, { page: cell.page, field: heading.text, value: cell.text, confidence: BELOW });
  }
}

/** A word below the heading, in place of the first row, says that there are none. */
function addNone(heading: TextCell, page: Sheet, found: Answered): void {
  for (const { page: number, text } of page.under(heading, ROW_GAP)) {
    const answer = { page: number, field: heading.text, value: true, confidence: BELOW };
    if (saysNone(text)) found.set(NAMES.noPriorLosses[0], answer);
    return;
  }
}

/** Many forms print name and address in one box: the lines below the name end with city, state and ZIP code. */
function addAddressUnderName(page: Sheet, found: Answered): void {
  const name = found.get(NAMES.insuredName[0]);
  const cell = page.lines.flat().find((each) => each.page === name?.page && each.text === name.value);
  if (name === undefined || cell === undefined) return;
  const street: string[] = [];
  for (const { text } of page.under(cell, ADDRESS_WITHIN)) {
    if (FORM_LABELS.isLabel(text)) return;
    const [, city, state, postalCode] = CITY_LINE.exec(text) ?? [];
    if (!city || !state || !postalCode) {
      street.push(text);
      continue;
    }
    const [first, second] = street;
    const parts = { mailingLine1: first, mailingLine2: second, mailingCity: city, mailingState: state };
    for (const [fact, value] of Object.entries({ ...parts, mailingPostalCode: postalCode })) {
      const [field] = NAMES[fact as keyof typeof parts];
      if (value) found.set(field, { page: name.page, field: name.field, value, confidence: BELOW });
    }
    return;
  }
}
