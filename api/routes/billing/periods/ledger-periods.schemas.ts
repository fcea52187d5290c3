// The shapes of closed months on the wire.
import { z } from 'zod';
import { ACCOUNTS } from '../../../../domain/billing/ledger/chart.ts';
import { PERIOD_STATUSES } from '../../../../domain/billing/ledger/period.ts';
import {
  actorId,
  idReference,
  instant,
  isoDate,
  longText,
  month,
  pageSchema,
  signedDollars,
} from '../../../spine/schemas.ts';

const PeriodBalanceSchema = z
  .strictObject({
    account: z
      .number()
      .int()
      .meta({ enum: ACCOUNTS.map(({ account }) => account) }),
    balance: signedDollars.meta({
      description:
        'Debits less credits, so that all accounts sum to zero. Liabilities and revenue are negative here; `GET /ledger/accounts` shows them positive.',
    }),
  })
  .meta({ id: 'LedgerPeriodBalance' });

export const LedgerPeriodSchema = z
  .strictObject({
    id: idReference('ledgerPeriod'),
    orgId: idReference('organization'),
    month,
    lastDay: isoDate,
    status: z.enum(PERIOD_STATUSES),
    balances: z.array(PeriodBalanceSchema).nullable().meta({
      description:
        'What each account had at the end of the month when it was closed; accounts without lines are left out. Null only for a month that was opened again before they were summed.',
    }),
    closedBy: actorId,
    closedAt: instant,
    reopenedBy: actorId.nullable(),
    reopenedAt: instant.nullable(),
    reopenReason: z.string().nullable(),
    version: z.number().int(),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'LedgerPeriod' });

export const LedgerPeriodPageSchema = pageSchema('LedgerPeriod', LedgerPeriodSchema);
export const ReopenPeriodSchema = z.strictObject({ reason: longText }).meta({ id: 'ReopenLedgerPeriod' });
export const PeriodParams = z.strictObject({ month });
export type LedgerPeriodWire = z.output<typeof LedgerPeriodSchema>;
