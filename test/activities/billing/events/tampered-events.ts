// Deleted or changed payment and return events, each with the check that finds it.
import { CHARGEBACK, RECEIPT, REFUND, REVERSAL, type Tampering } from '../tampering.ts';

const alerted = (operation: string) => `type = 'financial.operation_failed' and data ->> 'invoiceId' = :invoice
  and data ->> 'operation' = '${operation}'`;

export const TAMPERED_EVENTS: readonly Tampering[] = [
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
    what: 'the event of a check that came back is deleted',
    life: 'reversed',
    change: ["delete from events where type = 'payment.failed' and data ->> 'policyId' = :policy"],
    finds: 'return_events',
    names: REVERSAL,
  },
  {
    what: 'the event of a lost dispute is of another amount',
    life: 'lost',
    change: [
      `update events set data = jsonb_set(data, '{amount}', '1')
        where type = 'payment.failed' and data ->> 'policyId' = :policy`,
    ],
    finds: 'return_events',
    names: CHARGEBACK,
  },
  {
    what: 'the event of what another invoice gave up again is deleted',
    life: 'applied',
    change: ["delete from events where type = 'payment.failed' and data ->> 'policyId' = :policy"],
    finds: 'return_events',
    names: "select id from payments where policy_id = :policy and kind = 'application'",
  },
  {
    what: 'the event of a refund that was approved is deleted',
    life: 'approved',
    change: ["delete from events where type = 'refund.approved' and data ->> 'policyId' = :policy"],
    finds: 'return_events',
    names: REFUND,
  },
  {
    what: 'the event of the request to approve a refund is deleted',
    life: 'approved',
    change: ["delete from events where type = 'refund.approval_requested' and data ->> 'policyId' = :policy"],
    finds: 'return_events',
    names: REFUND,
  },
  {
    what: 'the event of an invoice that a won dispute has paid is deleted',
    life: 'regained',
    change: ["delete from events where type = 'invoice.paid' and data ->> 'policyId' = :policy"],
    finds: 'return_events',
    names: CHARGEBACK,
  },
  {
    what: 'the alert to an open dispute is deleted',
    life: 'disputed',
    change: [`delete from events where ${alerted('chargeback')}`],
    finds: 'alert_events',
    names: CHARGEBACK,
  },
  {
    what: 'the alert to a dispute that was won is put on another payment',
    life: 'won',
    change: [`update events set data = jsonb_set(data, '{paymentId}', '"pay_1"') where ${alerted('chargeback')}`],
    finds: 'alert_events',
    names: CHARGEBACK,
  },
  {
    what: 'the alert to the loss of a dispute is deleted, and that to its opening is not',
    life: 'lost',
    change: [`delete from events where ${alerted('chargeback')} and data ->> 'message' like 'A dispute was lost.%'`],
    finds: 'alert_events',
    names: CHARGEBACK,
  },
  {
    what: 'the alert to what a won dispute has left over is deleted',
    life: 'regained',
    change: [`delete from events where ${alerted('payment.unapplied')}`],
    finds: 'alert_events',
    names: CHARGEBACK,
  },
  {
    what: 'the alert to what a won dispute has left over is of another amount',
    life: 'regained',
    change: [`update events set data = jsonb_set(data, '{amount}', '1') where ${alerted('payment.unapplied')}`],
    finds: 'alert_events',
    names: CHARGEBACK,
  },
  {
    what: 'the alert to money that operating funds had to cover is deleted',
    life: 'covered',
    change: [`delete from events where ${alerted('trust.covered')}`],
    finds: 'alert_events',
    names: CHARGEBACK,
  },
];
