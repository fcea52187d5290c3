// What voiding and writing off have in common: one transaction, policy locked before invoice, and the invoice that
// rebills what the first one no longer bills. Contract 3.4.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { VoidOutcome } from '../../../contracts/billing.ts';
import type { Command } from '../../../contracts/machinery/command.ts';
import { Invoice } from '../../../db/entities/billing/invoice.ts';
import { newId } from '../../../db/ids.ts';
import { addRow } from '../../../db/new-rows.ts';
import { invoiceAmounts } from '../../../db/queries/billing/invoices.ts';
import { nextInvoiceNumbers } from '../../../db/queries/platform/counters.ts';
import { invoiceBalance } from '../../../domain/billing/invoice.ts';
import { type BusinessDate, yearOf } from '../../../domain/dates.ts';
import { DomainError } from '../../../domain/errors.ts';
import { sumOfLines } from '../../../domain/policy/invoice-lines.ts';
import { obsoleteAttemptsOn } from '../../../plans/billing/obsolete-attempts.ts';
import { businessDay } from '../../../plans/platform/business-day.ts';
import { commandActivity, type Deps } from '../../context.ts';
import { ensureExpected } from '../../expected-version.ts';
import { type LockedInvoice, lockForMoney } from '../../money-locks.ts';

/** A command on a locked invoice. */
export interface InvoiceStep<P> extends LockedInvoice {
  em: EntityManager;
  command: Command<P>;
  today: BusinessDate;
  at: Date;
}

/**
 * Builds the activity of a command that ends an invoice; the command's entity is the invoice. Attempts still open at
 * the card processor are to be cancelled afterwards.
 * @throws DomainError not_found, precondition_failed, and what `work` throws
 */
export const invoiceCommand = <P>(deps: Deps, kind: string, work: (step: InvoiceStep<P>) => Promise<void>) =>
  commandActivity<P, LockedInvoice, VoidOutcome>(deps, kind, {
    lock: lockForMoney,
    work: async (em, command, locked) => {
      if (locked === null) throw new DomainError('not_found', 'There is no such invoice.');
      const { invoice } = locked;
      ensureExpected(command, invoice);
      const { today } = await businessDay(em, command.orgId, deps.now());
      await work({ em, command, ...locked, today, at: new Date(deps.now()) });
      const isSettled = invoiceBalance(invoiceAmounts(invoice)) === 0;
      const obsolete = await obsoleteAttemptsOn(em, invoice.id, { isSettled });
      return { invoiceId: invoice.id, policyId: invoice.policyId, ...obsolete };
    },
  });

/** What a successor invoice bills, and how it relates to the one before it. */
type Succession = Pick<Invoice, 'lines' | 'dueDate'> &
  Partial<Pick<Invoice, 'reissueOf' | 'restOf' | 'uncollectibleAt'>>;

/**
 * Adds an invoice's successor, under the next number, issued today. Call it last: the counter is locked until the
 * commit, and every bind in the organization waits for it.
 */
export async function addSuccessor(
  { em, invoice, today }: Pick<InvoiceStep<unknown>, 'em' | 'invoice' | 'today'>,
  succession: Succession,
): Promise<Invoice> {
  const { policyId, transactionId, producerId, insuredName, installmentNumber, installmentCount } = invoice;
  const [invoiceNumber = ''] = await nextInvoiceNumbers(em, yearOf(today), 1);
  return addRow(em, Invoice, {
    ...{ policyId, transactionId, producerId, insuredName, installmentNumber, installmentCount, ...succession },
    ...{ id: newId('invoice'), invoiceNumber, issueDate: today, totalCents: sumOfLines(succession.lines) },
  });
}
