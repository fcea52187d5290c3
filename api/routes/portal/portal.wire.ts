// Policies, invoices and claims as an insured sees them: the staff's wire, cut down. Pure. Contract 3.7 "Portal".
import type { Invoice } from '../../../db/entities/billing/invoice.ts';
import type { Claim } from '../../../db/entities/claim/claim.ts';
import { invoiceAmounts } from '../../../db/queries/billing/invoices.ts';
import { invoiceBalance } from '../../../domain/billing/invoice.ts';
import type { BusinessDate } from '../../../domain/dates.ts';
import { toDollars } from '../../../domain/money.ts';
import { dollarsOrNull, instantOrNull, instantToWire } from '../billing/charges.wire.ts';
import { type InvoiceWithPayments, invoiceToWire } from '../billing/invoices.wire.ts';
import type { PaymentWire } from '../billing/payments.schemas.ts';
import type { PolicyWire } from '../policy/policies.schemas.ts';
import type { PortalClaimWire, PortalHomeWire, PortalInvoiceWire, PortalPolicyWire } from './portal.schemas.ts';

/** A policy without its producer, submission and quote, and with only the number of its open claims. */
export function portalPolicy(policy: PolicyWire): PortalPolicyWire {
  const { submissionId: _submission, quoteId: _quote, producerId: _producer, claims, ...shown } = policy;
  return { ...shown, openClaims: claims.open };
}

/** An invoice with its actual payments: those waiting for approval are for staff only. */
export function portalInvoice(billed: InvoiceWithPayments, today: BusinessDate): PortalInvoiceWire {
  const { payments, ...invoice } = invoiceToWire(billed, today);
  const happened = payments.filter(({ status }) => !WITHIN.includes(status));
  return { ...invoice, payments: happened.map(portalPayment) };
}

const WITHIN: readonly PaymentWire['status'][] = ['pending_approval', 'pending', 'failed'];

function portalPayment({ id, kind, amount, reference, method, status, receivedDate, receivedAt }: PaymentWire) {
  return { id, kind, amount, reference, method, status, receivedDate, receivedAt };
}

/** The status of a claim. */
export function portalClaim(claim: Readonly<Claim>): PortalClaimWire {
  const { id, orgId, claimNumber, status, policyId, policyNumber, insuredName, state, lineOfBusiness } = claim;
  const { lossDate, reportedOn: reportedDate, clocks, coverage, closedAt, version } = claim;
  return {
    ...{ id, orgId, claimNumber, status, policyId, policyNumber, insuredName, state, lineOfBusiness },
    ...{ lossDate, reportedDate, deductible: dollarsOrNull(coverage.deductibleCents) },
    ...{ acknowledgedOn: clocks.claim_ack.metOn, decidedOn: clocks.claim_decision.metOn },
    ...{ closedAt: instantOrNull(closedAt), version },
    ...{ createdAt: instantToWire(claim.createdAt), updatedAt: instantToWire(claim.updatedAt) },
  };
}

/** The first payment due among invoices with a balance, by due date; a bank may still be deciding a dispute on one. */
export function nextPayment(invoices: readonly Readonly<Invoice>[]): PortalHomeWire['nextPayment'] {
  const next = invoices.find(({ disputed }) => !disputed);
  if (next === undefined) return null;
  const { id: invoiceId, invoiceNumber, policyId, dueDate } = next;
  return { invoiceId, invoiceNumber, policyId, dueDate, amount: toDollars(invoiceBalance(invoiceAmounts(next))) };
}
