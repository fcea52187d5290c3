// The losses of a loss run: one claim per row, with totals if every row was read. A partly read history looks better
// than it is, so it has no totals and a person must review it. Pure. Contract 3.5 "ingest".
import { isNothing, plainText, readDate, readMoney } from './read-values.ts';
import { type Columns, type Row, rowsOf } from './table.ts';
import type { TextLine } from './text-layout.ts';

const ROWS_MAX = 500;

const COLUMNS = {
  claimNumber: ['claim number', 'claim no', 'claim', 'claim id', 'file number'],
  lossDate: ['date of loss', 'loss date', 'dol', 'occurrence date', 'date of occurrence', 'accident date'],
  reportedDate: ['date reported', 'reported', 'report date'],
  description: ['description', 'cause', 'cause of loss', 'loss description', 'claimant description'],
  claimant: ['claimant', 'claimant name'],
  status: ['status', 'open closed', 'claim status'],
  paid: ['paid', 'total paid', 'amount paid', 'net paid', 'loss paid'],
  reserved: ['reserve', 'reserves', 'reserved', 'outstanding', 'total reserve', 'outstanding reserve'],
  incurred: ['incurred', 'total incurred', 'net incurred'],
} as const satisfies Columns<string>;

type LossRow = Row<keyof typeof COLUMNS>;

const AMOUNTS = ['paid', 'reserved', 'incurred'] as const;
/** Amounts that differ by less than this are equal. */
const HALF_A_CENT = 0.005;
const NO_LOSSES = /\b(?:no|nil|zero|without)\b[a-z ]{0,40}\b(?:loss(?:es)?|claims?)\b|\bnone reported\b/i;
const TOTAL = /\btotals?\b/i;
const PRINTED_TOTAL = /\btotal (paid|reserved?|reserves|incurred)\b[\s:]*(\(?-?\$?\d[\d,]*(?:\.\d{1,2})?\)?)/gi;
const PRINTED_KEYS: Readonly<Record<string, (typeof AMOUNTS)[number]>> = {
  ...{ paid: 'paid', reserve: 'reserved', reserved: 'reserved', reserves: 'reserved', incurred: 'incurred' },
};
const LINE_MAX_CHARACTERS = 2_000;

interface Losses {
  losses: ReturnType<typeof lossOf>[];
  /** Sums of the rows, in dollars; absent if a row or a total could not be read, or if they disagree. */
  totals?: Totals;
}

type Totals = { count: number } & Record<(typeof AMOUNTS)[number], number>;

/** Reads the losses of a loss run. */
export function readLosses(lines: readonly TextLine[]): Losses {
  const { rows, others } = rowsOf(lines, COLUMNS, isRow);
  const losses = rows.slice(0, ROWS_MAX).map(lossOf);
  const sum = (key: (typeof AMOUNTS)[number]) =>
    losses.reduce((total, loss) => total + Math.round((loss[key] ?? 0) * 100), 0) / 100;
  const totals = { count: losses.length, paid: sum('paid'), reserved: sum('reserved'), incurred: sum('incurred') };
  const isWhole =
    rows.length <= ROWS_MAX &&
    rows.every(isReadWhole) &&
    !others.some((row) => isLostRow(row) || contradicts(row, totals)) &&
    !printedTotals(lines).some(([key, dollars]) => dollars === null || differ(dollars, totals[key])) &&
    (rows.length > 0 || saysNoLosses(lines));
  return isWhole ? { losses, totals } : { losses };
}

/** Whether every loss of a loss run was read. */
export function isWholeLossRun(values: Readonly<Record<string, unknown>>): boolean {
  return values.totals !== undefined;
}

const isRow = ({ lossDate }: LossRow): boolean => lossDate !== undefined && readDate(lossDate) !== null;

const isTotal = (row: LossRow): boolean => Object.values(row).some((text) => TOTAL.test(text));

/** Whether every amount of a row was read, and whether they add up. */
function isReadWhole(row: LossRow): boolean {
  if (AMOUNTS.some((key) => row[key] !== undefined && amountOf(row[key]) === null)) return false;
  const [paid, reserved, incurred] = [amountOf(row.paid), amountOf(row.reserved), amountOf(row.incurred)];
  return paid === null || reserved === null || incurred === null || !differ(incurred, added(paid, reserved));
}

/** Whether a line is a loss with an unreadable date: it has a number or an amount and is not a total. */
function isLostRow(row: LossRow): boolean {
  if (isTotal(row)) return false;
  return row.lossDate !== undefined && /\d/.test([row.claimNumber, ...AMOUNTS.map((key) => row[key])].join(''));
}

/** Whether a line of totals disagrees with the rows. */
function contradicts(row: LossRow, totals: Totals): boolean {
  if (!isTotal(row)) return false;
  return AMOUNTS.some((key) => {
    const dollars = /\d/.test(row[key] ?? '') ? amountOf(row[key]?.replace(TOTAL, '')) : undefined;
    return dollars === null || (dollars !== undefined && differ(dollars, totals[key]));
  });
}

/** The totals on lines of their own, such as `Total incurred $8,700.00`; null for one that cannot be read. */
function printedTotals(lines: readonly TextLine[]): [(typeof AMOUNTS)[number], number | null][] {
  return lines.flatMap((line) => {
    const text = textOfLine(line);
    return [...text.matchAll(PRINTED_TOTAL)].map(([, word = '', amount = '']) => {
      return [PRINTED_KEYS[word.toLowerCase()] ?? 'incurred', amountOf(amount)] as [(typeof AMOUNTS)[number], number];
    });
  });
}

const saysNoLosses = (lines: readonly TextLine[]): boolean => lines.some((line) => NO_LOSSES.test(textOfLine(line)));

const textOfLine = (line: TextLine): string =>
  line
    .map(({ text }) => text)
    .join(' ')
    .slice(0, LINE_MAX_CHARACTERS);

function lossOf(row: LossRow) {
  const [paid, reserved] = [amountOf(row.paid), amountOf(row.reserved)];
  return {
    claimNumber: textOrNull(row.claimNumber),
    lossDate: readDate(row.lossDate ?? ''),
    description: textOrNull(row.description),
    status: textOrNull(row.status)?.toLowerCase() ?? null,
    paid,
    reserved,
    incurred: amountOf(row.incurred) ?? (paid === null && reserved === null ? null : added(paid ?? 0, reserved ?? 0)),
  };
}

const added = (first: number, second: number): number => Math.round((first + second) * 100) / 100;

const differ = (first: number, second: number): boolean => Math.abs(first - second) > HALF_A_CENT;

const textOrNull = (text: string | undefined): string | null => (text === undefined ? null : plainText(text));

/** Dollars; unlike other amounts, a loss may be zero. */
function amountOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (isNothing(text)) return 0;
  const cents = readMoney(text);
  return cents === null ? null : cents / 100;
}
