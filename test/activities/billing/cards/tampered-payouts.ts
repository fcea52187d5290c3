// Tampering with card processor payouts, each with the check that finds it.
import { ORGANIZATION, type Tampering } from '../tampering.ts';

const PAYOUT = 'select id from card_payouts';
const ENTRIES = "select id from ledger_entries where source_type = 'card_payout'";

export const TAMPERED_PAYOUTS: readonly Tampering[] = [
  {
    what: 'a payout is said to have come back',
    life: 'card',
    change: ["update card_payouts set status = 'failed', failed_on = '2026-01-01'"],
    finds: 'card_payout_entries',
    names: PAYOUT,
  },
  {
    what: 'a fee that the processor kept is borne by the trust',
    life: 'card',
    change: [
      `delete from ledger_lines where entry_id in (${ENTRIES} and entry_type = 'card_fees_covered')`,
      "delete from ledger_entries where entry_type = 'card_fees_covered'",
    ],
    finds: 'card_payout_entries',
    names: PAYOUT,
  },
  {
    what: 'a fee that the processor kept never reached our own books',
    life: 'card',
    change: [
      `delete from ledger_lines where entry_id in (${ENTRIES} and entry_type = 'card_fees')`,
      "delete from ledger_entries where entry_type = 'card_fees'",
    ],
    finds: 'transfer_pairs',
    names: `${ENTRIES} and entry_type = 'card_fees_covered'`,
  },
  {
    what: 'a payout settles less than it says',
    life: 'card',
    change: ["delete from card_payout_lines where type = 'refund'"],
    finds: 'card_payout_entries',
    names: PAYOUT,
  },
  {
    what: 'a payout settles a charge of which there is no payment',
    life: 'card',
    change: ["delete from payments where invoice_id = :invoice and kind = 'card'"],
    finds: 'card_payout_lines',
    names: `select l.id from card_payout_lines l join payments p on p.reference = l.intent_id
      where p.invoice_id = :invoice and l.type = 'charge'`,
  },
  {
    what: 'the row of a payout is deleted',
    life: 'card',
    change: ['delete from card_payouts'],
    finds: 'entry_source',
    names: ENTRIES,
  },
  {
    what: 'nothing has arrived in the trust account, and much was paid from it',
    life: 'paid',
    change: ['delete from ledger_lines where account = 1010 and debit_cents > 0'],
    finds: 'trust_cash',
    names: ORGANIZATION,
  },
];
