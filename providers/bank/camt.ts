/** A bank statement as ISO 20022 camt.053, of any version: account, balances and booked entries. */
import {
  centsIn,
  type ReadLine,
  type ReadStatement,
  STATEMENT_MAX_LINES,
  statementNumber,
  unreadable,
  withPlainTexts,
} from '../../domain/billing/bank/statement.ts';
import { addDays, isRealDate } from '../../domain/dates.ts';
import { allAt, readXml, textAt, type XmlElement } from './xml-tree.ts';

const DATE_LENGTH = 'YYYY-MM-DD'.length;
const MIDNIGHT = /T00:00(:00(\.0+)?)?(Z|[+-]\d\d:\d\d)?$/;
const FURTHER_ZEROS = /(\.\d\d)0{1,3}$/;

/** Reads a statement. @throws DomainError validation_failed on `file` */
export function readCamt(text: string): ReadStatement {
  const document = readXml(text, { element: 'Ntry', most: STATEMENT_MAX_LINES });
  const statements = allAt(document, 'Document', 'BkToCstmrStmt', 'Stmt');
  const [statement] = statements;
  if (statement === undefined)
    throw unreadable('The file is not a camt.053 document: it has no Document/BkToCstmrStmt/Stmt.');
  if (statements.length > 1) throw unreadable('The file has several statements. Send each in a file of its own.');
  const entries = allAt(statement, 'Ntry').map((entry, at) => ({ entry, place: `Entry ${at + 1}` }));
  // A zero entry is informational and moves no money.
  const lines = entries
    .filter(({ entry }) => isBooked(entry))
    .map(({ entry, place }) => lineOf(entry, place))
    .filter(({ amountCents }) => amountCents !== 0);
  const days = lines.map(({ bookedOn }) => bookedOn).sort();
  const [opening, closing] = [openingOf(statement), balanceOf(statement, 'CLBD')];
  const said = { from: firstDay(statement) ?? opening?.on, to: lastDay(statement) ?? closing?.on };
  const { from = days[0], to = days.at(-1) } = said;
  if (from === undefined || to === undefined) throw unreadable('The statement gives no date.');
  const account = textAt(statement, 'Acct', 'Id', 'IBAN') || textAt(statement, 'Acct', 'Id', 'Othr', 'Id');
  return {
    number: statementNumber(textAt(statement, 'Id')),
    account,
    ...{ from, to, lines, saysDays: said.from !== undefined && said.to !== undefined },
    openingCents: opening?.cents ?? null,
    closingCents: closing?.cents ?? null,
  };
}

/** Pending and informational entries have not moved any money. */
function isBooked(entry: XmlElement): boolean {
  return (textAt(entry, 'Sts', 'Cd') || textAt(entry, 'Sts') || 'BOOK') === 'BOOK';
}

function firstDay(statement: XmlElement): string | undefined {
  return dayAt(statement, 'FrToDt', 'FrDtTm') ?? dayAt(statement, 'FrToDt', 'FrDt');
}

/** An end at midnight belongs to the previous day. */
function lastDay(statement: XmlElement): string | undefined {
  const day = dayAt(statement, 'FrToDt', 'ToDtTm');
  if (day === undefined) return dayAt(statement, 'FrToDt', 'ToDt');
  return MIDNIGHT.test(textAt(statement, 'FrToDt', 'ToDtTm')) ? addDays(day, -1) : day;
}

/** The opening balance, else the previous statement's closing balance, which carries its own date. */
function openingOf(statement: XmlElement): Balance | null {
  const before = balanceOf(statement, 'PRCD');
  return balanceOf(statement, 'OPBD') ?? (before && { ...before, on: before.on && addDays(before.on, 1) });
}

function lineOf(entry: XmlElement, place: string): ReadLine {
  const bookedOn = dayAt(entry, 'BookgDt', 'Dt') ?? dayAt(entry, 'BookgDt', 'DtTm');
  if (bookedOn === undefined) throw unreadable(`${place} has no booking date.`);
  const details = allAt(entry, 'NtryDtls', 'TxDtls');
  const named = ['EndToEndId', 'ChqNb', 'InstrId', 'TxId', 'AcctSvcrRef'].flatMap((name) =>
    details.map((detail) => textAt(detail, 'Refs', name)),
  );
  const said = details.flatMap((detail) => allAt(detail, 'RmtInf', 'Ustrd').map((element) => element.text.trim()));
  return withPlainTexts({
    ...{ place, bookedOn, amountCents: signedCents(entry) },
    reference: joined([textAt(entry, 'NtryRef'), ...named.filter((name) => name !== 'NOTPROVIDED')]),
    description: joined([textAt(entry, 'AddtlNtryInf'), ...said]),
    bankId: textAt(entry, 'AcctSvcrRef') || null,
  });
}

interface Balance {
  cents: number;
  on: string | undefined;
}

function balanceOf(statement: XmlElement, code: string): Balance | null {
  const found = allAt(statement, 'Bal').find((balance) => textAt(balance, 'Tp', 'CdOrPrtry', 'Cd') === code);
  return found === undefined
    ? null
    : { cents: signedCents(found), on: dayAt(found, 'Dt', 'Dt') ?? dayAt(found, 'Dt', 'DtTm') };
}

/** A debit to the account is outgoing money. */
function signedCents(element: XmlElement): number {
  const [amount] = allAt(element, 'Amt');
  if (amount?.attributes.Ccy !== 'USD') throw unreadable('Amounts must be in USD.');
  // In XML a point is always the decimal point, and further zeros may follow.
  const cents = centsIn(amount.text.trim().replace(FURTHER_ZEROS, '$1'));
  if (cents === null || cents < 0) throw unreadable('An amount is not a number with at most two decimals.');
  const side = textAt(element, 'CdtDbtInd');
  if (side !== 'CRDT' && side !== 'DBIT') throw unreadable('CdtDbtInd must be CRDT or DBIT.');
  return side === 'DBIT' && cents !== 0 ? -cents : cents;
}

function dayAt(element: XmlElement, ...path: string[]): string | undefined {
  const day = textAt(element, ...path).slice(0, DATE_LENGTH);
  if (day === '') return undefined;
  if (!isRealDate(day)) throw unreadable('A date does not have the form YYYY-MM-DD.');
  return day;
}

function joined(texts: readonly string[]): string {
  return [...new Set(texts.filter((text) => text !== ''))].join(' ');
}
