// Maps bank statements from rows to the wire. Pure.
import type { BankLine } from '../../../../db/entities/billing/bank-line.ts';
import type { BankStatement } from '../../../../db/entities/billing/bank-statement.ts';
import type { Movement } from '../../../../db/queries/billing/bank/movements.ts';
import { toDollars } from '../../../../domain/money.ts';
import { instantToWire } from '../charges.wire.ts';
import type { BankLineWire, BankMovementWire, BankStatementWire } from './bank-statements.schemas.ts';

interface Counts {
  matched: number;
  open: number;
  openCents: number;
}

const NONE: Counts = { matched: 0, open: 0, openCents: 0 };

/** Returns a statement with the count of its matched bookings. */
export function statementToWire(row: BankStatement, counts: Counts = NONE): BankStatementWire {
  const { id, orgId, format, number, account, fromDate, toDate, lineCount, newLineCount, fileName, uploadedBy } = row;
  return {
    ...{ id, orgId, format, number, account: account || null, from: fromDate, to: toDate },
    ...{ lineCount, newLineCount, fileName, uploadedBy, withdrawnBy: row.withdrawnBy, wholeUntil: row.wholeUntil },
    withdrawnAt: row.withdrawnAt && instantToWire(row.withdrawnAt),
    openingBalance: row.openingCents === null ? null : toDollars(row.openingCents),
    closingBalance: row.closingCents === null ? null : toDollars(row.closingCents),
    matchedCount: counts.matched,
    unmatchedCount: counts.open,
    unmatchedAmount: toDollars(counts.openCents),
    createdAt: instantToWire(row.createdAt),
    updatedAt: instantToWire(row.updatedAt),
  };
}

/** Returns a booking with its matched movements. */
export function bankLineToWire(row: BankLine, movements: readonly Movement[] = []): BankLineWire {
  const { id, orgId, bankStatementId, bookedOn, reference, description, matchRule, matchedBy, matchedAt } = row;
  return {
    ...{ id, orgId, statementId: bankStatementId, bookedOn, reference, description },
    amount: toDollars(row.amountCents),
    ...{ matched: matchRule !== null, matchedBy: matchRule, matchedByUser: matchedBy },
    matchedAt: matchedAt && instantToWire(matchedAt),
    movements: movements.map(movementToWire),
    version: row.version,
    createdAt: instantToWire(row.createdAt),
    updatedAt: instantToWire(row.updatedAt),
  };
}

/** Returns a movement of trust cash. */
export function movementToWire({ amountCents, ...movement }: Movement): BankMovementWire {
  return { ...movement, amount: toDollars(amountCents) };
}
