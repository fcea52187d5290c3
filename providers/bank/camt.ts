/** A bank statement as ISO 20022 camt.053, of any version: account, balances and booked entries. */
import {
  centsIn,
  type ReadStatement,
  STATEMENT_MAX_LINES,
  type StatementLine,
  statementNumber,
  unreadable,
  withPlainTexts,
} from '../../domain/billing/bank/statement.ts';
import { isRealDate } from '../../domain/dates.ts';
import { allAt, readXml, textAt, type XmlElement } from './xml-tree.ts';

const DATE_LENGTH = 'YYYY-MM-DD'.length;

/** Reads a statement. @throws DomainError validation_failed on `file` */
export function readCamt(text: string): ReadStatement {
  const document = readXml(text, { element: 'Ntry', most: STATEMENT_MAX_LINES });
  const statements = allAt(document, 'Document', 'BkToCstmrStmt', 'Stmt');
  const [statement] = statements;
  if (statement === undefined) throw unreadable('The file is no camt.053: it has no Document/BkToCstmrStmt/Stmt.');
  if (statements.length > 1) throw unreadable('The file has several statements. Send each as a file of its own.');
  const entries = allAt(statement, 'Ntry').filter(isBooked);
  // An entry of nothing tells something and moves nothing.
  const lines = entries.map(lineOf).filter(({ amountCents }) => amountCents !== 0);
  const days = lines.map(({ bookedOn }) => bookedOn).sort();
  const [opening, closing] = [
    balanceOf(statement, 'OPBD') ?? balanceOf(statement, 'PRCD'),
    balanceOf(statement, 'CLBD'),
  ];
  const from = dayAt(statement, 'FrToDt', 'FrDtTm') ?? dayAt(statement, 'FrToDt', 'FrDt') ?? opening?.on ?? days[0];
  const to = dayAt(statement, 'FrToDt', 'ToDtTm') ?? dayAt(statement, 'FrToDt', 'ToDt') ?? closing?.on ?? days.at(-1);
  if (from === undefined || to === undefined) throw unreadable('The statement says no day.');
  if (from > to) throw unreadable('The statement ends before it begins.');
  const account = textAt(statement, 'Acct', 'Id', 'IBAN') || textAt(statement, 'Acct', 'Id', 'Othr', 'Id');
  return {
    number: statementNumber(textAt(statement, 'Id')),
    account,
    ...{ from, to, lines },
    openingCents: opening?.cents ?? null,
    closingCents: closing?.cents ?? null,
  };
}

/** Pending and informative entries have moved nothing yet. */
function isBooked(entry: XmlElement): boolean {
  return (textAt(entry, 'Sts', 'Cd') || textAt(entry, 'Sts') || 'BOOK') === 'BOOK';
}

function lineOf(entry: XmlElement): StatementLine {
  const bookedOn = dayAt(entry, 'BookgDt', 'Dt') ?? dayAt(entry, 'BookgDt', 'DtTm');
  if (bookedOn === undefined) throw unreadable('An entry says no booking date.');
  const details = allAt(entry, 'NtryDtls', 'TxDtls');
  const named = ['EndToEndId', 'ChqNb', 'InstrId', 'TxId', 'AcctSvcrRef'].flatMap((name) =>
    details.map((detail) => textAt(detail, 'Refs', name)),
  );
  const said = details.flatMap((detail) => allAt(detail, 'RmtInf', 'Ustrd').map((element) => element.text.trim()));
  return withPlainTexts({
    ...{ bookedOn, amountCents: signedCents(entry) },
    reference: joined([textAt(entry, 'NtryRef'), ...named.filter((name) => name !== 'NOTPROVIDED')]),
    description: joined([textAt(entry, 'AddtlNtryInf'), ...said]),
    bankId: textAt(entry, 'AcctSvcrRef') || null,
  });
}

function balanceOf(statement: XmlElement, code: string): { cents: number; on: string | undefined } | null {
  const found = allAt(statement, 'Bal').find((balance) => textAt(balance, 'Tp', 'CdOrPrtry', 'Cd') === code);
  return found === undefined
    ? null
    : { cents: signedCents(found), on: dayAt(found, 'Dt', 'Dt') ?? dayAt(found, 'Dt', 'DtTm') };
}

/** A debit of the account is money that went out. */
function signedCents(element: XmlElement): number {
  const [amount] = allAt(element, 'Amt');
  if (amount?.attributes.Ccy !== 'USD') throw unreadable('Amounts must be in USD.');
  const cents = centsIn(amount.text);
  if (cents === null || cents < 0) throw unreadable('An amount is not a number with at most two decimals.');
  const side = textAt(element, 'CdtDbtInd');
  if (side !== 'CRDT' && side !== 'DBIT') throw unreadable('CdtDbtInd must be CRDT or DBIT.');
  return side === 'DBIT' && cents !== 0 ? -cents : cents;
}

function dayAt(element: XmlElement, ...path: string[]): string | undefined {
  const day = textAt(element, ...path).slice(0, DATE_LENGTH);
  if (day === '') return undefined;
  if (!isRealDate(day)) throw unreadable('A date is not of the form YYYY-MM-DD.');
  return day;
}

function joined(texts: readonly string[]): string {
  return [...new Set(texts.filter((text) => text !== ''))].join(' ');
}
