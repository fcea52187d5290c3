// A manual journal as one administrator makes and another approves it, in a single transaction.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Journal } from '../../../../db/entities/billing/journal.ts';
import { newId } from '../../../../db/ids.ts';
import { writeNewRows } from '../../../../db/new-rows.ts';
import { addJournal, lockUndecided, type NewJournal, postJournal } from '../../../../db/queries/billing/journals.ts';
import type { AccountNumber } from '../../../../domain/billing/ledger/chart.ts';
import { SAMPLE_SHARES, SAMPLE_TOTAL_CENTS } from '../../../workflows/billing/billed.ts';

const by = (id: string) => ({ actor: { kind: 'user', id, role: 'org_admin' }, requestId: null });

/** A line of a journal that debits an account, or credits it with a negative amount. */
export type JournalLine = readonly [account: AccountNumber, cents: number];

/** The split of a sample invoice, entered by hand. */
export const SPLIT_OF_SAMPLE = Object.entries({ 2070: SAMPLE_TOTAL_CENTS, ...SAMPLE_SHARES }).map(
  ([account, cents]): JournalLine => [Number(account) as AccountNumber, cents],
);

const NAMES_NOTHING = { policyId: null, invoiceId: null, completesPaymentId: null, completesStep: null };

/** Makes a journal, which waits for approval. */
export async function madeJournal(
  em: EntityManager,
  facts: Pick<NewJournal, 'date'> & Partial<NewJournal>,
  entered: readonly JournalLine[],
): Promise<Journal> {
  const lines = entered.map(([account, cents]) => {
    return { account, debitCents: Math.max(cents, 0), creditCents: Math.max(0 - cents, 0) };
  });
  const journal = { ledger: 'fiduciary' as const, description: 'By hand', ...NAMES_NOTHING, ...facts };
  const made = addJournal(em, { id: newId('journal'), ...journal, lines }, by('test-maker'));
  await writeNewRows(em);
  return made;
}

/** Makes a journal and posts it. */
export async function postedJournal(
  em: EntityManager,
  facts: Pick<NewJournal, 'date'> & Partial<NewJournal>,
  entered: readonly JournalLine[],
): Promise<Journal> {
  const { id } = await madeJournal(em, facts, entered);
  const locked = await lockUndecided(em, id, 'approve');
  await postJournal(em, locked, { ...by('test-approver'), at: new Date() });
  return locked;
}
