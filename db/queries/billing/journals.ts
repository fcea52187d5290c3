// Journals: manual entries, from creation to posting.
import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { auditedChanges } from '../../../domain/audit.ts';
import type { Ledger } from '../../../domain/billing/ledger/chart.ts';
import {
  decidedJournal,
  ensureNotShared,
  ensureOpenStep,
  ensurePayeesKnown,
  type JournalDecision,
  type JournalStatus,
  journalPosting,
  ledgerOfStep,
  takesFromPayees,
} from '../../../domain/billing/ledger/journal.ts';
import { ensurePostable } from '../../../domain/billing/ledger/period.ts';
import type { PostingLine } from '../../../domain/billing/ledger/posting.ts';
import { paysInvoice } from '../../../domain/billing/payment.ts';
import type { BusinessDate } from '../../../domain/dates.ts';
import { DomainError } from '../../../domain/errors.ts';
import { type Cents, sumCents, toDollars } from '../../../domain/money.ts';
import { Journal } from '../../entities/billing/journal.ts';
import { StepSkip } from '../../entities/billing/step-skip.ts';
import { findById, lockById } from '../../entity-rows.ts';
import { addRow, writeNewRows } from '../../new-rows.ts';
import { equalTo, type Page, type PageRequest, pageOf } from '../pages.ts';
import { type AuditFact, writeAudit } from '../platform/audit.ts';
import { writeEvent } from '../platform/events.ts';
import { lockPolicy } from '../policy/policies.ts';
import { lockInvoice, policyIdOfInvoice } from './invoices.ts';
import { isSharedOut, postEntry, sharingEntries } from './ledger.ts';
import { accountTotals } from './ledger-lists.ts';
import { findPayment } from './payments.ts';
import { heldClosedMonth } from './periods/ledger-periods.ts';
import { keepTrustWhole } from './remittances/shortfalls.ts';

/** A journal at creation; the other columns have their defaults. */
export type NewJournal = Pick<
  Journal,
  'id' | 'ledger' | 'date' | 'description' | 'lines' | 'policyId' | 'invoiceId' | 'completesPaymentId' | 'completesStep'
>;

/** Who makes a journal, or decides on it. */
type By = Pick<AuditFact, 'actor' | 'requestId'>;

/** Adds a journal that waits for approval, with its audit row. */
export function addJournal(em: EntityManager, journal: NewJournal, by: By): Journal {
  const { ledger, date, lines, policyId, invoiceId } = journal;
  const status = 'pending_approval';
  const changes = auditedChanges(null, { status, ledger, date, lines, policyId, invoiceId });
  auditJournal(em, journal, by, { action: 'journal:create', changes });
  return addRow(em, Journal, { ...journal, status, madeBy: by.actor.id });
}

function auditJournal(
  em: EntityManager,
  { id: entityId }: Pick<Journal, 'id'>,
  by: By,
  what: { action: string; changes: object },
): void {
  writeAudit(em, { ...by, ...what, entityType: 'journal', entityId });
}

/** Reads a journal, or null. */
export function findJournal(em: EntityManager, id: string): Promise<Journal | null> {
  return findById(em, Journal, id);
}

/** Reads a page of journals, newest first. @throws DomainError validation_failed for a bad cursor */
export function listJournals(
  em: EntityManager,
  { status }: { status?: JournalStatus },
  page: PageRequest,
): Promise<Page<Journal>> {
  return pageOf(em, Journal, [equalTo({ status })], page);
}

/** Reads a skipped step, or null. */
export function findStepSkip(em: EntityManager, paymentId: string, step: string): Promise<StepSkip | null> {
  return em.findOne(StepSkip, { paymentId, step });
}

/**
 * Reads a journal for a decision and locks it, so that concurrent decisions wait for each other.
 * @throws DomainError not_found, invalid_state_transition
 */
export async function lockUndecided(em: EntityManager, id: string, decision: JournalDecision): Promise<Journal> {
  const journal = await lockById(em, Journal, id, { refresh: true });
  if (journal === null) throw new DomainError('not_found', 'There is no such journal.');
  decidedJournal(journal.status, decision);
  return journal;
}

/** Rejects a locked journal. Flushes it, with its audit row. */
export async function rejectLocked(
  em: EntityManager,
  journal: Journal,
  { reason, at, ...by }: By & { reason: string; at: Date },
): Promise<void> {
  const status = 'rejected';
  Object.assign(journal, { status, decidedBy: by.actor.id, decidedAt: at, rejectionReason: reason });
  await em.flush();
  const changes = { ...auditedChanges({ status: 'pending_approval' }, { status }), reason };
  auditJournal(em, journal, by, { action: 'journal:reject', changes });
}

/**
 * Posts a locked journal, with its audit row and event, and marks the step that it makes up for as mended. Locks that
 * step's policy and invoice, as the step itself would.
 * @throws DomainError invalid_state_transition when the step has been mended or its invoice shared out in the meantime,
 * or its month is closed; not_ready when it takes back money already paid to payees and names no invoice
 */
export async function postJournal(
  em: EntityManager,
  journal: Journal,
  { at, ...by }: By & { at: Date },
): Promise<void> {
  const { id, date, description, policyId, invoiceId, completesPaymentId, completesStep } = journal;
  const skip = completesPaymentId && completesStep ? await lockOpenSkip(em, completesPaymentId, completesStep) : null;
  const posting = journalPosting(journal, skip && (await leftOutOf(em, skip, journal.ledger)));
  // After the row locks: holders of one wait for the months when they post.
  ensurePostable(date, await heldClosedMonth(em));
  const source = { sourceType: 'journal', sourceId: id, date, description } as const;
  const entry = postEntry(em, posting, { ...source, policyId, invoiceId: skip?.invoiceId ?? invoiceId });
  await writeNewRows(em);
  Object.assign(journal, { status: 'posted', decidedBy: by.actor.id, decidedAt: at, entryId: entry?.id ?? null });
  if (skip !== null) skip.mendedBy = entry?.id ?? null;
  if (takesFromPayees(posting.lines))
    await makeGood(em, posting.lines, { invoiceId: skip?.invoiceId ?? invoiceId, on: date });
  await em.flush();
  publishPosted(em, journal, { at, ...by });
}

function publishPosted(em: EntityManager, journal: Journal, { at, ...by }: By & { at: Date }): void {
  const { id: journalId, ledger, policyId, invoiceId, entryId } = journal;
  const changes = auditedChanges({ status: 'pending_approval' }, { status: 'posted', entryId });
  auditJournal(em, journal, by, { action: 'journal:approve', changes });
  const amount = toDollars(sumCents(journal.lines.map(({ debitCents }) => debitCents)));
  const posted = { journalId, entryId: entryId ?? '', ledger, amount, policyId, invoiceId };
  writeEvent(em, 'journal.posted', posted, at);
}

/** If a journal takes back money already paid to a payee, they owe it; only the invoice identifies them. */
async function makeGood(
  em: EntityManager,
  lines: readonly PostingLine[],
  { invoiceId, on }: { invoiceId: string | null; on: BusinessDate },
): Promise<void> {
  if (invoiceId !== null) return keepTrustWhole(em, { id: invoiceId }, on);
  const balances = [...(await accountTotals(em))].map(([account, sums]) => [account, creditOf(sums)] as const);
  ensurePayeesKnown(lines, new Map(balances));
}

function creditOf({ debitCents, creditCents }: { debitCents: Cents; creditCents: Cents }): Cents {
  return creditCents - debitCents;
}

async function lockOpenSkip(em: EntityManager, paymentId: string, step: string): Promise<StepSkip> {
  const lock = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const;
  const skip = await em.findOne(StepSkip, { paymentId, step }, lock);
  if (skip === null) throw new TypeError('A journal names a step that was left out');
  ensureOpenStep(skip.mendedBy !== null, ['reject']);
  return skip;
}

/** The payment step that posts by invoice, with what is already posted there; null for any other step. */
async function leftOutOf(em: EntityManager, { paymentId, invoiceId, step }: StepSkip, ledger: Ledger) {
  if (invoiceId === null) return null;
  await lockPolicy(em, (await policyIdOfInvoice(em, invoiceId)) ?? '');
  await lockInvoice(em, invoiceId);
  const payment = await findPayment(em, paymentId);
  if (payment === null || !paysInvoice(payment) || ledgerOfStep(step) === null) return null;
  ensureNotShared(await isSharedOut(em, invoiceId, ledger));
  const posted = await sharingEntries(em, invoiceId);
  return { paymentStep: step, posted: posted.map(({ entryType }) => entryType) };
}
