/**
 * Writes the files of one bordereau version: the same rows in every format, with totals, and the differences from the
 * previous version. Only a page of rows is in memory.
 */
import {
  BORDEREAU_FORMATS,
  type BordereauFormat,
  type BordereauKind,
  type BordereauSubject,
  DIFFERENCES_FILE,
} from '../../domain/insight/bordereau.ts';
import {
  addToTotals,
  BORDEREAU_COLUMNS,
  type BordereauRow,
  type Column,
  noTotals,
  type Totals,
  type WrittenRow,
  writtenRow,
} from '../../domain/insight/bordereau-columns.ts';
import {
  Comparison,
  countDifference,
  type Differences,
  NO_DIFFERENCES,
  type RowDifference,
} from '../../domain/insight/bordereau-differences.ts';
import {
  csvHead,
  csvRows,
  DIFFERENCES_HEAD,
  differenceLines,
  jsonFoot,
  jsonHead,
  jsonRows,
} from '../../domain/insight/bordereau-text.ts';
import { ScratchFile } from '../../providers/files/scratch-file.ts';
import { XlsxWriter } from '../../providers/files/xlsx.ts';

export type FileName = BordereauFormat | typeof DIFFERENCES_FILE;

/** A written file. */
export interface WrittenFile {
  name: FileName;
  contentType: string;
  file: ScratchFile;
}

export class BordereauFiles {
  readonly #columns: readonly Column[];
  readonly #files: Readonly<Record<FileName, ScratchFile>>;
  readonly #sheet: XlsxWriter;
  readonly #comparison: Comparison | null;
  #totals: Totals;
  #differences: Differences = NO_DIFFERENCES;
  #rowCount = 0;

  private constructor(
    kind: BordereauKind,
    files: Record<FileName, ScratchFile>,
    before: AsyncIterable<WrittenRow> | null,
  ) {
    this.#columns = BORDEREAU_COLUMNS[kind];
    this.#files = files;
    this.#totals = noTotals(this.#columns);
    this.#comparison = before && new Comparison(before);
    const columns = this.#columns.map(({ name, type }) => ({ name, isMoney: type === 'sum' || type === 'money' }));
    this.#sheet = new XlsxWriter({ sheet: kind, columns, write: (bytes) => files.xlsx.write(bytes) });
  }

  /** Begins the files. @param before the previous version's rows, in order; null if there is none */
  static async begin(
    subject: BordereauSubject,
    folder: string,
    before: AsyncIterable<WrittenRow> | null,
  ): Promise<BordereauFiles> {
    const made: ScratchFile[] = [];
    const scratch = async () => {
      const file = await ScratchFile.in(folder);
      made.push(file);
      return file;
    };
    try {
      const formats = { csv: await scratch(), json: await scratch(), xlsx: await scratch() };
      const files = { ...formats, differences: await scratch() };
      await files.csv.write(csvHead(BORDEREAU_COLUMNS[subject.kind]));
      await files.json.write(jsonHead(subject));
      await files.differences.write(DIFFERENCES_HEAD);
      return new BordereauFiles(subject.kind, files, before);
    } catch (error) {
      await Promise.all(made.map((file) => file.discard()));
      throw error;
    }
  }

  /** Adds rows, in order. */
  async add(rows: readonly BordereauRow[]): Promise<void> {
    const written = rows.map((row) => writtenRow(this.#columns, row));
    await this.#files.csv.write(csvRows(this.#columns, written));
    await this.#files.json.write(jsonRows(written, this.#rowCount === 0));
    await this.#sheet.rows(written.map((row) => this.#columns.map(({ name }) => row[name] ?? null)));
    for (const difference of (await this.#comparison?.take(written)) ?? []) await this.#differ(difference);
    this.#totals = addToTotals(this.#totals, rows);
    this.#rowCount += rows.length;
  }

  /** Writes the closing parts, and returns the bordereau's totals. */
  async end(): Promise<{ rowCount: number; totals: Totals; differences: Differences | null }> {
    const [rowCount, totals] = [this.#rowCount, this.#totals];
    await this.#files.json.write(jsonFoot(this.#columns, totals, rowCount));
    await this.#sheet.end();
    if (this.#comparison === null) return { rowCount, totals, differences: null };
    for await (const difference of this.#comparison.rest()) await this.#differ(difference);
    return { rowCount, totals, differences: this.#differences };
  }

  /** The written files; the differences only if there was something to compare with. */
  get files(): WrittenFile[] {
    const formats = Object.entries(BORDEREAU_FORMATS) as [BordereauFormat, string][];
    const files = formats.map(([name, contentType]) => ({ name, contentType, file: this.#files[name] }));
    if (this.#comparison === null) return files;
    const { csv: contentType } = BORDEREAU_FORMATS;
    return [...files, { name: DIFFERENCES_FILE, contentType, file: this.#files.differences }];
  }

  /** Discards them. */
  async discard(): Promise<void> {
    await Promise.all(Object.values(this.#files).map((file) => file.discard()));
  }

  async #differ(difference: RowDifference): Promise<void> {
    this.#differences = countDifference(this.#differences, difference);
    await this.#files.differences.write(differenceLines(difference));
  }
}
