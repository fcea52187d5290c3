// Tampering with policies, bills and how they are shared out, each with the check that finds it.
import { DISBURSEMENT, INVOICE, lineIs, linesOf, POLICY, type Tampering, without } from './tampering.ts';

export const TAMPERED_BILLS: readonly Tampering[] = [
  {
    what: 'tax is moved to the carrier in the ledger',
    life: 'paid',
    change: [`update ledger_lines set account = 2010 where account = 2040 and ${linesOf('split')}`],
    finds: 'invoice_shares',
    names: INVOICE,
  },
  {
    what: 'tax is moved to the carrier, and the ledger of a settled policy no longer holds its parts',
    life: 'direct',
    change: [`update ledger_lines set account = 2010 where account = 2040 and ${linesOf('split')}`],
    finds: 'policy_ledger',
    names: POLICY,
  },
  {
    what: 'what was given back as goodwill is in the ledger once more',
    life: 'card',
    change: [
      `update ledger_lines set credit_cents = credit_cents + 50000 where account = 2010 and ${linesOf('split')}`,
    ],
    finds: 'policy_ledger',
    names: POLICY,
  },
  {
    what: 'tax becomes premium on the bill and in the ledger',
    life: 'direct',
    change: [
      `update ledger_lines set account = 2010 where account = 2040 and ${linesOf('split')}`,
      `update invoices set lines = replace(replace(lines::text, '"tax"', '"premium"'), '"SL_TAX"', '"PREMIUM"')::jsonb
        where id = :invoice`,
    ],
    finds: 'policy_billed',
    names: POLICY,
  },
  { what: 'a split is deleted', life: 'paid', change: without('split'), finds: 'invoice_split', names: INVOICE },
  { what: 'earnings are deleted', life: 'paid', change: without('earnings'), finds: 'invoice_split', names: INVOICE },
  {
    what: 'earnings are smaller than our part',
    life: 'paid',
    change: [
      `update ledger_lines set credit_cents = credit_cents - 100 where account = 4010 and ${linesOf('earnings')}`,
      `update ledger_lines set debit_cents = debit_cents - 100 where account = 1120 and ${linesOf('earnings')}`,
    ],
    finds: 'invoice_earnings',
    names: INVOICE,
  },
  {
    what: 'split and earnings are deleted together',
    life: 'direct',
    change: without('split', 'earnings'),
    finds: 'invoice_split',
    names: INVOICE,
  },
  {
    what: 'the split belongs to another invoice',
    life: 'paid',
    change: [
      `update ledger_entries set invoice_id = (select id from invoices where paid_cents = 0 limit 1)
        where invoice_id = :invoice and entry_type = 'split'`,
    ],
    finds: 'invoice_split',
    names: INVOICE,
  },
  {
    what: 'the commission record is deleted',
    life: 'paid',
    change: ['delete from commission_records where invoice_id = :invoice'],
    finds: 'invoice_commission',
    names: INVOICE,
  },
  {
    what: 'the refund of a cancellation is deleted with its entries, its commission and its place on the invoice',
    life: 'cancelled',
    change: [
      `delete from commission_records where invoice_id = :invoice and type = 'reversal'`,
      ...without('return', 'payout', 'earnings_return'),
      `delete from payments where invoice_id = :invoice and kind = 'refund'`,
      'update invoices set refunded_cents = 0 where id = :invoice',
    ],
    finds: 'policy_billed',
    names: POLICY,
  },
  {
    what: 'the paid amount of an invoice is zeroed',
    life: 'paid',
    change: ['update invoices set paid_cents = 0 where id = :invoice'],
    finds: 'invoice_paid',
    names: INVOICE,
  },
  {
    what: 'the paid amounts of an invoice and of its payment are zeroed',
    life: 'paid',
    change: [
      'update invoices set paid_cents = 0 where id = :invoice',
      'update payments set applied_cents = 0 where invoice_id = :invoice',
    ],
    finds: 'invoice_split',
    names: INVOICE,
  },
  {
    what: 'bill, payment, receipt and split are smaller in step',
    life: 'direct',
    change: [
      `update invoices set ${lineIs(0, '- 5000')}, total_cents = total_cents - 5000, paid_cents = paid_cents - 5000
        where id = :invoice`,
      `update payments set amount_cents = amount_cents - 5000, applied_cents = applied_cents - 5000
        where invoice_id = :invoice`,
      `update ledger_lines set debit_cents = debit_cents - 5000 where debit_cents > 0
        and (${linesOf('receipt')} or ${linesOf('split')})`,
      `update ledger_lines set credit_cents = credit_cents - 5000
        where account = 2070 and ${linesOf('receipt')} or account = 2010 and ${linesOf('split')}`,
    ],
    finds: 'policy_billed',
    names: POLICY,
  },
  {
    what: 'policy and bill are smaller in step',
    life: 'quarterly',
    change: [
      `update policies set gross_premium_cents = gross_premium_cents - 5000, total_due_cents = total_due_cents - 5000
        where id = :policy`,
      `update invoices set ${lineIs(0, '- 5000')}, total_cents = total_cents - 5000 where id =
        (select id from invoices where policy_id = :policy and paid_cents = 0 limit 1)`,
    ],
    finds: 'policy_written',
    names: POLICY,
  },
  {
    what: 'an endorsement is deleted',
    life: 'endorsed',
    change: ["delete from policy_transactions where policy_id = :policy and type = 'endorsement'"],
    finds: 'policy_written',
    names: POLICY,
  },
  {
    what: 'an unpaid invoice is void',
    life: 'quarterly',
    change: [
      `update invoices set voided_at = now(), voided_by = transaction_id where id =
        (select id from invoices where policy_id = :policy and paid_cents = 0 limit 1)`,
    ],
    finds: 'policy_billed',
    names: POLICY,
  },
  {
    what: 'the total of an invoice is not that of its lines',
    life: 'paid',
    change: ['update invoices set total_cents = total_cents + 1 where id = :invoice'],
    finds: 'invoice_total',
    names: INVOICE,
  },
  {
    what: 'the event of a cancellation is deleted',
    life: 'cancelled',
    change: ["delete from events where type = 'policy.cancelled' and data ->> 'policyId' = :policy"],
    finds: 'policy_events',
    names: POLICY,
  },
  {
    what: 'the event of a reinstatement is deleted',
    life: 'reinstated',
    change: ["delete from events where type = 'policy.reinstated' and data ->> 'policyId' = :policy"],
    finds: 'policy_events',
    names: POLICY,
  },
  {
    what: 'the event of a scheduled cancellation is deleted',
    life: 'withdrawn',
    change: ["delete from events where type = 'policy.cancellation_scheduled' and data ->> 'policyId' = :policy"],
    finds: 'policy_events',
    names: POLICY,
  },
  {
    what: 'the event of a withdrawn cancellation is deleted',
    life: 'withdrawn',
    change: ["delete from events where type = 'policy.cancellation_withdrawn' and data ->> 'policyId' = :policy"],
    finds: 'policy_events',
    names: POLICY,
  },
  {
    what: 'a cancellation is said to be a lapse without an event',
    life: 'cancelled',
    change: [
      `update policy_transactions set changes = changes || '{"lapse": true}'
        where policy_id = :policy and type = 'cancellation'`,
    ],
    finds: 'policy_events',
    names: POLICY,
  },
  {
    what: 'a policy is said to have expired without an event',
    life: 'paid',
    change: ["update policies set status = 'expired' where id = :policy"],
    finds: 'policy_events',
    names: POLICY,
  },
  {
    what: 'the event of a check that is owed is deleted',
    life: 'cancelled',
    change: ["delete from events where type = 'disbursement.created' and data ->> 'policyId' = :policy"],
    finds: 'disbursement_events',
    names: DISBURSEMENT,
  },
  {
    what: 'the event of a check that was issued is deleted',
    life: 'cancelled',
    change: ["delete from events where type = 'disbursement.issued' and data ->> 'policyId' = :policy"],
    finds: 'disbursement_events',
    names: DISBURSEMENT,
  },
  {
    what: 'who changed a policy is deleted',
    life: 'endorsed',
    change: ['delete from audit_entries where entity_id = :policy'],
    finds: 'policy_audit',
    names: POLICY,
  },
  {
    what: 'a payment is moved to another invoice',
    life: 'paid',
    change: [
      `update payments set invoice_id = (select id from invoices where paid_cents = 0 limit 1)
        where invoice_id = :invoice`,
    ],
    finds: 'invoice_paid',
    names: INVOICE,
  },
  {
    what: 'a return takes from unapplied money what had been shared out',
    life: 'cancelled',
    change: [`update ledger_lines set account = 2070 where account = 2010 and ${linesOf('return')}`],
    finds: 'invoice_unapplied',
    names: INVOICE,
  },
  {
    what: 'the use of delegated authority is smaller than what was written',
    life: 'card',
    change: ['update da_usage set used_cents = used_cents - 1'],
    finds: 'authority_use',
    names: 'select min(id) from policies where da_contract_id is not null',
  },
];
