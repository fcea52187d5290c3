/**
 * Writes off an invoice that will never be paid: one transaction, policy locked before invoice. The ledgers are on a
 * cash basis, so money never paid is in no account, and no one returns anything for it. The paid part had no owner
 * until now: the invoice keeps it, is settled with it and shared out; the rest is written off as a separate invoice.
 */
import type { WriteOffPayload } from '../../../contracts/billing.ts';
import { invoiceAmounts } from '../../../db/queries/billing/invoices.ts';
import { returnsOfInvoice } from '../../../db/queries/billing/refunds.ts';
import { invoiceFacts } from '../../../db/queries/billing/void-invoices.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import { auditedChanges } from '../../../domain/audit.ts';
import { invoiceBalance } from '../../../domain/billing/invoice.ts';
import { isReserved } from '../../../domain/billing/payment.ts';
import { dividedLines, ensureWritableOff } from '../../../domain/billing/write-off.ts';
import { sumOfLines } from '../../../domain/policy/invoice-lines.ts';
import { returnedOf } from '../../../plans/policy/billing-plan.ts';
import { auditOf } from '../../audit.ts';
import type { Deps } from '../../context.ts';
import { addSuccessor, type InvoiceStep, invoiceCommand } from './invoice-commands.ts';
import { shareOut } from './settled-invoices.ts';

type Step = InvoiceStep<WriteOffPayload>;

/**
 * Writes an invoice off; the command's entity is the invoice.
 * @throws DomainError not_found, precondition_failed, invalid_state_transition, not_ready without a commission schedule
 */
export const writeOffInvoice = (deps: Deps) =>
  invoiceCommand<WriteOffPayload>(deps, 'writeOffInvoice', async (step) => {
    const { em, invoice, today } = step;
    const isReturning = (await returnsOfInvoice(em, invoice.id)).some(({ status }) => isReserved(status));
    const facts = { ...(await invoiceFacts(em, invoice)), isReturning };
    const paidCents = ensureWritableOff(facts, today);
    await (paidCents === 0 ? persistWriteOff(step) : persistDivision(step, paidCents));
  });

async function persistWriteOff(step: Step): Promise<void> {
  const { em, invoice, at } = step;
  const writtenOffCents = invoiceBalance(invoiceAmounts(invoice));
  invoice.uncollectibleAt = at;
  await em.flush();
  audit(step, auditedChanges(null, { uncollectibleAt: at.toISOString(), writtenOffCents }));
}

/** Carrier, agent, state and we share the loss in proportion to what was not returned already. */
async function persistDivision(step: Step, paidCents: number): Promise<void> {
  const { em, command, invoice, at, today } = step;
  const { part, rest } = dividedLines(invoice.lines, paidCents, await returnedOf(em, invoice));
  const before = { totalCents: invoice.totalCents };
  invoice.lines = part;
  invoice.totalCents = sumOfLines(part);
  invoice.lastPaymentError = null;
  await em.flush();
  await shareOut(em, invoice, today);
  const bill = { dueDate: invoice.dueDate, restOf: invoice.id };
  const { id, invoiceNumber, totalCents } = await addSuccessor(step, { lines: rest, ...bill, uncollectibleAt: at });
  audit(step, auditedChanges(before, { totalCents: invoice.totalCents, writtenOffAs: id }));
  const marks = { uncollectibleAt: at.toISOString(), writtenOffCents: totalCents };
  audit(
    { ...step, command: { ...command, entityId: id } },
    auditedChanges(null, { invoiceNumber, totalCents, ...bill, ...marks }),
  );
}

function audit({ em, command }: Pick<Step, 'em' | 'command'>, changes: object): void {
  writeAudit(em, auditOf(command, 'invoice:write_off', 'invoice', { ...changes, reason: command.payload.reason }));
}
