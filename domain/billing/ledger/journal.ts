// A manual journal entry: what makes it valid, and what it replaces when it makes up for a skipped step. Contract 3.4
// "Ledgers".
import { addYears, type BusinessDate } from '../../dates.ts';
import { DomainError, type ValidationIssue, validationErrors } from '../../errors.ts';
import { JOURNAL_MAX_YEARS_BACK } from '../../limits.ts';
import { type Cents, sumCents } from '../../money.ts';
import { nextState, refusedMove, type TransitionTable } from '../../transition.ts';
import { ACCOUNTS_OF_KIND } from '../remittance.ts';
import { type AccountNumber, accountOf, type Ledger } from './chart.ts';
import type { EntryType, Posting, PostingLine } from './posting.ts';

export const JOURNAL_STATUSES = ['pending_approval', 'posted', 'rejected'] as const;
export type JournalStatus = (typeof JOURNAL_STATUSES)[number];
export type JournalDecision = 'approve' | 'reject';

const DECISIONS: TransitionTable<JournalStatus, JournalDecision> = {
  pending_approval: { approve: 'posted', reject: 'rejected' },
  posted: {},
  rejected: {},
};

/** A line as entered; a side left empty is null. */
export interface EnteredLine {
  account: AccountNumber;
  debitCents: Cents | null;
  creditCents: Cents | null;
}

/** What a journal is to post. */
export interface EnteredJournal {
  ledger: Ledger;
  date: BusinessDate;
  lines: readonly EnteredLine[];
}

/**
 * Returns a journal's lines if it may be posted: each on one side, above zero, all in its ledger, balanced, and dated
 * within the last year.
 * @throws DomainError validation_failed with the fields `date`, `lines` or `lines.<n>`
 */
export function journalLines({ ledger, date, lines }: EnteredJournal, today: BusinessDate): PostingLine[] {
  const issues: ValidationIssue[] = lines.flatMap((line, index) => issuesOf(line, `lines.${index}`, ledger));
  if (date > today) {
    issues.push({ field: 'date', rule: 'max', message: 'date must not be later than today.', max: today });
  }
  const earliest = addYears(today, -JOURNAL_MAX_YEARS_BACK);
  if (date < earliest) {
    issues.push({ field: 'date', rule: 'min', message: 'date must not be more than a year ago.', min: earliest });
  }
  const posted = lines.map(({ account, debitCents, creditCents }) => ({
    account,
    debitCents: debitCents ?? 0,
    creditCents: creditCents ?? 0,
  }));
  if (sumCents(posted.map((line) => line.debitCents - line.creditCents)) !== 0) {
    issues.push({ field: 'lines', rule: 'format', message: 'Total debits must equal total credits.' });
  }
  if (issues.length > 0) throw validationErrors(issues);
  return posted;
}

function issuesOf(line: EnteredLine, field: string, ledger: Ledger): ValidationIssue[] {
  const { account, debitCents, creditCents } = line;
  const issues: ValidationIssue[] = [];
  if ((debitCents ?? 0) > 0 === (creditCents ?? 0) > 0) {
    issues.push({
      field,
      rule: 'format',
      message: 'A line must have either a debit or a credit above zero, not both.',
    });
  }
  if (accountOf(account).ledger !== ledger) {
    issues.push({
      field: `${field}.account`,
      rule: 'enum',
      message: `Account ${account} is not in the ${ledger} ledger.`,
    });
  }
  return issues;
}

/** The payment steps that post an entry: its ledger, its type, and its type if the invoice is being reallocated. */
const POSTED_BY_STEP: Readonly<Record<string, { ledger: Ledger; entryType: EntryType; again: EntryType }>> = {
  'fiduciary ledger': { ledger: 'fiduciary', entryType: 'split', again: 'sharing' },
  'general ledger': { ledger: 'general', entryType: 'earnings', again: 'earnings_sharing' },
};

/** The ledger that a skipped step would have posted to; null for a step that posts nothing. */
export function ledgerOfStep(step: string): Ledger | null {
  return POSTED_BY_STEP[step]?.ledger ?? null;
}

/**
 * Makes a journal's entry. One that makes up for a payment's skipped step has that step's type, so that refunds and
 * the reconciliation see the invoice as allocated; `posted` are the types that the invoice already has.
 */
export function journalPosting(
  { ledger, lines }: { ledger: Ledger; lines: readonly PostingLine[] },
  completes: { paymentStep: string; posted: readonly string[] } | null,
): Posting {
  const step = completes === null ? undefined : POSTED_BY_STEP[completes.paymentStep];
  const isAgain = step !== undefined && completes?.posted.includes(step.entryType) === true;
  const entryType = (isAgain ? step.again : step?.entryType) ?? 'journal';
  return { ledger, entryType, lines: [...lines] };
}

/** Returns the status that a decision leads to. @throws DomainError invalid_state_transition */
export function decidedJournal(from: JournalStatus, decision: JournalDecision): JournalStatus {
  return nextState(DECISIONS, 'journal', from, decision);
}

/**
 * Refuses to make up for a step twice; `allowed` is what the caller may do instead.
 * @throws DomainError invalid_state_transition
 */
export function ensureOpenStep(isMended: boolean, allowed: readonly JournalDecision[] = []): void {
  if (isMended) throw refusedMove('step', 'mended', 'complete', allowed);
}

/**
 * Refuses to allocate an invoice that was allocated after the step was skipped.
 * @throws DomainError invalid_state_transition
 */
export function ensureNotShared(isShared: boolean): void {
  if (isShared) throw refusedMove('step', 'posted', 'complete', ['reject']);
}

const PAYEE_ACCOUNTS: readonly AccountNumber[] = Object.values(ACCOUNTS_OF_KIND).flat();

/** Whether lines debit an account on which the trust owes its payees. */
export function takesFromPayees(lines: readonly PostingLine[]): boolean {
  return lines.some(({ account, debitCents }) => debitCents > 0 && PAYEE_ACCOUNTS.includes(account));
}

/**
 * Refuses a journal that debits an account for more than the trust owes on it without naming an invoice: the payee of
 * that money owes it back, and only the invoice identifies the payee. `balances` are credits less debits, including
 * the journal.
 * @throws DomainError not_ready with `{missing, blockers}`
 */
export function ensurePayeesKnown(lines: readonly PostingLine[], balances: ReadonlyMap<AccountNumber, Cents>): void {
  const taken = lines.filter(({ account, debitCents }) => debitCents > 0 && PAYEE_ACCOUNTS.includes(account));
  const short = taken.find(({ account }) => (balances.get(account) ?? 0) < 0);
  if (short === undefined) return;
  const message = `The journal takes more from account ${short.account} than the trust owes on it. Name the invoice.`;
  throw new DomainError('not_ready', message, { missing: ['invoiceId'], blockers: ['payee_unknown'] });
}
