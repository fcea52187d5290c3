// Every check of the books, in the order they run. To add one, add a file next to these and a line here.

import { cardPayoutEntryCheck, cardPayoutLines } from './cards/card-payouts.ts';
import { cardPayments, cardStatement } from './cards/card-statement.ts';
import type { BookCheck } from './check.ts';
import { claimPaymentEntries, claimRecoveryEntries, lossFundEntries } from './claims/claim-money.ts';
import { disbursementEntries } from './disbursements/disbursement-entries.ts';
import { disbursementEvents } from './disbursements/disbursement-events.ts';
import { commissionAmounts, commissionTermsCheck } from './entries/commission-terms.ts';
import { entryBalance, entryLines } from './entries/entry-balance.ts';
import { entrySource } from './entries/entry-source.ts';
import { transferPairs } from './entries/transfer-pairs.ts';
import { invoiceLiabilities, invoiceUnapplied } from './invoices/invoice-accounts.ts';
import { invoiceAudit } from './invoices/invoice-audit.ts';
import { invoiceCommission } from './invoices/invoice-commission.ts';
import { invoiceDisputed } from './invoices/invoice-disputed.ts';
import { invoiceEarnings } from './invoices/invoice-earnings.ts';
import { invoicePaid } from './invoices/invoice-paid.ts';
import { invoiceShares } from './invoices/invoice-shares.ts';
import { invoiceSplit } from './invoices/invoice-split.ts';
import { invoiceTotal } from './invoices/invoice-total.ts';
import { journalEntries } from './journals/journal-entries.ts';
import { journalAudit, journalEvents } from './journals/journal-records.ts';
import { alertEvents } from './payments/alert-events.ts';
import { coveredMoney } from './payments/covered-money.ts';
import { paymentAudit } from './payments/payment-audit.ts';
import { paymentEvents } from './payments/payment-events.ts';
import { receiptEntryCheck } from './payments/receipt-entry.ts';
import { refundReference, returnAllocations } from './payments/return-allocations.ts';
import { returnEntries } from './payments/return-entries.ts';
import { returnEvents } from './payments/return-events.ts';
import { returnsOwed } from './payments/returns-owed.ts';
import { stepsLeftOut } from './payments/steps-left-out.ts';
import { authorityUse } from './policies/authority-use.ts';
import { policyAudit } from './policies/policy-audit.ts';
import { policyBilled } from './policies/policy-billed.ts';
import { policyEvents } from './policies/policy-events.ts';
import { policyLedger } from './policies/policy-ledger.ts';
import { policyWritten } from './policies/policy-written.ts';
import { payeeLiabilities } from './remittances/payee-liabilities.ts';
import { remittanceEntryCheck, remittanceLines, shortfallEntryCheck } from './remittances/remittance-entries.ts';

export const BOOK_CHECKS: readonly BookCheck[] = [
  policyWritten,
  policyBilled,
  policyLedger,
  policyEvents,
  policyAudit,
  authorityUse,
  invoiceTotal,
  invoicePaid,
  invoiceDisputed,
  invoiceAudit,
  invoiceSplit,
  invoiceShares,
  invoiceEarnings,
  invoiceCommission,
  invoiceLiabilities,
  invoiceUnapplied,
  receiptEntryCheck,
  returnEntries,
  coveredMoney,
  returnAllocations,
  refundReference,
  returnsOwed,
  disbursementEntries,
  disbursementEvents,
  remittanceEntryCheck,
  remittanceLines,
  shortfallEntryCheck,
  payeeLiabilities,
  claimPaymentEntries,
  claimRecoveryEntries,
  lossFundEntries,
  paymentEvents,
  returnEvents,
  alertEvents,
  paymentAudit,
  stepsLeftOut,
  entryBalance,
  entryLines,
  entrySource,
  journalEntries,
  journalAudit,
  journalEvents,
  transferPairs,
  commissionTermsCheck,
  commissionAmounts,
  cardStatement,
  cardPayments,
  cardPayoutEntryCheck,
  cardPayoutLines,
];
