// What somebody with the database in their hands may do to the books: each change with the check that finds it, and the
// row that the check names. `life` stands for the policy, `invoice` for its first invoice, in the statements.
import type { CheckName } from '../../../domain/billing/reconciliation/checks.ts';
import type { LifeName } from './reconciled-book.ts';

export interface Tampering {
  what: string;
  life: LifeName;
  /** Statements with `:policy`, `:invoice` and `:org`. */
  change: string[];
  finds: CheckName;
  /** A statement for the id of the row that is named, asked before the change. */
  names: string;
}

const POLICY = 'select :policy';
const INVOICE = 'select :invoice';
const ORGANIZATION = 'select :org';
const RECEIPT = "select id from payments where invoice_id = :invoice and kind in ('card', 'manual')";
const REFUND = "select id from payments where invoice_id = :invoice and kind = 'refund'";
const RECORD = "select id from commission_records where invoice_id = :invoice and type = 'earned'";
const entryOf = (type: string) =>
  `select id from ledger_entries where invoice_id = :invoice and entry_type = '${type}'`;
const linesOf = (type: string) => `entry_id in (${entryOf(type)})`;
const without = (...types: string[]) =>
  types.flatMap((type) => [
    `delete from ledger_lines where ${linesOf(type)}`,
    `delete from ledger_entries where invoice_id = :invoice and entry_type = '${type}'`,
  ]);
/** Puts an amount on a line of a bill in place of the one that is there. */
const lineIs = (position: number, cents: string) =>
  `lines = jsonb_set(lines, '{${position},amountCents}', to_jsonb((lines -> ${position} ->> 'amountCents')::bigint ${cents}))`;
const entry = (id: string, ledger: string, type: string) => `
  insert into ledger_entries (id, org_id, ledger, entry_type, source_type, source_id, date, description, line_count)
  values ('${id}', :org, '${ledger}', '${type}', 'transfer', 'out', '2026-01-01', 'Moved', 2)`;
const OWN = [1030, 1120];
const line = (entryId: string, account: number, side: 'debit' | 'credit', cents: number) => `
  insert into ledger_lines (id, org_id, entry_id, ledger, account, ${side}_cents) values
  ('${entryId}-${account}', :org, '${entryId}', '${OWN.includes(account) ? 'general' : 'fiduciary'}', ${account}, ${cents})`;

export const TAMPERINGS: readonly Tampering[] = [
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
    what: 'agents have more and the carrier less, in the record and the ledger alike',
    life: 'paid',
    change: [
      `update commission_records set agent_commission_cents = agent_commission_cents + 500,
        carrier_net_cents = carrier_net_cents - 500 where invoice_id = :invoice`,
      `update ledger_lines set credit_cents = credit_cents + 500 where account = 2020 and ${linesOf('split')}`,
      `update ledger_lines set credit_cents = credit_cents - 500 where account = 2010 and ${linesOf('split')}`,
    ],
    finds: 'commission_amounts',
    names: RECORD,
  },
  {
    what: 'the commission is of another tier',
    life: 'paid',
    change: ['update commission_records set tier = tier + 1 where invoice_id = :invoice'],
    finds: 'commission_terms',
    names: RECORD,
  },
  {
    what: 'a card refund is deleted with its entries, its commission and its place on the invoice',
    life: 'card',
    change: [
      `delete from commission_records where invoice_id = :invoice and type = 'reversal'`,
      ...without('return', 'payout', 'earnings_return'),
      `delete from payments where invoice_id = :invoice and kind = 'refund'`,
      'update invoices set refunded_cents = 0 where id = :invoice',
    ],
    finds: 'card_statement',
    names: `select l.id from card_statement_lines l join payments p on p.reference = l.intent_id
      where p.invoice_id = :invoice and l.kind = 'refund'`,
  },
  {
    what: 'the row of a refund is deleted',
    life: 'cancelled',
    change: ["delete from payments where invoice_id = :invoice and kind = 'refund'"],
    finds: 'entry_source',
    names: entryOf('return'),
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
    what: 'the event of a payment is deleted',
    life: 'paid',
    change: ["delete from events where type = 'payment.received' and data ->> 'policyId' = :policy"],
    finds: 'payment_events',
    names: RECEIPT,
  },
  {
    what: 'the event of a paid invoice is deleted',
    life: 'paid',
    change: ["delete from events where type = 'invoice.paid' and data ->> 'policyId' = :policy"],
    finds: 'payment_events',
    names: RECEIPT,
  },
  {
    what: 'the event of a cancellation is deleted',
    life: 'cancelled',
    change: ["delete from events where type = 'policy.cancelled' and data ->> 'policyId' = :policy"],
    finds: 'policy_events',
    names: POLICY,
  },
  {
    what: 'who recorded a payment is deleted',
    life: 'paid',
    change: [`delete from audit_entries where entity_id in (${RECEIPT})`],
    finds: 'payment_audit',
    names: RECEIPT,
  },
  {
    what: 'who changed a policy is deleted',
    life: 'endorsed',
    change: ['delete from audit_entries where entity_id = :policy'],
    finds: 'policy_audit',
    names: POLICY,
  },
  {
    what: 'a card payment is missing here',
    life: 'card',
    change: ["delete from payments where invoice_id = :invoice and kind = 'card'"],
    finds: 'card_statement',
    names: `select l.id from card_statement_lines l join payments p on p.reference = l.intent_id
      where p.invoice_id = :invoice and l.kind = 'charge'`,
  },
  {
    what: 'a card payment is missing at the processor',
    life: 'card',
    change: ["delete from card_statement_lines where kind = 'charge'"],
    finds: 'card_payments',
    names: RECEIPT,
  },
  {
    what: 'a card refund is missing at the processor',
    life: 'card',
    change: ["delete from card_statement_lines where kind = 'refund'"],
    finds: 'card_payments',
    names: REFUND,
  },
  {
    what: 'the processor took less than was recorded',
    life: 'card',
    change: ["update card_statement_lines set amount_cents = amount_cents - 1 where kind = 'charge'"],
    finds: 'card_payments',
    names: RECEIPT,
  },
  {
    what: 'a refund is of another refund of the processor',
    life: 'card',
    change: [`update payments set reference = 're_other' where id in (${REFUND})`],
    finds: 'refund_reference',
    names: REFUND,
  },
  {
    what: 'a refund comes from a receipt that is not there',
    life: 'card',
    change: [
      `update payments set allocations = jsonb_set(allocations, '{0,paymentId}', '"pay_other"') where id in (${REFUND})`,
    ],
    finds: 'return_allocations',
    names: REFUND,
  },
  {
    what: 'an entry no longer balances',
    life: 'paid',
    change: [`update ledger_lines set credit_cents = credit_cents - 1 where account = 2010 and ${linesOf('split')}`],
    finds: 'entry_balance',
    names: entryOf('split'),
  },
  {
    what: 'an entry has lost a line',
    life: 'paid',
    change: [`delete from ledger_lines where account = 2050 and ${linesOf('split')}`],
    finds: 'entry_lines',
    names: entryOf('split'),
  },
  {
    what: 'an entry crosses from trust money to our own',
    life: 'paid',
    change: [`update ledger_lines set account = 4010, ledger = 'general' where account = 2030 and ${linesOf('split')}`],
    finds: 'entry_lines',
    names: entryOf('split'),
  },
  {
    what: 'a check is booked as card money',
    life: 'paid',
    change: [`update ledger_lines set account = 1110 where account = 1010 and ${linesOf('receipt')}`],
    finds: 'receipt_entry',
    names: RECEIPT,
  },
  { what: 'a receipt is deleted', life: 'paid', change: without('receipt'), finds: 'receipt_entry', names: RECEIPT },
  {
    what: 'the row of a payment is deleted',
    life: 'paid',
    change: ['delete from payments where invoice_id = :invoice'],
    finds: 'entry_source',
    names: entryOf('receipt'),
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
    what: 'a payout is deleted',
    life: 'cancelled',
    change: without('payout'),
    finds: 'return_entries',
    names: REFUND,
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
  {
    what: 'commission leaves the trust and does not arrive',
    life: 'paid',
    change: [
      entry('led_out', 'fiduciary', 'transfer'),
      line('led_out', 2030, 'debit', 100),
      line('led_out', 1010, 'credit', 100),
    ],
    finds: 'transfer_pairs',
    names: "select 'led_out'",
  },
  {
    what: 'more commission leaves the trust than was earned',
    life: 'paid',
    change: [
      entry('led_out', 'fiduciary', 'transfer'),
      line('led_out', 2030, 'debit', 90_000_000),
      line('led_out', 1010, 'credit', 90_000_000),
      entry('led_in', 'general', 'transfer_received'),
      line('led_in', 1030, 'debit', 90_000_000),
      line('led_in', 1120, 'credit', 90_000_000),
    ],
    finds: 'trust_liabilities',
    names: ORGANIZATION,
  },
  {
    what: 'trust cash is booked as a receivable, and the trust is short',
    life: 'paid',
    change: [`update ledger_lines set account = 1100 where account = 1010 and ${linesOf('receipt')}`],
    finds: 'trust_ratio',
    names: ORGANIZATION,
  },
];
