// A statement of the bank for the trust account, as it was read from a file. Decision 0135.
import type { BusinessDate } from '../../dates.ts';
import { plainText } from '../../document/read-values.ts';
import { type DomainError, validationError } from '../../errors.ts';
import type { Cents } from '../../money.ts';

export const STATEMENT_FORMATS = ['csv', 'camt.053'] as const;
export type StatementFormat = (typeof STATEMENT_FORMATS)[number];

/** Lines of a statement at the most: a month of a busy account. */
export const STATEMENT_MAX_LINES = 5_000;
/** Its bytes at the most. */
export const STATEMENT_MAX_BYTES = 4_194_304;

/** A booking of the bank; positive where money came in. */
export interface StatementLine {
  bookedOn: BusinessDate;
  amountCents: Cents;
  /** What the bank, the payer or we ourselves call it: a check number, the reference of a transfer. */
  reference: string;
  description: string;
  /** The bank's own id of the booking, the same in every statement; null where it gives none. */
  bankId: string | null;
}

/** A booking with where the file has it, for messages: `Row 3`. */
export interface ReadLine extends StatementLine {
  place: string;
}

const REFERENCE_LENGTH = 200;
const DESCRIPTION_LENGTH = 2_000;

/** A booking with its texts in one line each, without control characters, cut to what is kept. */
export function withPlainTexts(line: ReadLine): ReadLine {
  return {
    ...line,
    reference: plainText(line.reference, REFERENCE_LENGTH) ?? '',
    description: plainText(line.description, DESCRIPTION_LENGTH) ?? '',
  };
}

/** The bank's number of a statement as it is kept. */
export function statementNumber(text: string): string | null {
  return plainText(text, REFERENCE_LENGTH);
}

export interface ReadStatement {
  /** The bank's number of the statement. */
  number: string | null;
  /** The number of the account; empty where the file does not name it. */
  account: string;
  from: BusinessDate;
  to: BusinessDate;
  /** Whether somebody says these days; else they are those of the first and the last booking. */
  saysDays: boolean;
  openingCents: Cents | null;
  closingCents: Cents | null;
  lines: ReadLine[];
}

/** The format that a file has by its media type; null for another one. */
export function formatOf(contentType: string | undefined): StatementFormat | null {
  const type = (contentType ?? '').split(';')[0]?.trim().toLowerCase();
  if (type === 'text/csv' || type === 'application/csv') return 'csv';
  if (type === 'application/xml' || type === 'text/xml') return 'camt.053';
  return null;
}

/** The refusal of a file that is no statement. */
export function unreadable(message: string): DomainError {
  return validationError('file', 'format', message);
}

const AMOUNT = /^([+-]?)(\d{1,3}(?:,\d{3}){1,3}|\d{1,12})(?:\.(\d{1,2}))?$/;

/** A thousand million dollars: sums of as many as a statement has are still whole numbers. */
const LARGEST_CENTS = 100_000_000_000;

/**
 * Reads an amount as American banks write it: `1,234.50`, `-7`, `(7.00)`, `$7`. Null for anything else; `1.230` is
 * 1,230 to some and 1.23 to others.
 */
export function centsIn(text: string): Cents | null {
  const plain = text.trim().replace('$', '');
  const inBrackets = /^\((.*)\)$/.exec(plain);
  const found = AMOUNT.exec((inBrackets?.[1] ?? plain).trim());
  if (found === null) return null;
  const [, sign, whole = '', part = ''] = found;
  if (inBrackets !== null && sign !== '') return null;
  const cents = Number(whole.replaceAll(',', '')) * 100 + Number(part.padEnd(2, '0'));
  if (cents > LARGEST_CENTS) return null;
  return (sign === '-' || inBrackets !== null) && cents !== 0 ? -cents : cents;
}
