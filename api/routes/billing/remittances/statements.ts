// Producer commission statements: amounts earned, reversed and paid in a month or quarter, and the balance. They tie
// out with the commission records and with accounts 2020 and 1130. Contract 3.4 "Commission record".
import type { EntityManager } from '@mikro-orm/postgresql';
import { z } from 'zod';
import { listCommissions } from '../../../../db/queries/billing/commissions.ts';
import {
  payoutsOfPeriod,
  recordsOfPeriod,
  type StatementPeriod,
  statementFigures,
} from '../../../../db/queries/billing/remittances/statement.ts';
import { wholeList } from '../../../../db/queries/pages.ts';
import { STATEMENT_PERIOD, statementPeriod } from '../../../../domain/billing/statement.ts';
import { monthOf } from '../../../../domain/dates.ts';
import { validationError } from '../../../../domain/errors.ts';
import { toDollars } from '../../../../domain/money.ts';
import { allow } from '../../../spine/access.ts';
import { csvReply, prefersCsv } from '../../../spine/csv.ts';
import type { Reply } from '../../../spine/reply.ts';
import { route } from '../../../spine/route.ts';
import { dollars, idParam, idReference, isoDate, signedDollars } from '../../../spine/schemas.ts';
import { producerOfPath } from '../../distribution/producers.ts';
import { CommissionSchema, commissionToWire } from '../commissions.ts';

/** Records that a statement shows; its table has all of them. */
const SHOWN_RECORDS = 1_000;
/** Records per table: more than any producer's quarter has, and few enough to hold in memory. */
const TABLE_MAX_RECORDS = 20_000;

const StatementSchema = z
  .strictObject({
    producerId: idReference('producer'),
    producerName: z.string(),
    period: z.string(),
    from: isoDate,
    to: isoDate,
    openingBalance: signedDollars,
    earned: dollars,
    reversed: dollars.meta({ description: 'Earlier commission charged back, as a positive amount.' }),
    paid: dollars.meta({ description: 'Payouts that were approved in the period.' }),
    balance: signedDollars.meta({
      description: '`openingBalance` + `earned` - `reversed` - `paid`. Negative when the producer owes it.',
    }),
    payable: signedDollars.meta({ description: 'The part of account 2020 that belongs to the producer, on `to`.' }),
    chargeback: dollars.meta({ description: 'The part of account 1130 that the producer owes back, on `to`.' }),
    recordCount: z.number().int(),
    records: z.array(CommissionSchema).meta({
      description: `The commission records of the period, oldest first, at most ${SHOWN_RECORDS}.`,
    }),
    isComplete: z.boolean().meta({
      description:
        'Whether `records` has every record of the period. If not, read the statement as CSV: it has them all.',
    }),
    payouts: z.array(
      z.strictObject({ id: idReference('payout'), paidOn: isoDate, amount: dollars }).meta({ id: 'StatementPayout' }),
    ),
  })
  .meta({ id: 'ProducerStatement' });

const readStatement = route({
  method: 'get',
  path: '/producers/:id/statements',
  operationId: 'readProducerStatement',
  tag: 'Billing',
  spec: 'Contract 3.4',
  summary: "Read a producer's commission statement for a month or quarter",
  description:
    'Records and payouts count by their business date, `payable` and `chargeback` by the dates of ledger entries. `balance` is `payable` less `chargeback`. With `Accept: text/csv`, the response is a table of all records of the period.',
  access: allow('commission_statement:read', producerOfPath),
  params: z.strictObject({ id: idParam('producer') }),
  query: z.strictObject({
    period: z
      .string()
      .regex(STATEMENT_PERIOD, 'period must be YYYY-MM or YYYY-Qn.')
      .optional()
      .meta({ description: '`YYYY-MM` or `YYYY-Qn`. Default: the current month.', examples: ['2026-Q1'] }),
  }),
  response: { status: 200, body: StatementSchema, csv: true },
  errors: [],
  handler: ({ row: { id: producerId, name: producerName }, query, org, db, headers }) =>
    db.read(async (em) => {
      const { period = monthOf(org.today) } = query;
      const days = statementPeriod(period);
      if (prefersCsv(headers)) return tableOf(em, producerId, days);
      const figures = await statementFigures(em, producerId, days);
      const { openingCents, earnedCents, reversedCents, paidCents, recordCount } = figures;
      const records = (await recordsOfPeriod(em, producerId, days, SHOWN_RECORDS)).map(commissionToWire);
      const payouts = await payoutsOfPeriod(em, producerId, days);
      return {
        ...{ producerId, producerName, period, ...days },
        openingBalance: toDollars(openingCents),
        earned: toDollars(earnedCents),
        reversed: toDollars(reversedCents),
        paid: toDollars(paidCents),
        balance: toDollars(openingCents + earnedCents - reversedCents - paidCents),
        payable: toDollars(figures.payableCents),
        chargeback: toDollars(figures.chargebackCents),
        ...{ recordCount, records, isComplete: records.length === recordCount },
        payouts: payouts.map(({ id, paidOn, amountCents }) => {
          return { id, paidOn: paidOn ?? days.to, amount: toDollars(amountCents) };
        }),
      };
    }),
});

export const statementRoutes = [readStatement];

/** @throws DomainError validation_failed for a table that would be too long */
async function tableOf(em: EntityManager, producerId: string, days: StatementPeriod): Promise<Reply> {
  const newestFirst = await wholeList((page) => listCommissions(em, { producerId, ...days }, page), TABLE_MAX_RECORDS);
  if (newestFirst !== null) return csvReply(RECORD_COLUMNS, newestFirst.toReversed().map(commissionToWire));
  const message = `The table would have more than ${TABLE_MAX_RECORDS} records. Choose a shorter period.`;
  throw validationError('period', 'max', message, { max: TABLE_MAX_RECORDS });
}

const RECORD_COLUMNS = [
  ...['id', 'type', 'reversesId', 'policyId', 'invoiceId', 'grossPremium', 'agentCommission', 'mgaCommission'],
  ...['carrierNet', 'tier', 'recordedOn', 'createdAt'],
];
