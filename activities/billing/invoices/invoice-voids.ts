/**
 * Voids an invoice and bills it again on request: one transaction, policy locked before invoice. Contract 3.4 "void".
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { VoidOutcome, VoidPayload } from '../../../contracts/billing.ts';
import type { Command } from '../../../contracts/machinery/command.ts';
import { Invoice, type InvoiceLine } from '../../../db/entities/billing/invoice.ts';
import { newId } from '../../../db/ids.ts';
import { addRow } from '../../../db/new-rows.ts';
import { invoiceAmounts } from '../../../db/queries/billing/invoices.ts';
import { intentsOf } from '../../../db/queries/billing/payments.ts';
import { isReissued, unbilledOf } from '../../../db/queries/billing/void-invoices.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import { nextInvoiceNumbers } from '../../../db/queries/platform/counters.ts';
import { auditedChanges } from '../../../domain/audit.ts';
import { isCancellable } from '../../../domain/billing/card-attempts.ts';
import { ensureVoidable } from '../../../domain/billing/invoice-actions.ts';
import { type BusinessDate, maxDate, yearOf } from '../../../domain/dates.ts';
import { DomainError } from '../../../domain/errors.ts';
import { sumOfLines } from '../../../domain/policy/invoice-lines.ts';
import { linesOfParts, PART_NAMES, type Parts, partsOfLines } from '../../../domain/policy/parts.ts';
import { reissuedParts } from '../../../domain/policy/unbilled.ts';
import { auditOf } from '../../audit.ts';
import { businessDay } from '../../business-day.ts';
import { commandActivity, type Deps } from '../../context.ts';
import { ensureExpected } from '../../expected-version.ts';
import { type LockedInvoice, lockForMoney } from '../../money-locks.ts';

/**
 * Voids an invoice; the command's entity is the invoice. One that is void already can be billed again once.
 * @throws DomainError not_found, precondition_failed, invoice_has_payments, invalid_state_transition,
 * amount_exceeds_balance when the policy owes less than the new bill would say
 */
export const voidInvoice = (deps: Deps) =>
  commandActivity<VoidPayload, LockedInvoice, VoidOutcome>(deps, 'voidInvoice', {
    lock: lockForMoney,
    work: async (em, command, locked) => {
      if (locked === null) throw new DomainError('not_found', 'There is no such invoice.');
      const { invoice } = locked;
      const { reissue } = command.payload;
      ensureExpected(command, invoice);
      ensureVoidable(invoiceAmounts(invoice), { reissue, isReissued: await isReissued(em, invoice) });
      if (invoice.voidedAt === null) persistVoid(em, command, invoice, new Date(deps.now()));
      await em.flush();
      if (reissue) await persistReissue(em, command, locked, (await businessDay(em, command.orgId, deps.now())).today);
      const hasOpenAttempts = (await intentsOf(em, invoice.id)).some(isCancellable);
      const outcome = { invoiceId: invoice.id, policyId: invoice.policyId };
      return hasOpenAttempts ? { ...outcome, hasOpenAttempts } : outcome;
    },
  });

function persistVoid(em: EntityManager, command: Command<VoidPayload>, invoice: Invoice, at: Date): void {
  invoice.voidedAt = at;
  const changes = auditedChanges({ voidedAt: null }, { voidedAt: at.toISOString() });
  writeAudit(em, auditOf(command, 'invoice:void', 'invoice', { ...changes, reason: command.payload.reason }));
}

/** What nobody has billed, under the next number, due on the old day or today, whichever is later. */
async function persistReissue(
  em: EntityManager,
  command: Command<VoidPayload>,
  { invoice, policy }: LockedInvoice,
  today: BusinessDate,
): Promise<void> {
  const { policyId, transactionId, producerId, insuredName, installmentNumber, installmentCount } = invoice;
  const lines = reissuedLines(invoice, await unbilledOf(em, policy), command.payload.reissuedCents ?? null);
  const totalCents = sumOfLines(lines);
  // The counter is taken last: every bind of the organization waits for it.
  const [invoiceNumber = ''] = await nextInvoiceNumbers(em, yearOf(today), 1);
  const bill = { invoiceNumber, dueDate: maxDate(invoice.dueDate, today), totalCents, reissueOf: invoice.id };
  const again = addRow(em, Invoice, {
    ...{ policyId, transactionId, producerId, insuredName, installmentNumber, installmentCount, lines },
    ...{ id: newId('invoice'), issueDate: today, ...bill },
  });
  const origin = { ...command, entityId: again.id };
  writeAudit(em, auditOf(origin, 'invoice:void', 'invoice', auditedChanges(null, bill)));
}

/** The same lines, unless the policy owes other parts by now. */
function reissuedLines({ lines }: Invoice, unbilled: Parts, amountCents: number | null): InvoiceLine[] {
  const voided = partsOfLines(lines);
  const parts = reissuedParts(voided, unbilled, amountCents);
  if (PART_NAMES.every((part) => parts[part] === voided[part])) return [...lines];
  return linesOfParts(parts, lines[0]?.description ?? 'Premium');
}
