/**
 * Writes an invoice off that will never be paid: one transaction, policy locked before invoice. The ledgers are on the
 * cash basis, so what was never paid is in no account, and nobody gives anything back for it. What was paid of it is
 * nobody's until then: the invoice keeps that part, is settled with it and shared out, and the rest is written off as
 * an invoice of its own.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { VoidOutcome, WriteOffPayload } from '../../../contracts/billing.ts';
import type { Command } from '../../../contracts/machinery/command.ts';
import { Invoice } from '../../../db/entities/billing/invoice.ts';
import { newId } from '../../../db/ids.ts';
import { addRow } from '../../../db/new-rows.ts';
import { invoiceAmounts } from '../../../db/queries/billing/invoices.ts';
import { intentsOf } from '../../../db/queries/billing/payments.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import { nextInvoiceNumbers } from '../../../db/queries/platform/counters.ts';
import { auditedChanges } from '../../../domain/audit.ts';
import { isCancellable } from '../../../domain/billing/card-attempts.ts';
import { dividedLines, ensureWritableOff } from '../../../domain/billing/write-off.ts';
import { type BusinessDate, yearOf } from '../../../domain/dates.ts';
import { DomainError } from '../../../domain/errors.ts';
import { sumOfLines } from '../../../domain/policy/invoice-lines.ts';
import { auditOf } from '../../audit.ts';
import { businessDay } from '../../business-day.ts';
import { commandActivity, type Deps } from '../../context.ts';
import { ensureExpected } from '../../expected-version.ts';
import { type LockedInvoice, lockForMoney } from '../../money-locks.ts';
import { shareOut } from './settled-invoices.ts';

/**
 * Writes an invoice off; the command's entity is the invoice.
 * @throws DomainError not_found, precondition_failed, invalid_state_transition, not_ready without a commission schedule
 */
export const writeOffInvoice = (deps: Deps) =>
  commandActivity<WriteOffPayload, LockedInvoice, VoidOutcome>(deps, 'writeOffInvoice', {
    lock: lockForMoney,
    work: async (em, command, locked) => {
      if (locked === null) throw new DomainError('not_found', 'There is no such invoice.');
      const { invoice } = locked;
      ensureExpected(command, invoice);
      const { today } = await businessDay(em, command.orgId, deps.now());
      const facts = { ...invoiceAmounts(invoice), disputed: invoice.disputed };
      const paidCents = ensureWritableOff(facts, today);
      const at = new Date(deps.now());
      if (paidCents === 0) await persistWriteOff(em, command, invoice, at);
      else await persistDivision(em, command, invoice, { paidCents, at, today });
      const hasOpenAttempts = (await intentsOf(em, invoice.id)).some(isCancellable);
      const outcome = { invoiceId: invoice.id, policyId: invoice.policyId };
      return hasOpenAttempts ? { ...outcome, hasOpenAttempts } : outcome;
    },
  });

async function persistWriteOff(
  em: EntityManager,
  command: Command<WriteOffPayload>,
  invoice: Invoice,
  at: Date,
): Promise<void> {
  invoice.uncollectibleAt = at;
  await em.flush();
  audit(em, command, auditedChanges({ uncollectibleAt: null }, { uncollectibleAt: at.toISOString() }));
}

interface Division {
  paidCents: number;
  at: Date;
  today: BusinessDate;
}

/** The lines are divided in proportion, so that carrier, agent, state and we forgo alike. */
async function persistDivision(
  em: EntityManager,
  command: Command<WriteOffPayload>,
  invoice: Invoice,
  { paidCents, at, today }: Division,
): Promise<void> {
  const { policyId, transactionId, producerId, insuredName, installmentNumber, installmentCount, dueDate } = invoice;
  const { part, rest } = dividedLines(invoice.lines, paidCents);
  const before = { totalCents: invoice.totalCents };
  invoice.lines = part;
  invoice.totalCents = sumOfLines(part);
  invoice.lastPaymentError = null;
  await em.flush();
  await shareOut(em, invoice, today);
  // The counter is taken last: every bind of the organization waits for it.
  const [invoiceNumber = ''] = await nextInvoiceNumbers(em, yearOf(today), 1);
  const bill = { invoiceNumber, dueDate, totalCents: sumOfLines(rest), restOf: invoice.id };
  const { id } = addRow(em, Invoice, {
    ...{ policyId, transactionId, producerId, insuredName, installmentNumber, installmentCount, lines: rest },
    ...{ id: newId('invoice'), issueDate: today, uncollectibleAt: at, ...bill },
  });
  audit(em, command, auditedChanges(before, { totalCents: invoice.totalCents, writtenOffAs: id }));
  audit(em, { ...command, entityId: id }, auditedChanges(null, { ...bill, uncollectibleAt: at.toISOString() }));
}

function audit(em: EntityManager, command: Command<WriteOffPayload>, changes: object): void {
  writeAudit(em, auditOf(command, 'invoice:write_off', 'invoice', { ...changes, reason: command.payload.reason }));
}
