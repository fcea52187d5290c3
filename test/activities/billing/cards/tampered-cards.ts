// Tampering with card money that the processor's own list reveals, each with the check that finds it.
import { CHARGEBACK, RECEIPT, REFUND, type Tampering, without } from '../tampering.ts';

const LINE_OF_DISPUTE = `select l.id from card_statement_lines l join payments p on p.reference = l.intent_id
  where p.invoice_id = :invoice and l.kind = 'dispute'`;

export const TAMPERED_CARDS: readonly Tampering[] = [
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
    what: 'a chargeback is deleted with its entries, its commission and its place on the invoice',
    life: 'disputed',
    change: [
      `delete from commission_records where invoice_id = :invoice and type = 'reversal'`,
      ...without('return', 'payout', 'earnings_return'),
      `delete from payments where id in (${CHARGEBACK})`,
      'update invoices set refunded_cents = 0, refunded_before_paid_cents = 0, disputed = false where id = :invoice',
    ],
    finds: 'card_statement',
    names: LINE_OF_DISPUTE,
  },
  {
    what: 'the processor has the money of a dispute again that is lost here',
    life: 'lost',
    change: [
      `insert into card_statement_lines (id, org_id, processor_id, kind, intent_id, amount_cents, occurred_at)
        select id || '_won', org_id, processor_id || '_won', 'dispute_reversal', intent_id, amount_cents, occurred_at
          from card_statement_lines where id in (${LINE_OF_DISPUTE})`,
    ],
    finds: 'card_statement',
    names: LINE_OF_DISPUTE,
  },
  {
    what: 'a chargeback is missing at the processor',
    life: 'lost',
    change: [`delete from card_statement_lines where id in (${LINE_OF_DISPUTE})`],
    finds: 'card_payments',
    names: CHARGEBACK,
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
    what: 'a card payment that was never taken claims to be of a time before any statement',
    life: 'card',
    change: [
      `update payments set received_at = '1970-01-01' where id in (${RECEIPT})`,
      "delete from card_statement_lines where kind = 'charge'",
    ],
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
];
