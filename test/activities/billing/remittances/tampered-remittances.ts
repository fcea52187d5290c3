// Tampering with payouts, remittances and transfers, each with the check that finds it.
import type { Tampering } from '../tampering.ts';

const PAID_LAST = "select max(id) from remittances where status = 'paid' group by kind, payee";
const OF_SPLIT = "entry_id in (select id from ledger_entries where entry_type = 'split' and invoice_id = :invoice)";
const WAITING = "status = 'pending_approval'";

export const TAMPERED_REMITTANCES: readonly Tampering[] = [
  {
    what: 'a payout is for more than it covers',
    life: 'card',
    change: ["update remittances set amount_cents = amount_cents + 1 where kind = 'commission'"],
    finds: 'remittance_lines',
    names: "select id from remittances where kind = 'commission'",
  },
  {
    what: 'a remittance that waits is said to be paid',
    life: 'paid',
    change: [`update remittances set status = 'paid', decided_by = 'x', paid_on = '2026-01-01' where ${WAITING}`],
    finds: 'remittance_entries',
    names: `select id from remittances where ${WAITING}`,
  },
  {
    what: 'the row of a transfer is deleted',
    life: 'paid',
    change: ["delete from remittances where kind = 'transfer'"],
    finds: 'entry_source',
    names: "select id from ledger_entries where source_id in (select id from remittances where kind = 'transfer')",
  },
  {
    what: 'an agency owes back more than the ledger has',
    life: 'card',
    change: ["update trust_shortfalls set amount_cents = amount_cents + 1 where kind = 'commission'"],
    finds: 'shortfall_entries',
    names: "select id from trust_shortfalls where kind = 'commission'",
  },
  {
    what: 'nobody has made good what a carrier was paid too much',
    life: 'cancelled',
    change: [
      `delete from ledger_lines where entry_id in (select id from ledger_entries where source_type = 'shortfall')`,
      `delete from ledger_entries where source_type = 'shortfall'`,
    ],
    finds: 'payee_liabilities',
    names: PAID_LAST,
  },
  {
    what: 'a state has less on its account than it was paid',
    life: 'paid',
    change: [`update ledger_lines set credit_cents = 0, debit_cents = 10000000 where account = 2040 and ${OF_SPLIT}`],
    finds: 'payee_liabilities',
    names: "select id from remittances where kind = 'tax' and status = 'paid'",
  },
];
