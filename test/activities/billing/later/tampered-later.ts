// Tampering with kept refunds, write-offs and the events of policies, each with the check that finds it.
import { DISBURSEMENT, INVOICE, POLICY, RECEIPT, type Tampering } from '../tampering.ts';

const KEPT = "select id from payments where policy_id = :policy and method = 'kept_refund'";
const OF_KEPT = `source_type = 'payment' and source_id in (${KEPT})`;
const LINES_OF_KEPT = `entry_id in (select id from ledger_entries where ${OF_KEPT})`;
const NOT_KEPT = `update disbursements set kept_cents = 0, cancelled_cents = 0, cancelled_on = null, status = 'pending'
  where policy_id = :policy`;
/** What is left of an invoice that was written off in part. */
const REST = 'select id from invoices where rest_of = :invoice';

/** A policy's events of a type disappear, or name another transaction. */
const withoutEvent = (type: string, life: Tampering['life'], names = POLICY): Tampering => ({
  what: `the event ${type} is deleted`,
  ...{ life, finds: 'policy_events', names },
  change: [`delete from events where type = '${type}' and data ->> 'policyId' in (${names})`],
});
const NEXT_TERM = 'select id from policies where renewal_of = :policy';

export const TAMPERED_LATER: readonly Tampering[] = [
  withoutEvent('policy.bound', 'paid'),
  withoutEvent('policy.endorsed', 'endorsed'),
  withoutEvent('policy.renewed', 'renewed', NEXT_TERM),
  withoutEvent('policy.lapsed', 'lapsed'),
  withoutEvent('policy.non_renewed', 'unrenewed'),
  withoutEvent('policy.expired', 'audited'),
  withoutEvent('policy.audited', 'audited'),
  withoutEvent('policy.payment_plan_changed', 'replanned'),
  {
    what: 'the event of an endorsement is that of another transaction',
    life: 'endorsed',
    change: [
      `update events set data = jsonb_set(data, '{transactionId}', '"ptx_other"')
        where type = 'policy.endorsed' and data ->> 'policyId' = :policy`,
    ],
    finds: 'policy_events',
    names: POLICY,
  },
  {
    what: 'the receipt that keeps a refund is deleted with its entry',
    life: 'kept',
    change: [
      `delete from ledger_lines where ${LINES_OF_KEPT}`,
      `delete from ledger_entries where ${OF_KEPT}`,
      `delete from payments where policy_id = :policy and method = 'kept_refund'`,
    ],
    finds: 'disbursement_entries',
    names: DISBURSEMENT,
  },
  {
    what: 'a refund is said to be given up and not kept',
    life: 'kept',
    change: ['update disbursements set kept_cents = 0 where policy_id = :policy'],
    finds: 'disbursement_entries',
    names: DISBURSEMENT,
  },
  {
    what: 'a kept refund is owed by check again, and its receipt and entry are gone',
    life: 'kept',
    change: [
      `delete from ledger_lines where ${LINES_OF_KEPT}`,
      `delete from ledger_entries where ${OF_KEPT}`,
      `delete from payments where policy_id = :policy and method = 'kept_refund'`,
      NOT_KEPT,
    ],
    finds: 'disbursement_events',
    names: DISBURSEMENT,
  },
  {
    what: 'a kept refund is on its receipt, and owed by check too',
    life: 'kept',
    change: [NOT_KEPT],
    finds: 'disbursement_entries',
    names: DISBURSEMENT,
  },
  {
    what: 'a kept refund and its entry are smaller in step',
    life: 'kept',
    change: [
      `update ledger_lines set debit_cents = greatest(debit_cents - 100, 0),
        credit_cents = greatest(credit_cents - 100, 0)
        where ${LINES_OF_KEPT}`,
      `update payments set amount_cents = amount_cents - 100 where id in (${KEPT})`,
    ],
    finds: 'disbursement_entries',
    names: DISBURSEMENT,
  },
  {
    what: 'a kept refund was never owed to the insured',
    life: 'kept',
    change: [`update ledger_lines set account = 2010 where account = 2060 and ${LINES_OF_KEPT}`],
    finds: 'receipt_entry',
    names: KEPT,
  },
  {
    what: 'the event of a refund that was kept is deleted',
    life: 'kept',
    change: ["delete from events where type = 'disbursement.cancelled' and data ->> 'policyId' = :policy"],
    finds: 'disbursement_events',
    names: DISBURSEMENT,
  },
  {
    what: 'the event of a refund that was kept is of another amount',
    life: 'kept',
    change: [
      `update events set data = jsonb_set(data, '{cancelledAmount}', '1')
        where type = 'disbursement.cancelled' and data ->> 'policyId' = :policy`,
    ],
    finds: 'disbursement_events',
    names: DISBURSEMENT,
  },
  {
    what: 'who kept a refund is deleted',
    life: 'kept',
    change: [`delete from audit_entries where entity_id in (${KEPT})`],
    finds: 'payment_audit',
    names: KEPT,
  },
  {
    what: 'an open invoice is written off by nobody',
    life: 'lapsed',
    change: ['update invoices set uncollectible_at = now() where id = :invoice'],
    finds: 'invoice_audit',
    names: INVOICE,
  },
  {
    what: 'an invoice that was written off is owed again',
    life: 'unpaid',
    change: ['update invoices set uncollectible_at = null where id = :invoice'],
    finds: 'invoice_audit',
    names: INVOICE,
  },
  {
    what: 'who wrote off an invoice is deleted',
    life: 'unpaid',
    change: ['delete from audit_entries where entity_id = :invoice'],
    finds: 'invoice_audit',
    names: INVOICE,
  },
  {
    what: 'what was written off of an invoice is deleted',
    life: 'divided',
    change: ['delete from invoices where rest_of = :invoice'],
    finds: 'policy_billed',
    names: POLICY,
  },
  {
    what: 'what was written off of an invoice is owed again',
    life: 'divided',
    change: ['update invoices set uncollectible_at = null where rest_of = :invoice'],
    finds: 'invoice_audit',
    names: REST,
  },
  {
    what: 'less was paid and more written off, in both bills, the payment and its receipt',
    life: 'divided',
    change: [
      `update invoices set lines = jsonb_set(lines, '{0,amountCents}',
        to_jsonb((lines -> 0 ->> 'amountCents')::bigint - 5000)),
        total_cents = total_cents - 5000, paid_cents = paid_cents - 5000 where id = :invoice`,
      `update invoices set lines = jsonb_set(lines, '{0,amountCents}',
        to_jsonb((lines -> 0 ->> 'amountCents')::bigint + 5000)),
        total_cents = total_cents + 5000 where rest_of = :invoice`,
      `update payments set amount_cents = amount_cents - 5000, applied_cents = applied_cents - 5000
        where id in (${RECEIPT})`,
      `update ledger_lines set debit_cents = greatest(debit_cents - 5000, 0),
        credit_cents = greatest(credit_cents - 5000, 0)
        where entry_id in (select id from ledger_entries where invoice_id = :invoice and entry_type = 'receipt')`,
    ],
    finds: 'invoice_shares',
    names: INVOICE,
  },
  {
    what: 'an open invoice is void by nobody',
    life: 'unpaid',
    change: ['update invoices set voided_at = now() where id = :invoice'],
    finds: 'invoice_audit',
    names: INVOICE,
  },
];
