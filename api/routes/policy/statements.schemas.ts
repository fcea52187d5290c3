// The statement of account of a policy on the wire.
import { z } from 'zod';
import { ENTRY_KINDS } from '../../../domain/billing/account/entry.ts';
import { dollars, idReference, isoDate, signedDollars, totalDollars } from '../../spine/schemas.ts';

export const StatementQuery = z.strictObject({
  from: isoDate.optional().meta({ description: 'The first day. Default: the first on which anything happened.' }),
  to: isoDate.optional().meta({ description: 'The last day. Default: today.' }),
});

const StatementLineSchema = z
  .strictObject({
    date: isoDate,
    kind: z.enum(ENTRY_KINDS).meta({
      description:
        '`invoice`: a bill. `additional_premium`, `return_premium`: a change of the policy charges more, or less, from the day on which it is made, also while the refund waits for approval. `void`, `restored`: a bill is withdrawn, or owed again. `write_off`, `recovery`: an amount is written off, or paid after all. `credit`: refunded money that need not be paid again. `payment`. `refund`: money that was paid back, by check on the day on which the check was issued. `refund_returned`: a refund that did not arrive, since its check was stopped or the card could not take it; it is owed to the insured again. `chargeback`, `reversal`: a payment that was taken back. `refund_withdrawn`: a refund that had not been paid, or was kept as unapplied money, and is not owed because the payment behind it was reversed. `transfer`: money that paid an invoice of another policy, or came from one.',
    }),
    reference: z.string().meta({ description: 'The number of the invoice, or the reference of the payment.' }),
    invoiceId: idReference('invoice').nullable(),
    paymentId: idReference('payment', 'refund').nullable(),
    transactionId: idReference('policyTransaction')
      .nullable()
      .meta({ description: 'The policy transaction that it follows from.' }),
    dueDate: isoDate.nullable().meta({ description: 'The current due date of an invoice.' }),
    amount: signedDollars.meta({
      description: 'The change in the amount owed, in dollars; negative when less is owed.',
    }),
    balance: signedDollars.meta({ description: 'The balance after this line, in dollars.' }),
    owed: dollars.nullable().meta({
      description: 'For an invoice, the balance owed today, in dollars; 0 while the invoice is disputed.',
    }),
    daysPastDue: z.number().int().nullable().meta({
      description: 'For an unpaid invoice, the days since its current due date; negative before that date.',
    }),
    description: z.string().meta({ description: 'A description of the line, written for the insured.' }),
  })
  .meta({ id: 'StatementLine' });

const DueSchema = z
  .strictObject({
    amount: totalDollars,
    dueDate: isoDate.meta({ description: 'For a past-due amount, the earliest due date.' }),
    days: z.number().int().min(0).meta({ description: 'Days since the due date, or days remaining until it.' }),
  })
  .meta({ id: 'AmountDue' });

export const StatementSchema = z
  .strictObject({
    policyId: idReference('policy'),
    policyNumber: z.string(),
    insuredName: z.string(),
    from: isoDate,
    to: isoDate,
    openingBalance: signedDollars.meta({ description: 'Before the first day, in dollars.' }),
    lines: z.array(StatementLineSchema).meta({ description: 'By date, oldest first.' }),
    due: z
      .strictObject({
        asOf: isoDate,
        pastDue: DueSchema.nullable(),
        dueNext: DueSchema.nullable().meta({ description: 'What falls due on the next due date, today included.' }),
        refundDue: dollars.meta({
          description:
            'Refunds that are owed to the insured by check or transfer and have not been issued, in dollars.',
        }),
        refundPending: dollars.meta({
          description:
            "Return premium, in dollars, that awaits approval or the card processor's response. It leaves out any part of the payment that a bank has taken back.",
        }),
      })
      .meta({
        id: 'StatementDue',
        description: 'The amount due today, whatever period the statement covers, before unapplied cash.',
      }),
    paymentInstructions: z.array(z.string()).optional().meta({
      description: 'Where to pay, line by line. It is missing until the organization has set `paymentInstructions`.',
    }),
    closingBalance: signedDollars.meta({
      description:
        'At the end of the last day, in dollars: the balance of invoices that are neither void nor written off, due or not, less unapplied money, refunds that are owed by check and have not been issued, and return premium that waits. Negative if it is in favor of the insured.',
    }),
  })
  .meta({ id: 'PolicyStatement' });

export type StatementWire = z.output<typeof StatementSchema>;
