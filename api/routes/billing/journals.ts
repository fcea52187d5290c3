// Manual entries: one person makes a journal, another approves it, and only then is it posted. It may make up for a
// payment step that an operator skipped. Contract 3.4.
import type { EntityManager } from '@mikro-orm/postgresql';
import { z } from 'zod';
import type { Journal } from '../../../db/entities/billing/journal.ts';
import { newId } from '../../../db/ids.ts';
import { findInvoice } from '../../../db/queries/billing/invoices.ts';
import {
  addJournal,
  findJournal,
  findStepSkip,
  listJournals,
  lockUndecided,
  postJournal,
  rejectLocked,
} from '../../../db/queries/billing/journals.ts';
import { heldClosedMonth } from '../../../db/queries/billing/periods/ledger-periods.ts';
import { findPolicy } from '../../../db/queries/policy/policies.ts';
import { ensureOpenStep, journalLines, ledgerOfStep } from '../../../domain/billing/ledger/journal.ts';
import { ensureOpenDay } from '../../../domain/billing/ledger/period.ts';
import { validationError } from '../../../domain/errors.ts';
import { allow, type Resource } from '../../spine/access.ts';
import { reply } from '../../spine/reply.ts';
import { route } from '../../spine/route.ts';
import { idParam, pageToWire } from '../../spine/schemas.ts';
import {
  JournalListQuery,
  JournalPageSchema,
  JournalRejectionSchema,
  JournalSchema,
  type JournalWrite,
  JournalWriteSchema,
} from './journals.schemas.ts';
import { journalToWire, linesFromWire } from './journals.wire.ts';

const facts = { tag: 'Billing', spec: 'Contract 3.4' } as const;
const params = z.strictObject({ id: idParam('journal') });

const journalResource: Resource<Journal> = {
  name: 'journal',
  load: findJournal,
  facts: ({ orgId, madeBy }) => ({ orgId, requestedBy: madeBy }),
  version: ({ version }) => version,
};

const makeJournal = route({
  ...facts,
  method: 'post',
  path: '/ledger/entries',
  operationId: 'makeJournal',
  summary: 'Create a manual journal entry',
  description:
    'Creates a journal entry that someone else must approve. Nothing is posted until then. Debits must equal credits.',
  access: allow('journal:create'),
  body: JournalWriteSchema,
  response: { status: 201, body: JournalSchema },
  errors: ['invalid_state_transition'],
  handler: ({ body, actor, org, requestId, db, command }) =>
    db.answer(async (em) => {
      const { ledger, description, date = org.today, policyId = null, completesStep } = body;
      const lines = journalLines({ ledger, date, lines: linesFromWire(body.lines) }, org.today);
      ensureOpenDay(date, await heldClosedMonth(em));
      await ensureNamed(em, body);
      const invoiceId = (await invoiceOfStep(em, body)) ?? body.invoiceId ?? null;
      const { paymentId: completesPaymentId = null, step = null } = completesStep ?? {};
      const id = newId('journal', command.seedUuid);
      const journal = { id, ledger, date, description, lines, policyId, invoiceId };
      return journalToWire(
        addJournal(em, { ...journal, completesPaymentId, completesStep: step }, { actor, requestId }),
      );
    }),
});

const listJournalsRoute = route({
  ...facts,
  method: 'get',
  path: '/ledger/journals',
  operationId: 'listJournals',
  summary: 'List manual journal entries, newest first',
  description: 'Filter by status. A journal that waits for approval is not in the ledger yet.',
  access: allow('ledger:read'),
  query: JournalListQuery,
  response: { status: 200, body: JournalPageSchema },
  errors: [],
  handler: async ({ query: { limit, cursor, ...filter }, db }) =>
    pageToWire(await db.read((em) => listJournals(em, filter, { limit, cursor })), journalToWire),
});

const getJournal = route({
  ...facts,
  method: 'get',
  path: '/ledger/journals/:id',
  operationId: 'getJournal',
  summary: 'Read a journal',
  description: 'It shows the lines, who made it and who decided on it. A posted journal names its entry in the ledger.',
  access: allow('ledger:read', journalResource),
  params,
  response: { status: 200, body: JournalSchema },
  errors: [],
  handler: ({ row }) => journalToWire(row),
});

const approveJournal = route({
  ...facts,
  method: 'post',
  path: '/ledger/journals/:id/approve',
  operationId: 'approveJournal',
  summary: 'Approve and post a journal',
  description:
    "You cannot approve a journal that you created. If the journal names a skipped step in `completesStep`, that step counts as completed. If it takes back money that a payee has already been paid, operating cash covers the amount, and it is deducted from the payee's next payment. The invoice identifies the payee: without one, a journal that takes more from an account than the trust owes on it is refused.",
  access: allow('journal:decide', journalResource),
  params,
  response: { status: 200, body: JournalSchema },
  errors: ['invalid_state_transition', 'not_ready'],
  handler: ({ row, actor, requestId, db, deps }) =>
    db.answer(async (em) => {
      const journal = await lockUndecided(em, row.id, 'approve');
      await postJournal(em, journal, { actor, requestId, at: new Date(deps.now()) });
      return reply({ status: 200, body: journalToWire(journal) });
    }),
});

const rejectJournal = route({
  ...facts,
  method: 'post',
  path: '/ledger/journals/:id/reject',
  operationId: 'rejectJournal',
  summary: 'Reject a journal',
  description: 'Nothing is posted. The person who made the journal cannot reject it, and a decided one returns 422.',
  access: allow('journal:decide', journalResource),
  params,
  body: JournalRejectionSchema,
  response: { status: 200, body: JournalSchema },
  errors: ['invalid_state_transition'],
  handler: ({ row, body: { reason }, actor, requestId, db, deps }) =>
    db.answer(async (em) => {
      const journal = await lockUndecided(em, row.id, 'reject');
      await rejectLocked(em, journal, { actor, requestId, reason, at: new Date(deps.now()) });
      return journalToWire(journal);
    }),
});

export const journalRoutes = [makeJournal, listJournalsRoute, getJournal, approveJournal, rejectJournal];

async function ensureNamed(em: EntityManager, { policyId, invoiceId }: JournalWrite): Promise<void> {
  if (policyId !== undefined && (await findPolicy(em, policyId)) === null) {
    throw validationError('policyId', 'unknown_reference', 'There is no such policy.');
  }
  if (invoiceId === undefined) return;
  const invoice = await findInvoice(em, invoiceId);
  if (invoice === null || (policyId !== undefined && invoice.policyId !== policyId)) {
    throw validationError('invoiceId', 'unknown_reference', 'There is no such invoice.');
  }
}

/** Returns the invoice of the step that a journal makes up for; null when it names none. */
async function invoiceOfStep(em: EntityManager, { completesStep, ledger, invoiceId }: JournalWrite) {
  if (completesStep === undefined) return null;
  const skip = await findStepSkip(em, completesStep.paymentId, completesStep.step);
  if (skip === null) throw validationError('completesStep', 'unknown_reference', 'No such step was skipped.');
  ensureOpenStep(skip.mendedBy !== null);
  if ((ledgerOfStep(skip.step) ?? ledger) !== ledger) {
    throw validationError('ledger', 'enum', 'This step posts to the other ledger.');
  }
  if (invoiceId !== undefined && invoiceId !== skip.invoiceId) {
    throw validationError('invoiceId', 'enum', 'This step belongs to another invoice.');
  }
  return skip.invoiceId;
}
