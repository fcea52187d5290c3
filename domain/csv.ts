// Comma-separated values: read as people export them, with quoted fields and either line ending, piece by piece; and
// written so that a spreadsheet executes nothing in them. RFC 4180.
import { validationError } from './errors.ts';

/** A spreadsheet would execute a value that begins like a formula, in some languages with a full-width sign too. */
const FORMULA = /^[=+\-@\t\r＝＋－＠]/;

/** No exported table is wider, and a file of nothing but commas would be a record of millions of fields. */
const MOST_FIELDS = 500;

/** Writes one record with its line ending. Text entered by a person is never a formula. */
export function csvLine(fields: readonly unknown[]): string {
  return `${fields.map(csvField).join(',')}\r\n`;
}

function csvField(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = String(value);
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/**
 * Reads the records of a text that arrives in pieces; a record is a list of fields. Blank lines are skipped.
 * @throws DomainError validation_failed on `file` for an unterminated quote, and for a row with too many fields
 */
export async function* csvRecords(pieces: AsyncIterable<string>): AsyncGenerator<string[]> {
  const reader = new CsvReader();
  for await (const piece of pieces) yield* reader.read(piece);
  yield* reader.end();
}

class CsvReader {
  #field = '';
  #record: string[] = [];
  #isQuoted = false;
  /**
   * The last character was a quote within a quoted field: it ends the field, unless a second quote follows, which
   * means a literal quote.
   */
  #sawQuote = false;

  *read(piece: string): Generator<string[]> {
    for (const character of piece) {
      if (this.#isQuoted) this.#readQuoted(character);
      else yield* this.#readPlain(character);
    }
  }

  *end(): Generator<string[]> {
    if (this.#isQuoted)
      throw validationError('file', 'format', 'A quoted cell in the file is missing its closing quote.');
    yield* this.#readPlain('\n');
  }

  #readQuoted(character: string): void {
    if (character === '"') {
      this.#isQuoted = false;
      this.#sawQuote = true;
    } else this.#field += character;
  }

  *#readPlain(character: string): Generator<string[]> {
    const follows = this.#sawQuote;
    this.#sawQuote = false;
    if (character === '"' && (follows || this.#field === '')) {
      this.#isQuoted = true;
      if (follows) this.#field += '"';
    } else if (character === ',') this.#endField();
    else if (character === '\n') yield* this.#endRecord();
    else if (character !== '\r') this.#field += character;
  }

  #endField(): void {
    if (this.#record.length === MOST_FIELDS) {
      throw validationError('file', 'max', `A row of the table must have at most ${MOST_FIELDS} cells.`);
    }
    this.#record.push(this.#field);
    this.#field = '';
  }

  *#endRecord(): Generator<string[]> {
    if (this.#record.length === 0 && this.#field.trim() === '') {
      this.#field = '';
      return;
    }
    this.#endField();
    const record = this.#record;
    this.#record = [];
    yield record;
  }
}
