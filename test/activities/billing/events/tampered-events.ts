// Events of payments and returns that are deleted or changed, each with the check that finds it.
import { CHARGEBACK, RECEIPT, REFUND, REVERSAL, type Tampering } from '../tampering.ts';

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
];
