// Reads an ACORD 125 into the facts of a submission, with each one's place on the form. Pure. Spec 2.4, Domain 5.1,
// Contract 3.1 "Create".

import { addYears, type BusinessDate, yearOf } from '../dates.ts';
import type { FormField, PdfContent } from '../document/content.ts';
import {
  isNothing,
  isTicked,
  readCount,
  readDate,
  readDigits,
  readMoney,
  readPhoneNumber,
  readPostalCode,
  readState,
  saysNone,
  wholeText,
} from '../document/read-values.ts';
import { linesOf } from '../document/text-layout.ts';
import { TEXT_MAX_CHARACTERS } from '../limits.ts';
import { LINES_OF_BUSINESS } from '../lines.ts';
import { takeListed } from './acord125-listed.ts';
import {
  bareName,
  isKnownField,
  LINE_BOXES,
  LINE_PREMIUMS,
  LINE_RANK,
  LOSS_ROWS,
  lineBox,
  NAMES,
  plainLineBox,
  REVENUES,
  WRITTEN_LINES,
} from './acord125-names.ts';
import { takeParticulars } from './acord125-particulars.ts';
import { type FormIntake, Reading, readDollars } from './acord125-reading.ts';
import { type Answer, type Answers, textAnswers } from './acord125-text.ts';
import type { SubmissionFields } from './submission.ts';
import { LOSS_YEARS } from './triage.ts';

const [FORM_CONFIDENCE, PREMIUM_CONFIDENCE] = [0.99, 0.6];
/** The form has no field for a limit, so the usual one is assumed until confirmed. */
const DEFAULT_LIMIT_CENTS = 100_000_000;
const MOST_YEARS = 1_000;
/** What the API accepts, too. */
const EMAIL = /^(?!\.)(?!.*\.\.)[\w'+.-]*[\w+-]@(?:[A-Za-z0-9][A-Za-z0-9-]*\.)+[A-Za-z]{2,}$/;
const USDOT = /\bUS\s?DOT\D{0,12}(\d{1,3}(?:,\d{3})+|\d{1,12})(?!,?\d)/i;

/** What the submission keeps of it. */
export interface SubmissionIntake extends FormIntake {
  /** The form itself. */
  documentId: string;
}

/** The submission's facts found on the form; others are left out. */
export type FoundFacts = Partial<Omit<SubmissionFields, 'intake'>>;

/** A business's number. The same field may hold a person's, which we do not keep. */
const readEin = (text: string): string | null => (/^\d{2}-\d{7}$/.test(text.trim()) ? text.trim() : null);

/** Reads a form by its fields or, if printed or flattened, by its text. */
export function readAcord125(content: PdfContent, today: BusinessDate): { facts: FoundFacts; intake: FormIntake } {
  const filled = formAnswers(content.fields);
  // Fields of another form, or a lone signature line, do not count.
  const source = [...filled.keys()].some(isKnownField) ? 'form' : 'text';
  const reading = new Reading(source, source === 'form' ? filled : textAnswers(linesOf(content.texts)));
  const facts = { ...riskOf(reading), ...insuredOf(reading) };
  const from = facts.effectiveDate ?? today;
  Object.assign(facts, historyOf(reading, from));
  reading.take('fein', readEin);
  for (const name of ['website', 'contactName', 'producerName', 'carrierName'] as const) {
    reading.take(name, wholeText);
  }
  for (const name of ['fullTimeEmployees', 'partTimeEmployees'] as const) reading.take(name, readCount);
  reading.take('sicCode', (text) => readDigits(text, 2, 4));
  reading.take('glClassCode', (text) => readDigits(text, 4, 6));
  takeParticulars(reading);
  takeListed(reading);
  const { values, additionalLines, unread, assumed } = reading;
  return { facts, intake: { source, values, additionalLines, unread, assumed } };
}

/** The filled-in fields by bare name. Of two with the same name, the first counts. */
function formAnswers(fields: readonly FormField[]): Answers {
  const answers = new Map<string, Answer>();
  for (const { page, name, value } of fields) {
    const key = bareName(name);
    const isFilled = typeof value === 'boolean' ? value : value.trim() !== '';
    if (isFilled && !answers.has(key)) answers.set(key, { page, field: name, value, confidence: FORM_CONFIDENCE });
  }
  return answers;
}

/** The risk. */
function riskOf(reading: Reading): FoundFacts {
  const cents = reading.take('requestedLimit', readDollars);
  if (cents === null) reading.assumed.push('requestedLimit');
  reading.take('expirationDate', readDate);
  return defined({
    effectiveDate: reading.take('effectiveDate', readDate),
    state: reading.take('state', readState),
    naicsCode: reading.take('naicsCode', (text) => readDigits(text, 2, 6)),
    annualRevenueCents: revenueOf(reading),
    requestedLimitCents: cents === null ? DEFAULT_LIMIT_CENTS : toCents(cents),
    lineOfBusiness: lineOf(reading),
    description: reading.take('description', (text) => wholeText(text, TEXT_MAX_CHARACTERS)),
    usdotNumber: usdotOf(reading),
  });
}

const toCents = (dollars: number): number => Math.round(dollars * 100);

/**
 * The total revenue of all premises, or that of the business if no premises state any. If part of a sum cannot be
 * read, there is no sum: the risk would be underpriced.
 */
function revenueOf(reading: Reading): number | null {
  const written = REVENUES.flatMap((field) => {
    const answer = reading.answer(field);
    return typeof answer?.value === 'string' ? [{ ...answer, cents: centsOf(answer.value) }] : [];
  });
  const unread = written.filter(({ cents }) => cents === null);
  for (const answer of unread) reading.missed('annualRevenue', answer);
  if (unread.length > 0) return null;
  const parts = written.map((answer) => ({ ...answer, cents: answer.cents ?? 0 })).filter(({ cents }) => cents > 0);
  const [first] = parts;
  if (first === undefined) {
    const dollars = reading.take('otherRevenue', readDollars);
    const noted = reading.values.find(({ name }) => name === 'otherRevenue');
    if (noted) noted.name = 'annualRevenue';
    return dollars === null ? null : toCents(dollars);
  }
  const sum = parts.reduce((total, { cents }) => total + cents, 0);
  reading.note('annualRevenue', sum / 100, { ...first, field: parts.map(({ field }) => field).join(' + ') });
  return sum;
}

/** Cents, zero or more; a location may have no revenue. */
const centsOf = (text: string): number | null => (isNothing(text) ? 0 : readMoney(text));

/** The highest-ranking line among those checked. */
function lineOf(reading: Reading): string | null {
  const found = [...tickedLines(reading), ...writtenLine(reading)];
  const wanted = found.length > 0 ? found : linesWithPremium(reading);
  const ranked = wanted.toSorted((a, b) => LINE_RANK.indexOf(a.line) - LINE_RANK.indexOf(b.line));
  const ours = ranked.find(({ line }) => (LINES_OF_BUSINESS as readonly string[]).includes(line));
  if (ours) reading.note('lineOfBusiness', ours.line, ours.answer);
  reading.additionalLines = [...new Set(ranked.map(({ line }) => line))].filter((line) => line !== ours?.line);
  return ours?.line ?? null;
}

interface WantedLine {
  line: string;
  answer: Answer;
}

function tickedLines(reading: Reading): WantedLine[] {
  return Object.entries(LINE_BOXES).flatMap(([box, line]) => {
    const answer = reading.answer(lineBox(box)) ?? reading.answer(plainLineBox(box));
    return answer && isTicked(answer.value) ? [{ line, answer }] : [];
  });
}

function writtenLine(reading: Reading): WantedLine[] {
  const [field] = NAMES.otherLine;
  const answer = reading.answer(field);
  if (answer === undefined || typeof answer.value !== 'string') return [];
  const text = answer.value;
  const line = WRITTEN_LINES.find(([pattern]) => pattern.test(text))?.[1];
  return line ? [{ line, answer }] : [];
}

function linesWithPremium(reading: Reading): WantedLine[] {
  return Object.entries(LINE_PREMIUMS).flatMap(([field, line]) => {
    const answer = reading.answer(field);
    if (answer === undefined || typeof answer.value !== 'string' || readMoney(answer.value) === null) return [];
    return [{ line, answer: { ...answer, confidence: PREMIUM_CONFIDENCE } }];
  });
}

/** Truckers write their number in the remarks: the form has no field for it. */
function usdotOf(reading: Reading): string | null {
  for (const field of [...NAMES.remarks, ...NAMES.description]) {
    const answer = reading.answer(field);
    if (answer === undefined || typeof answer.value !== 'string') continue;
    // For a printed number, the word may be in the label only.
    const number = USDOT.exec(`${answer.field} ${answer.value}`)?.[1]?.replaceAll(',', '');
    if (number === undefined) continue;
    reading.note('usdotNumber', number, answer);
    return number;
  }
  return null;
}

/** The insured. */
function insuredOf(reading: Reading): FoundFacts {
  return defined({
    insuredName: reading.take('insuredName', wholeText),
    insuredEmail: reading.take('insuredEmail', (text) => (EMAIL.test(text.trim()) ? wholeText(text) : null)),
    insuredPhone: reading.take('insuredPhone', readPhoneNumber),
    insuredAddress: addressOf(reading),
  });
}

/** An incomplete address does not count. */
function addressOf(reading: Reading) {
  const line1 = reading.take('mailingLine1', wholeText);
  const line2 = reading.take('mailingLine2', wholeText) ?? '';
  const city = reading.take('mailingCity', wholeText);
  const state = reading.take('mailingState', readState);
  const postalCode = reading.take('mailingPostalCode', readPostalCode);
  return line1 && city && state && postalCode ? { line1, line2, city, state, postalCode } : null;
}

/** The insured's history. */
function historyOf(reading: Reading, from: BusinessDate): FoundFacts {
  return defined({ lossesLast5Years: lossesOf(reading, from), yearsInBusiness: yearsOf(reading, from) });
}

/** Losses of the five years before a date; one without a date counts. Null if the form does not mention losses. */
function lossesOf(reading: Reading, from: BusinessDate): number | null {
  const since = addYears(from, -LOSS_YEARS);
  const parts = LOSS_ROWS.map((fields) => fields.flatMap((field) => reading.answer(field) ?? []));
  const rows = parts.flatMap((filled) => filled.find(({ value }) => isOfALoss(value)) ?? []);
  const recent = rows.filter(({ value }) => {
    const date = typeof value === 'string' ? readDate(value) : null;
    return date === null || date >= since;
  });
  const [first] = rows;
  if (first) {
    reading.note('lossesLast5Years', recent.length, first);
    return recent.length;
  }
  const box = reading.answer(NAMES.noPriorLosses[0]);
  const words = parts.flat().find(({ value }) => typeof value === 'string' && saysNone(value));
  const none = box && isTicked(box.value) ? box : words;
  if (none === undefined) return null;
  reading.note('lossesLast5Years', 0, none);
  return 0;
}

/** Whether a row's content is about a loss: programs fill empty rows with `$0.00`, people write `None`. */
function isOfALoss(value: Answer['value']): boolean {
  return typeof value === 'string' && !isNothing(value) && !saysNone(value);
}

/** Whole years since the business started, given as a date or as a year. */
function yearsOf(reading: Reading, from: BusinessDate): number | null {
  const began = reading.take('businessStart', (text) => {
    const date = readDate(text) ?? readDate(`01/01/${text.trim()}`);
    return date !== null && date <= from ? date : null;
  });
  if (began === null) return null;
  const years = yearOf(from) - yearOf(began);
  return Math.min(MOST_YEARS, addYears(began, years) > from ? years - 1 : years);
}

function defined(facts: Record<string, unknown>): FoundFacts {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null));
}
