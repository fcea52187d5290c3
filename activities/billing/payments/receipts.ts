/**
 * The receipt for a payment: a printable page in object storage. Its path depends only on the payment, so making it
 * again replaces it. Spec 6.4.3.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Liquid } from 'liquidjs';
import type { MoneyStep } from '../../../contracts/machinery/saga.ts';
import type { Organization } from '../../../db/entities/platform/organization.ts';
import { timedId } from '../../../db/ids.ts';
import { invoiceAmounts } from '../../../db/queries/billing/invoices.ts';
import { saveReceiptDigest } from '../../../db/queries/billing/receipts.ts';
import { type NewOrder, placeOrder } from '../../../db/queries/document/document-orders.ts';
import { findOrganization } from '../../../db/queries/platform/organizations.ts';
import { findPolicy } from '../../../db/queries/policy/policies.ts';
import { invoiceBalance } from '../../../domain/billing/invoice.ts';
import { moneyOf, PAYMENT_METHOD_NAMES } from '../../../domain/billing/payment.ts';
import { dollarText } from '../../../domain/money.ts';
import { type Deps, transaction } from '../../context.ts';
import { type PaidInvoice, readPaid } from './payment-steps.ts';

/** Values are data: escaped unless the template opts out, and it never does. */
const liquid = new Liquid({ outputEscape: 'escape', strictVariables: true, strictFilters: true });
const template = liquid.parse(readFileSync(new URL('./receipt.liquid', import.meta.url), 'utf8'));

/**
 * Renders a payment's receipt, stores it, and keeps its digest, so that a later change shows. The document that people
 * download is printed from an order.
 */
export const storeReceipt =
  (deps: Deps) =>
  async (step: MoneyStep): Promise<{ path: string }> => {
    const { path, page, order } = await transaction(deps, { kind: 'storeReceipt', orgId: step.orgId }, async (em) => {
      const paid = await readPaid(em, step);
      const organization = await findOrganization(em, step.orgId);
      const policy = await findPolicy(em, paid.invoice.policyId);
      const facts = receiptFacts(paid, organization, policy?.policyNumber ?? '');
      const path = receiptPath(step.orgId, paid.invoice.invoiceNumber, paid.payment.createdAt);
      return { path, page: liquid.renderSync(template, facts) as string, order: receiptOrder(paid) };
    });
    await deps.storage.put(path, page, 'text/html; charset=utf-8');
    const digest = digestOf(Buffer.from(page));
    await transaction(deps, { kind: 'storeReceipt', orgId: step.orgId }, async (em) => {
      await saveReceiptDigest(em, { paymentId: step.entityId, ...digest });
      await placeOrder(em, order, 0);
    });
    return { path };
  };

/** The order for a payment's document; it must have one. */
function receiptOrder({ payment, invoice }: PaidInvoice): NewOrder {
  const id = timedId('document', payment.createdAt, `receipt of ${payment.id}`);
  const input = { paymentId: payment.id };
  return { id, kind: 'receipt', entityType: 'invoice', entityId: invoice.id, input, createdBy: 'system' };
}

/** The digest of a stored receipt: SHA-256 in hex, and its size in bytes. */
export function digestOf(content: Uint8Array): { sha256: string; bytes: number } {
  return { sha256: createHash('sha256').update(content).digest('hex'), bytes: content.byteLength };
}

/** The storage path of a payment's receipt, by the instant it was recorded, to the millisecond. Spec 6.4.3. */
export function receiptPath(orgId: string, invoiceNumber: string, recordedAt: Date): string {
  const timestamp = recordedAt.toISOString().replaceAll(/[-:.]/g, '');
  return `docs/${orgId}/receipts/RCPT-${invoiceNumber}-${timestamp}.html`;
}

function receiptFacts({ payment, invoice }: PaidInvoice, organization: Organization | null, policyNumber: string) {
  return {
    organization: organization?.name ?? '',
    insured: invoice.insuredName,
    policyNumber,
    invoice: {
      number: invoice.invoiceNumber,
      issued: invoice.issueDate,
      lines: invoice.lines.map(({ description, amountCents }) => ({ description, amount: dollarText(amountCents) })),
      total: dollarText(invoice.totalCents),
    },
    payment: {
      id: payment.id,
      received: payment.receivedOn,
      method: PAYMENT_METHOD_NAMES[payment.method],
      reference: payment.reference,
      amount: dollarText(moneyOf(payment)),
      unapplied: payment.appliedCents < moneyOf(payment) ? dollarText(moneyOf(payment) - payment.appliedCents) : null,
    },
    balance: dollarText(invoiceBalance(invoiceAmounts(invoice))),
  };
}
