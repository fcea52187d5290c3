// What a version of a bordereau changes from the previous one. Both are read row by row in the same order, so that
// neither has to be in memory. Domain facts 3.10.
import { type BordereauCell, ROW_KEY, type WrittenRow } from './bordereau-columns.ts';

export type Change = 'added' | 'removed' | 'changed';

/** One row that differs. */
export interface RowDifference {
  change: Change;
  policyNumber: string;
  reference: string;
  /** For a changed row only. */
  columns: { column: string; before: BordereauCell; after: BordereauCell }[];
}

/** The number of rows that differ, and the first of them. */
export interface Differences {
  added: number;
  removed: number;
  changed: number;
  rows: RowDifference[];
}

/** The number of rows listed in a response; the differences file lists all. */
const NAMED = 100;

export const NO_DIFFERENCES: Differences = { added: 0, removed: 0, changed: 0, rows: [] };

/** Counts a difference, and lists it while there is room. */
export function countDifference(sum: Differences, difference: RowDifference): Differences {
  const rows = sum.rows.length < NAMED ? [...sum.rows, difference] : sum.rows;
  return { ...sum, [difference.change]: sum[difference.change] + 1, rows };
}

/** Compares the rows of a version with the previous one's as they arrive; `before` is in the same order. */
export class Comparison {
  readonly #before: AsyncIterator<WrittenRow>;
  #next: WrittenRow | null = null;
  #hasBegun = false;

  constructor(before: AsyncIterable<WrittenRow>) {
    this.#before = before[Symbol.asyncIterator]();
  }

  /** Takes the new version's next rows and returns the differences up to the last of them. */
  async take(rows: readonly WrittenRow[]): Promise<RowDifference[]> {
    const found: RowDifference[] = [];
    for (const row of rows) {
      let before = await this.#current();
      for (; before !== null && compareKeys(before, row) < 0; before = await this.#advance()) {
        found.push(differenceOf('removed', before));
      }
      if (before === null || compareKeys(before, row) > 0) found.push(differenceOf('added', row));
      else {
        const columns = changedColumns(before, row);
        if (columns.length > 0) found.push({ ...differenceOf('changed', row), columns });
        await this.#advance();
      }
    }
    return found;
  }

  /** Returns the rows that the new version no longer has, a page at a time, after its last row. */
  async *rest(): AsyncGenerator<RowDifference> {
    for (let before = await this.#current(); before !== null; before = await this.#advance()) {
      yield differenceOf('removed', before);
    }
  }

  async #current(): Promise<WrittenRow | null> {
    return this.#hasBegun ? this.#next : this.#advance();
  }

  async #advance(): Promise<WrittenRow | null> {
    this.#hasBegun = true;
    const { done, value } = await this.#before.next();
    this.#next = done ? null : value;
    return this.#next;
  }
}

function differenceOf(change: Change, row: WrittenRow): RowDifference {
  const [policyNumber, reference] = ROW_KEY.map((name) => String(row[name])) as [string, string];
  return { change, policyNumber, reference, columns: [] };
}

function compareKeys(one: WrittenRow, other: WrittenRow): number {
  for (const name of ROW_KEY) {
    const [a, b] = [String(one[name]), String(other[name])];
    if (a !== b) return a < b ? -1 : 1;
  }
  return 0;
}

function changedColumns(before: WrittenRow, after: WrittenRow): RowDifference['columns'] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names]
    .map((column) => ({ column, before: before[column] ?? null, after: after[column] ?? null }))
    .filter((each) => each.before !== each.after);
}
