// Writes a spreadsheet (Office Open XML) row by row: text is never a formula, and the same rows give the same bytes.
// When a sheet is full, another follows. ECMA-376 part 1, 18.3.
import { strToU8, Zip, ZipDeflate, ZipPassThrough } from 'fflate';
import { escapedXml } from '../../domain/text.ts';

export interface XlsxColumn {
  name: string;
  /** Written with two decimals. */
  isMoney: boolean;
}

export type XlsxCell = string | number | boolean | null;

export interface XlsxOptions {
  /** The sheet's name; further sheets get a number appended. */
  sheet: string;
  columns: readonly XlsxColumn[];
  /** Receives the bytes in order. */
  write: (bytes: Uint8Array) => Promise<void>;
  /** Rows of a sheet, not counting its header. */
  rowsOfASheet?: number;
}

/** Excel takes 1,048,576 rows. */
const ROWS_OF_A_SHEET = 1_000_000;
/** The earliest time the format can express, in local fields: the same bytes in every time zone. */
const NO_TIME = new Date(1980, 0, 1);
const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const CONTENT = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
/** Styles by their index in `styles.xml`. */
const STYLE = { head: 1, money: 2 } as const;

export class XlsxWriter {
  readonly #options: Required<XlsxOptions>;
  readonly #zip: Zip;
  readonly #chunks: Uint8Array[] = [];
  #sheet: ZipDeflate | null = null;
  #sheets = 0;
  #rows = 0;

  constructor(options: XlsxOptions) {
    this.#options = { rowsOfASheet: ROWS_OF_A_SHEET, ...options };
    this.#zip = new Zip((error, chunk) => {
      if (error) throw error;
      this.#chunks.push(chunk);
    });
  }

  /** Adds rows. */
  async rows(rows: readonly (readonly XlsxCell[])[]): Promise<void> {
    let text = '';
    for (const row of rows) {
      if (this.#sheet === null || this.#rows === this.#options.rowsOfASheet) {
        this.#push(text);
        text = this.#nextSheet();
      }
      this.#rows += 1;
      text += this.#rowXml(row, this.#rows + 1);
    }
    this.#push(text);
    await this.#drain();
  }

  /** Finishes the file; nothing may be added after this. */
  async end(): Promise<void> {
    if (this.#sheet === null) this.#push(this.#nextSheet());
    this.#endSheet();
    for (const [path, content] of this.#frame()) {
      const part = new ZipPassThrough(path);
      part.mtime = NO_TIME;
      this.#zip.add(part);
      part.push(strToU8(XML + content), true);
    }
    this.#zip.end();
    await this.#drain();
  }

  /** Starts a sheet and returns its XML up to the header row. */
  #nextSheet(): string {
    this.#endSheet();
    this.#sheets += 1;
    this.#rows = 0;
    this.#sheet = new ZipDeflate(`xl/worksheets/sheet${this.#sheets}.xml`, { level: 6 });
    this.#sheet.mtime = NO_TIME;
    this.#zip.add(this.#sheet);
    const frozen = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>';
    const views = `<sheetViews><sheetView workbookViewId="0">${frozen}</sheetView></sheetViews>`;
    const names = this.#options.columns.map(({ name }, at) => textCell(`${columnName(at)}1`, name, STYLE.head));
    return `${XML}<worksheet xmlns="${MAIN}">${views}<sheetData><row r="1">${names.join('')}</row>`;
  }

  #endSheet(): void {
    this.#sheet?.push(strToU8('</sheetData></worksheet>'), true);
  }

  #rowXml(row: readonly XlsxCell[], number: number): string {
    const cells = this.#options.columns.map(({ isMoney }, at) => {
      const place = `${columnName(at)}${number}`;
      const cell = row[at] ?? null;
      if (cell === null) return '';
      if (typeof cell === 'boolean') return `<c r="${place}" t="b"><v>${Number(cell)}</v></c>`;
      if (typeof cell === 'string') return textCell(place, cell);
      return `<c r="${place}"${isMoney ? ` s="${STYLE.money}"` : ''}><v>${cell}</v></c>`;
    });
    return `<row r="${number}">${cells.join('')}</row>`;
  }

  #push(text: string): void {
    if (text !== '') this.#sheet?.push(strToU8(text));
  }

  async #drain(): Promise<void> {
    for (const chunk of this.#chunks.splice(0)) await this.#options.write(chunk);
  }

  /** The files that tie the sheets together, by path. */
  #frame(): [path: string, content: string][] {
    const numbers = Array.from({ length: this.#sheets }, (_, index) => index + 1);
    const name = escapedXml(this.#options.sheet);
    const sheets = numbers.map((n) => `<sheet name="${name}${n === 1 ? '' : ` ${n}`}" sheetId="${n}" r:id="rId${n}"/>`);
    const related = numbers.map((n) => relationship(`rId${n}`, 'worksheet', `worksheets/sheet${n}.xml`));
    const parts = numbers.map((n) => override(`/xl/worksheets/sheet${n}.xml`, 'worksheet'));
    return [
      [
        'xl/workbook.xml',
        `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${sheets.join('')}</sheets></workbook>`,
      ],
      ['xl/_rels/workbook.xml.rels', relationships(...related, relationship('rIdStyles', 'styles', 'styles.xml'))],
      ['xl/styles.xml', STYLES],
      ['_rels/.rels', relationships(relationship('rId1', 'officeDocument', 'xl/workbook.xml'))],
      ['[Content_Types].xml', contentTypes(parts)],
    ];
  }
}

const STYLES = `<styleSheet xmlns="${MAIN}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/><xf numFmtId="4" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs></styleSheet>`;

function contentTypes(parts: readonly string[]): string {
  const defaults = [
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>',
    '<Default Extension="xml" ContentType="application/xml"/>',
  ];
  const own = [override('/xl/workbook.xml', 'sheet.main'), override('/xl/styles.xml', 'styles'), ...parts];
  return `<Types xmlns="${PACKAGE}/content-types">${[...defaults, ...own].join('')}</Types>`;
}

function override(part: string, kind: string): string {
  return `<Override PartName="${part}" ContentType="${CONTENT}.${kind}+xml"/>`;
}

function relationships(...each: string[]): string {
  return `<Relationships xmlns="${PACKAGE}/relationships">${each.join('')}</Relationships>`;
}

function relationship(id: string, kind: string, target: string): string {
  return `<Relationship Id="${id}" Type="${OFFICE}/${kind}" Target="${target}"/>`;
}

function textCell(place: string, text: string, style?: number): string {
  const styled = style === undefined ? '' : ` s="${style}"`;
  return `<c r="${place}"${styled} t="inlineStr"><is><t xml:space="preserve">${escapedXml(text)}</t></is></c>`;
}

const LETTERS = 26;
const FIRST_LETTER = 65;

/** `A` to `Z`, `AA`, … for columns from 0. */
function columnName(at: number): string {
  const last = String.fromCharCode(FIRST_LETTER + (at % LETTERS));
  return at < LETTERS ? last : columnName(Math.floor(at / LETTERS) - 1) + last;
}
