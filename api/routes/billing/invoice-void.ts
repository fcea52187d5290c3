// Voids an invoice and bills it again on request: one transaction, policy locked before invoice. Contract
// 3.4.

import type { EntityManager } from '@mikro-orm/postgresql';
import type { Command } from '../../../contracts/command.ts';
import { Invoice } from '../../../db/entities/billing/invoice.ts';
import { newId } from '../../../db/ids.ts';
import { addRow, writeNewRows } from '../../../db/new-rows.ts';
import { invoiceAmounts, lockInvoice } from '../../../db/queries/billing/invoices.ts';
import { reissuesOf } from '../../../db/queries/billing/void-invoices.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import { commandResult, saveCommand } from '../../../db/queries/platform/commands.ts';
import { nextInvoiceNumbers } from '../../../db/queries/platform/counters.ts';
import { lockPolicy } from '../../../db/queries/policy/policies.ts';
import { auditedChanges } from '../../../domain/audit.ts';
import { ensureVoidable } from '../../../domain/billing/invoice-actions.ts';
import { type BusinessDate, yearOf } from '../../../domain/dates.ts';
import { present } from '../rows.ts';

export interface VoidPayload {
  reason: string;
  reissue: boolean;
}

interface VoidStep {
  command: Command<VoidPayload>;
  /** The policy of the invoice, which never changes. */
  policyId: string;
  today: BusinessDate;
  /** The real instant. */
  at: Date;
  /** @throws DomainError precondition_failed */
  ensureUnchanged: (invoice: Invoice) => void;
}

/**
 * Carries the void out once, however often the command is repeated, and gives the locked invoice.
 * @throws DomainError precondition_failed, invoice_has_payments, invalid_state_transition
 */
export async function voidInvoice(em: EntityManager, step: VoidStep): Promise<Invoice> {
  const { command } = step;
  await lockPolicy(em, step.policyId);
  const invoice = present(await lockInvoice(em, command.entityId));
  if ((await commandResult(em, command.commandId)) !== null) return invoice;
  step.ensureUnchanged(invoice);
  // An invoice voided by a change of the policy is no longer due: only undoing the change bills it again.
  const isReissued = invoice.voidedBy !== null || (await reissuesOf(em, [invoice.id])).has(invoice.id);
  ensureVoidable(invoiceAmounts(invoice), { reissue: command.payload.reissue, isReissued });
  if (invoice.voidedAt === null) persistVoid(em, invoice, step);
  if (command.payload.reissue) await persistReissue(em, invoice, step);
  saveCommand(em, command.commandId, 'voidInvoice', {});
  await em.flush();
  // The answer reads back which invoice replaced this one.
  await writeNewRows(em);
  return invoice;
}

function persistVoid(em: EntityManager, invoice: Invoice, { command, at }: VoidStep): void {
  invoice.voidedAt = at;
  const changes = auditedChanges({ voidedAt: null }, { voidedAt: at.toISOString() });
  const { reason } = command.payload;
  writeAudit(em, {
    ...auditFactsOf(command),
    action: 'invoice:void',
    entityId: invoice.id,
    changes: { ...changes, reason },
  });
}

/** The same lines under the next number, due on the old day or today, whichever is later. */
async function persistReissue(em: EntityManager, invoice: Invoice, { command, today }: VoidStep): Promise<void> {
  const { policyId, transactionId, producerId, insuredName, installmentNumber, installmentCount } = invoice;
  const { lines, totalCents } = invoice;
  const dueDate = invoice.dueDate > today ? invoice.dueDate : today;
  // The counter is taken last: every bind of the organization waits for it.
  const [invoiceNumber = ''] = await nextInvoiceNumbers(em, yearOf(today), 1);
  const bill = { invoiceNumber, dueDate, totalCents, reissueOf: invoice.id };
  const again = addRow(em, Invoice, {
    ...{ policyId, transactionId, producerId, insuredName, installmentNumber, installmentCount, lines },
    ...{ id: newId('invoice'), issueDate: today, ...bill },
  });
  const changes = auditedChanges(null, bill);
  writeAudit(em, { ...auditFactsOf(command), action: 'invoice:void', entityId: again.id, changes });
}

function auditFactsOf({ actor, requestId }: Command<VoidPayload>) {
  return { actor, requestId, entityType: 'invoice' };
}
