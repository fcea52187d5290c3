// The shapes of the ledgers on the wire. Contract 3.4 "Ledgers".
import { z } from 'zod';
import { ACCOUNTS, type AccountNumber } from '../../../domain/billing/ledger/chart.ts';
import {
  decimalNumber,
  idReference,
  instant,
  isoDate,
  pageQuery,
  pageSchema,
  recordId,
  signedDollars,
  totalDollars,
} from '../../spine/schemas.ts';

export const LEDGERS = ['general', 'fiduciary'] as const;
const NUMBERS: readonly number[] = ACCOUNTS.map(({ account }) => account);

function isAccount(number: z.ZodType<number>) {
  return number.refine((value): value is AccountNumber => NUMBERS.includes(value), {
    error: 'There is no such account.',
    params: { rule: 'enum' },
  });
}

/** An account number in the chart of accounts. */
export const accountNumber = isAccount(z.number()).meta({ type: 'integer', enum: [...NUMBERS] });

const LedgerAccountSchema = z
  .strictObject({
    account: z
      .number()
      .int()
      .meta({ examples: [1010] }),
    name: z.string(),
    kind: z.enum(['asset', 'liability', 'revenue', 'expense']),
    fiduciary: z
      .boolean()
      .meta({ description: 'True for accounts of the trust, which holds money that belongs to others.' }),
    balance: signedDollars.meta({
      description:
        'Balance in dollars. Assets and expenses: debits less credits. Liabilities and revenue: credits less debits.',
    }),
  })
  .meta({ id: 'LedgerAccount' });

export const LedgerAccountsSchema = z
  .strictObject({ data: z.array(LedgerAccountSchema), nextCursor: z.null() })
  .meta({ id: 'LedgerAccounts' });

export const LedgerLineSchema = z
  .strictObject({ account: z.number().int(), debit: totalDollars, credit: totalDollars })
  .meta({ id: 'LedgerLine' });

const LedgerEntrySchema = z
  .strictObject({
    id: idReference('ledgerEntry'),
    orgId: idReference('organization'),
    ledger: z.enum(LEDGERS),
    entryType: z.string().meta({ examples: ['receipt'] }),
    date: isoDate,
    originalDate: isoDate.nullable().meta({
      description: 'The intended date, if its month was already closed; `date` is then the first open day.',
    }),
    description: z.string(),
    sourceType: z
      .string()
      .meta({ description: 'The kind of record that caused the entry. A source has at most one entry of each type.' }),
    sourceId: recordId,
    reversesEntryId: idReference('ledgerEntry').nullable(),
    policyId: idReference('policy').nullable(),
    invoiceId: idReference('invoice').nullable(),
    lines: z.array(LedgerLineSchema),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'LedgerEntry' });

export const LedgerEntryPageSchema = pageSchema('LedgerEntry', LedgerEntrySchema);

export const LedgerEntryQuery = z.strictObject({
  ...pageQuery,
  account: z
    .preprocess(decimalNumber, isAccount(z.number()))
    .optional()
    .meta({ type: 'integer', enum: [...NUMBERS], description: 'Only entries with a line on this account.' }),
  invoiceId: idReference('invoice').optional(),
  ledger: z.enum(LEDGERS).optional(),
  from: isoDate.optional().meta({ description: 'Entries of this date or later.' }),
  to: isoDate.optional().meta({ description: 'Entries of this date or before.' }),
});

export const LedgerAccountQuery = z.strictObject({
  asOf: isoDate.optional().meta({ description: 'Balances at the end of this date. Default: all entries.' }),
});

export type LedgerAccountWire = z.output<typeof LedgerAccountSchema>;
export type LedgerEntryWire = z.output<typeof LedgerEntrySchema>;
