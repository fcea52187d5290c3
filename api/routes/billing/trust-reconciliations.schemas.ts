// The shapes of reconciliations on the wire. Contract 3.4, domain facts 4.4.
import { z } from 'zod';
import { idParam, instant, isoDate, pageOf, signedDollars } from '../../spine/schemas.ts';

const figures = {
  trustAssets: signedDollars.meta({ description: 'Accounts 1010, 1040, 1110 and 1200.' }),
  trustLiabilities: signedDollars.meta({ description: 'Everything the trust owes.' }),
  trustRatio: z.number().nullable().meta({ description: 'Assets for each dollar owed; null when nothing is owed.' }),
  trustCash: signedDollars,
  cardClearing: signedDollars,
  cashReceived: signedDollars.meta({ description: 'Trust cash by payments and returns.' }),
  cardReceived: signedDollars.meta({ description: 'Card clearing by payments and returns.' }),
  unapplied: signedDollars.meta({ description: 'Account 2070.' }),
  unshared: signedDollars.meta({ description: 'The same by invoices that are not shared out, and unapplied money.' }),
  returnsPayable: signedDollars.meta({ description: 'What is owed back by the ledger: account 2060.' }),
  owedByCheck: signedDollars.meta({ description: 'The same by the disbursements that are still to be issued.' }),
  outstanding: signedDollars.meta({ description: 'Money returned whose entries are still to be posted.' }),
  liabilities: z.array(z.strictObject({ account: z.number().int(), balance: signedDollars })),
};

const TrustFiguresSchema = z.strictObject(figures).meta({ id: 'TrustFigures' });

const CheckSchema = z
  .strictObject({
    name: z.string().meta({ examples: ['policy_ledger'] }),
    status: z.enum(['passed', 'failed', 'skipped']).meta({
      description: 'Skipped: the other record could not be read, so nothing is known.',
    }),
    found: z.number().int().meta({ description: 'Disagreements in all; `findings` has the first of them.' }),
    reason: z.string().nullable().meta({ description: 'Why it was skipped.' }),
  })
  .meta({ id: 'ReconciliationCheck' });

const FindingSchema = z
  .strictObject({
    check: z.string(),
    entityType: z.string().meta({ examples: ['invoice'] }),
    entityId: z.string(),
    part: z.string().meta({ description: 'Which part of it: a part of the price, an account, an event.' }),
    unit: z.enum(['dollars', 'count']),
    expected: z.number(),
    actual: z.number(),
    detail: z.string(),
  })
  .meta({ id: 'ReconciliationFinding' });

export const TrustReconciliationSchema = z
  .strictObject({
    id: z.string(),
    orgId: z.string(),
    date: isoDate,
    status: z.enum(['running', 'completed']),
    clean: z.boolean().nullable().meta({ description: 'Whether no check has found anything; null while it runs.' }),
    figures: TrustFiguresSchema.nullable(),
    checks: z.array(CheckSchema),
    findings: z.array(FindingSchema),
    finishedAt: instant.nullable(),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'TrustReconciliation' });

export const TrustReconciliationPageSchema = pageOf('TrustReconciliation', TrustReconciliationSchema);
export const TrustReconciliationParams = z.strictObject({ id: idParam('trustReconciliation') });
export type TrustReconciliationWire = z.output<typeof TrustReconciliationSchema>;
