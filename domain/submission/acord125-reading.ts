// The filled-in places of an ACORD 125 while it is read: where each value came from, and which places held something
// else. Pure. Domain 5.1.
import { isLegible, plainText, readMoney } from '../document/read-values.ts';
import { type FactName, NAMES } from './acord125-names.ts';
import type { Answer, Answers } from './acord125-text.ts';
import type { RequiredSubmissionField } from './submission.ts';

const OTHER_EDITION_CONFIDENCE = 0.95;

/** A value read from the form, with its place. */
export interface IntakeValue {
  name: string;
  value: string | number;
  page: number;
  /** The field of the form, or the label beside a printed value. */
  field: string;
  /** From 0 to 1. */
  confidence: number;
}

/** What an intake has read. */
export interface FormIntake {
  /** Whether it was read from form fields or from printed text. */
  source: 'form' | 'text';
  values: IntakeValue[];
  /** Other lines checked; the form has some that we do not write. */
  additionalLines: string[];
  /** Fields that hold something other than a valid value. */
  unread: { name: string; page: number; field: string }[];
  /** Required values missing from the form: the usual one is assumed, and must be confirmed. */
  assumed: RequiredSubmissionField[];
}

/** Takes values from the answers and records where each one was. */
export class Reading {
  readonly values: IntakeValue[] = [];
  readonly unread: FormIntake['unread'] = [];
  readonly assumed: RequiredSubmissionField[] = [];
  additionalLines: string[] = [];
  readonly #source: FormIntake['source'];
  readonly #answers: Answers;

  constructor(source: FormIntake['source'], answers: Answers) {
    this.#source = source;
    this.#answers = answers;
  }

  answer(field: string): Answer | undefined {
    return this.#answers.get(field.toLowerCase());
  }

  /** Reads a fact from the first of its fields that has it. */
  take<T extends string | number>(name: FactName, read: (text: string) => T | null): T | null {
    return this.takeFrom(NAMES[name], name, read);
  }

  /** Reads a value that is not one of a submission's facts. */
  takeFrom<T extends string | number>(
    fields: readonly string[],
    name: string,
    read: (text: string) => T | null,
  ): T | null {
    for (const [place, field] of fields.entries()) {
      const answer = this.answer(field);
      if (answer === undefined || typeof answer.value !== 'string') continue;
      const value = isLegible(answer.value) ? read(answer.value) : null;
      if (value !== null) {
        this.note(name, value, place > 0 && this.#source === 'form' ? fallback(answer) : answer);
        return value;
      }
      this.missed(name, answer);
    }
    return null;
  }

  /** Records a field that holds something other than a valid value. */
  missed(name: string, { page, field }: Omit<Answer, 'value'>): void {
    this.unread.push({ name, page, field: plainText(field) ?? '' });
  }

  note(name: string, value: string | number, { page, field, confidence }: Omit<Answer, 'value'>): void {
    this.values.push({ name, value, page, field: plainText(field) ?? '', confidence });
  }
}

const fallback = (answer: Answer): Answer => ({ ...answer, confidence: OTHER_EDITION_CONFIDENCE });

/** Values are recorded in dollars, as displayed. */
export function readDollars(text: string): number | null {
  const cents = readMoney(text);
  return cents === null ? null : cents / 100;
}
