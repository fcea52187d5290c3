// The shapes of reconciliations on the wire. Contract 3.4, domain facts 4.4.
import { z } from 'zod';
import { idParam, idReference, instant, isoDate, pageSchema, recordId, signedDollars } from '../../spine/schemas.ts';

const figures = {
  trustAssets: signedDollars.meta({ description: 'Trust assets in dollars: accounts 1010, 1040, 1110 and 1200.' }),
  trustLiabilities: signedDollars.meta({ description: 'Everything the trust owes, in dollars.' }),
  trustRatio: z.number().nullable().meta({
    description: 'Trust assets divided by trust liabilities. It is null when nothing is owed.',
  }),
  trustCash: signedDollars.meta({ description: 'Trust cash by the ledger: account 1010.' }),
  cardClearing: signedDollars.meta({ description: 'Card clearing by the ledger: account 1110.' }),
  cashReceived: signedDollars.meta({
    description: 'Trust cash computed from payments and returns. It must equal `trustCash`.',
  }),
  cardReceived: signedDollars.meta({
    description: 'Card clearing computed from payments and returns. It must equal `cardClearing`.',
  }),
  swept: signedDollars.meta({
    description:
      'Payouts of the card processor to the trust account, plus the fees that operating cash has put in. They are part of `cashReceived`, and no longer of `cardReceived`.',
  }),
  bankBalance: signedDollars.nullable().meta({
    description:
      'The closing balance of the last bank statement that states one, plus later bookings. It equals `trustCash` less `depositsInTransit` plus `outstandingChecks` plus `bankUnmatched`; any remainder is `bankDifference`.',
  }),
  bankUnmatched: signedDollars.nullable().meta({
    description: 'Bank bookings that are not matched with the ledger. It is null before the first statement.',
  }),
  ledgerUnmatched: signedDollars.nullable().meta({
    description:
      'Movements of account 1010 since the first statement that the bank has not booked: `depositsInTransit` less `outstandingChecks`. `GET /ledger/bank-movements?status=unmatched` lists them.',
  }),
  depositsInTransit: signedDollars.nullable().meta({
    description: 'Of these, the money in: deposits and transfers in transit. It is null before the first statement.',
  }),
  outstandingChecks: signedDollars.nullable().meta({
    description: 'Of these, the money out: checks that nobody has cashed, and transfers that the bank has not booked.',
  }),
  bankDifference: signedDollars.nullable().meta({
    description:
      'The part of the difference between bank and ledger that no open item explains. Anything but 0 is the finding `bank_balance`: a statement is missing, or the account had another balance than the ledger before the first one.',
  }),
  unapplied: signedDollars.meta({ description: 'Unapplied cash by the ledger: account 2070.' }),
  unshared: signedDollars.meta({
    description:
      'Payments on invoices that have not been split among the accounts yet, plus unapplied money. It must equal `unapplied`.',
  }),
  returnsPayable: signedDollars.meta({ description: 'Refunds payable by the ledger: account 2060.' }),
  owedByCheck: signedDollars.meta({
    description: 'The total of disbursements not issued yet. It must equal `returnsPayable`.',
  }),
  outstanding: signedDollars.meta({ description: 'Returned money that has not been posted to the ledger yet.' }),
  liabilities: z.array(z.strictObject({ account: z.number().int(), balance: signedDollars })),
};

const TrustFiguresSchema = z.strictObject(figures).meta({ id: 'TrustFigures' });

const CheckSchema = z
  .strictObject({
    name: z.string().meta({ examples: ['policy_ledger'] }),
    status: z.enum(['passed', 'failed', 'skipped']).meta({
      description: '`skipped`: a record needed for the comparison could not be read, so the check has no result.',
    }),
    found: z
      .number()
      .int()
      .meta({ description: 'The number of disagreements. `findings` lists the first 20 of each check.' }),
    reason: z.string().nullable().meta({ description: 'The reason why the check was skipped.' }),
  })
  .meta({ id: 'ReconciliationCheck' });

const FindingSchema = z
  .strictObject({
    check: z.string(),
    entityType: z.string().meta({ examples: ['invoice'] }),
    entityId: recordId,
    part: z
      .string()
      .meta({ description: 'The part of the record that disagrees, such as `tax`, an account number or an event.' }),
    unit: z.enum(['dollars', 'count']),
    expected: z.number(),
    actual: z.number(),
    detail: z.string(),
  })
  .meta({ id: 'ReconciliationFinding' });

export const TrustReconciliationSchema = z
  .strictObject({
    id: idReference('trustReconciliation'),
    orgId: idReference('organization'),
    date: isoDate,
    status: z.enum(['running', 'completed']),
    clean: z
      .boolean()
      .nullable()
      .meta({ description: 'True when no check found a disagreement. It is null while the run is in progress.' }),
    figures: TrustFiguresSchema.nullable(),
    checks: z.array(CheckSchema),
    findings: z.array(FindingSchema),
    finishedAt: instant.nullable(),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'TrustReconciliation' });

export const TrustReconciliationPageSchema = pageSchema('TrustReconciliation', TrustReconciliationSchema);
export const TrustReconciliationParams = z.strictObject({ id: idParam('trustReconciliation') });
export type TrustReconciliationWire = z.output<typeof TrustReconciliationSchema>;
