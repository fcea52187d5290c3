/** Voids an invoice and rebills it on request: one transaction, policy locked before invoice. Contract 3.4 "void". */
import type { VoidPayload } from '../../../contracts/billing.ts';
import type { Invoice, InvoiceLine } from '../../../db/entities/billing/invoice.ts';
import { invoiceFacts, unbilledOf } from '../../../db/queries/billing/void-invoices.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import { auditedChanges } from '../../../domain/audit.ts';
import { ensureInvoiceVoidable } from '../../../domain/billing/invoice-actions.ts';
import { maxDate } from '../../../domain/dates.ts';
import { linesOfParts, PART_NAMES, type Parts, partsOfLines } from '../../../domain/policy/parts.ts';
import { reissuedParts } from '../../../domain/policy/unbilled.ts';
import { auditOf } from '../../audit.ts';
import type { Deps } from '../../context.ts';
import { addSuccessor, type InvoiceStep, invoiceCommand } from './invoice-commands.ts';

/**
 * Voids an invoice; the command's entity is the invoice. One already void can be rebilled once.
 * @throws DomainError not_found, precondition_failed, invoice_has_payments, invalid_state_transition,
 * amount_exceeds_balance when the policy owes less than the new bill would charge
 */
export const voidInvoice = (deps: Deps) =>
  invoiceCommand<VoidPayload>(deps, 'voidInvoice', async (step) => {
    const { em, command, invoice } = step;
    const { reissue } = command.payload;
    ensureInvoiceVoidable(await invoiceFacts(em, invoice), reissue);
    if (invoice.voidedAt === null) persistVoid(step);
    await em.flush();
    if (reissue) await persistReissue(step);
  });

function persistVoid({ em, command, invoice, at }: InvoiceStep<VoidPayload>): void {
  invoice.voidedAt = at;
  const changes = auditedChanges({ voidedAt: null }, { voidedAt: at.toISOString() });
  writeAudit(em, auditOf(command, 'invoice:void', 'invoice', { ...changes, reason: command.payload.reason }));
}

/** The unbilled amount, due on the old due date or today, whichever is later. */
async function persistReissue(step: InvoiceStep<VoidPayload>): Promise<void> {
  const { em, command, invoice, policy, today } = step;
  const lines = reissuedLines(invoice, await unbilledOf(em, policy), command.payload.reissuedCents ?? null);
  const bill = { dueDate: maxDate(invoice.dueDate, today), reissueOf: invoice.id };
  const { id, invoiceNumber, totalCents } = await addSuccessor(step, { lines, ...bill });
  const changes = auditedChanges(null, { invoiceNumber, totalCents, ...bill });
  writeAudit(em, auditOf({ ...command, entityId: id }, 'invoice:void', 'invoice', changes));
}

/** The same lines, unless the policy now owes different parts. */
function reissuedLines({ lines }: Invoice, unbilled: Parts, amountCents: number | null): InvoiceLine[] {
  const voided = partsOfLines(lines);
  const parts = reissuedParts(voided, unbilled, amountCents);
  if (PART_NAMES.every((part) => parts[part] === voided[part])) return [...lines];
  return linesOfParts(parts, lines[0]?.description ?? 'Premium');
}
