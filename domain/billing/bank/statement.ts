// A bank statement for the trust account, as read from a file. Decision 0135.
import type { BusinessDate } from '../../dates.ts';
import { plainText } from '../../document/read-values.ts';
import { type DomainError, validationError } from '../../errors.ts';
import type { Cents } from '../../money.ts';

export const STATEMENT_FORMATS = ['csv', 'camt.053'] as const;
export type StatementFormat = (typeof STATEMENT_FORMATS)[number];

/** Maximum lines in a statement: a month of a busy account. */
export const STATEMENT_MAX_LINES = 5_000;
/** Its maximum size in bytes. */
export const STATEMENT_MAX_BYTES = 4_194_304;

/** A booking by the bank; positive for money in. */
export interface StatementLine {
  bookedOn: BusinessDate;
  amountCents: Cents;
  /** The bank's, the payer's or our own name for it: a check number, a transfer reference. */
  reference: string;
  description: string;
  /** The bank's own id for the booking, the same in every statement; null if it gives none. */
  bankId: string | null;
}

/** A booking with its position in the file, for messages: `Row 3`. */
export interface ReadLine extends StatementLine {
  place: string;
}

const REFERENCE_LENGTH = 200;
const DESCRIPTION_LENGTH = 2_000;

/** A booking with each text on one line, without control characters, cut to the stored length. */
export function withPlainTexts(line: ReadLine): ReadLine {
  return {
    ...line,
    reference: plainText(line.reference, REFERENCE_LENGTH) ?? '',
    description: plainText(line.description, DESCRIPTION_LENGTH) ?? '',
  };
}

/** The bank's statement number as stored. */
export function statementNumber(text: string): string | null {
  return plainText(text, REFERENCE_LENGTH);
}

export interface ReadStatement {
  /** The bank's statement number. */
  number: string | null;
  /** The account number; empty if the file does not give it. */
  account: string;
  from: BusinessDate;
  to: BusinessDate;
  /** Whether these days were stated; otherwise they are those of the first and last bookings. */
  saysDays: boolean;
  openingCents: Cents | null;
  closingCents: Cents | null;
  lines: ReadLine[];
}

/** The format of a file by its media type; null for any other. */
export function formatOf(contentType: string | undefined): StatementFormat | null {
  const type = (contentType ?? '').split(';')[0]?.trim().toLowerCase();
  if (type === 'text/csv' || type === 'application/csv') return 'csv';
  if (type === 'application/xml' || type === 'text/xml') return 'camt.053';
  return null;
}

/** The refusal of a file that is not a statement. */
export function unreadable(message: string): DomainError {
  return validationError('file', 'format', message);
}

const AMOUNT = /^([+-]?)(\d{1,3}(?:,\d{3}){1,3}|\d{1,12})(?:\.(\d{1,2}))?$/;

/** A billion dollars: sums over as many lines as a statement may have are still safe integers. */
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
