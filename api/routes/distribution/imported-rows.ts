// The rows of an import as they come from a table: cells assembled, checked and counted. Nothing here touches the
// database.
import { csvRecords } from '../../../domain/csv.ts';
import { numberKey } from '../../../domain/distribution/producer.ts';
import { type ValidationIssue, validationError } from '../../../domain/errors.ts';
import { check } from '../../../http/validation.ts';
import { IMPORT_COLUMNS, type ImportedRow, ImportedRowSchema, REQUIRED_COLUMNS } from './producer-import.schemas.ts';

/** A header without commas is one long name. */
const COLUMN_SHOWN_CHARACTERS = 60;

/** A table row: its contents, or what is wrong with it. The header is row 1. */
export type ReadRow = { row: number } & ({ imported: ImportedRow } | { issues: readonly ValidationIssue[] });

/**
 * Reads the rows of a table.
 * @throws DomainError validation_failed for a header with a missing, repeated or unknown column, or a table that is too
 * long
 */
export async function* importedRows(text: AsyncIterable<string>, most: number): AsyncGenerator<ReadRow> {
  let header: string[] | null = null;
  let row = 0;
  for await (const record of csvRecords(text)) {
    row += 1;
    if (header === null) header = headerOf(record);
    else if (row > most + 1) throw validationError('file', 'max', `The file must have at most ${most} rows.`);
    else yield { row, ...readRow(header, record) };
  }
  if (header === null) throw validationError('file', 'required', 'The file must begin with a header.');
}

/**
 * Finds the rows that contradict an earlier row for the same producer number: every reimport would change them again. A
 * row that only adds another license is no contradiction.
 */
export function withoutContradictions(rows: readonly ReadRow[]): ReadRow[] {
  const seen = new Map<string, { row: number; facts: Facts }>();
  return rows.map((read) => {
    if ('issues' in read) return read;
    const { row, imported } = read;
    const key = numberKey(imported.npn);
    const first = seen.get(key);
    const facts = factsOf(imported);
    const field = Object.keys(facts).find(
      (name) => first?.facts[name] !== undefined && first.facts[name] !== facts[name],
    );
    if (first === undefined || field === undefined) {
      seen.set(key, { row: first?.row ?? row, facts: { ...facts, ...first?.facts } });
      return read;
    }
    const message = `Row ${first.row} has the same producer number and contradicts this row.`;
    return { row, issues: [{ field: field.split(' ', 1)[0] ?? field, rule: 'format', message }] };
  });
}

/** What a row says about a producer, by cell; about a license, by its state and number. */
type Facts = Record<string, string>;

function factsOf({ npn: _npn, address, license, ...contact }: ImportedRow): Facts {
  const cellsOf = (what: string, of: object = {}) =>
    Object.entries(of).map(([cell, value]) => [`${what} ${cell}`, value] as const);
  const said = [
    ...Object.entries(contact),
    ...cellsOf('address', address),
    ...(license ? cellsOf(`license ${license.state} ${license.number}`, license) : []),
  ];
  const given = said.filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([field, value]) => [field, JSON.stringify(value)]));
}

/** Decodes the bytes of a file. @throws DomainError validation_failed for bytes that are not UTF-8 */
export async function* decodedText(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const piece of pieces) yield decoder.decode(piece, { stream: true });
    yield decoder.decode();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw validationError('file', 'format', 'The file must be text in UTF-8.');
  }
}

function headerOf(record: readonly string[]): string[] {
  const names = record.map((name) => name.replace('\uFEFF', '').trim());
  const unknown = names.find((name) => !(IMPORT_COLUMNS as readonly string[]).includes(name));
  if (unknown !== undefined) {
    const column = unknown.slice(0, COLUMN_SHOWN_CHARACTERS);
    const message = `The header has an unknown column, "${column}". Separate columns with commas, and spell the names exactly as in details.allowed, including capital letters.`;
    throw validationError('file', 'unknown_field', message, { column, allowed: [...IMPORT_COLUMNS] });
  }
  const missing = REQUIRED_COLUMNS.find((name) => !names.includes(name));
  if (missing !== undefined)
    throw validationError('file', 'required', `The column ${missing} is missing from the header.`);
  const repeated = names.find((name, index) => names.indexOf(name) < index);
  if (repeated !== undefined) throw validationError('file', 'format', `The header repeats the column ${repeated}.`);
  return names;
}

function readRow(header: readonly string[], record: readonly string[]) {
  if (record.length > header.length) {
    return { issues: [{ field: 'row', rule: 'format', message: 'The row has more fields than the header.' } as const] };
  }
  const cells = Object.fromEntries(header.map((name, index) => [name, record[index]?.trim() || undefined]));
  const checked = check(ImportedRowSchema, shapeOf(cells));
  return checked.ok ? { imported: checked.value as ImportedRow } : { issues: checked.issues };
}

type Cells = Partial<Record<string, string>>;

/** Blank cells are omitted and change nothing. */
function shapeOf(cells: Cells): object {
  const { npn, name, email, phone, line1, line2, city, state, postalCode } = cells;
  const { licenseState, licenseNumber, licenseLines, licenseStatus, licenseExpiration } = cells;
  const address = given({ line1, line2, city, state, postalCode });
  const license = given({
    ...{ state: licenseState, number: licenseNumber, status: licenseStatus, expirationDate: licenseExpiration },
    lines: licenseLines?.split(';').map((line) => line.trim()),
  });
  return given({ npn, name, email, phone, address, license }) ?? {};
}

/** The fields with a value; undefined if there are none. */
function given(fields: Record<string, unknown>): object | undefined {
  const said = Object.entries(fields).filter(([, value]) => value !== undefined);
  return said.length === 0 ? undefined : Object.fromEntries(said);
}
