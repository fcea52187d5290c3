// Commission statements of producers: what was earned, reversed and paid in a month or quarter, and the balance. They
// tie out with the commission records and with accounts 2020 and 1130. Contract 3.4 "Commission record".
import { z } from 'zod';
import {
  payoutsOfPeriod,
  recordsOfPeriod,
  statementFigures,
} from '../../../../db/queries/billing/remittances/statement.ts';
import { STATEMENT_PERIOD, statementPeriod } from '../../../../domain/billing/statement.ts';
import { monthOf } from '../../../../domain/dates.ts';
import { toDollars } from '../../../../domain/money.ts';
import { allow } from '../../../spine/access.ts';
import { csvReply, prefersCsv } from '../../../spine/csv.ts';
import { route } from '../../../spine/route.ts';
import { dollars, idParam, idReference, isoDate, signedDollars } from '../../../spine/schemas.ts';
import { producerOfPath } from '../../distribution/producers.ts';
import { CommissionSchema, commissionToWire } from '../commissions.ts';

/** Records that a statement shows; the rest is in the list of commissions. */
const SHOWN_RECORDS = 1_000;

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
      description: `The commission records of the period, oldest first, at most ${SHOWN_RECORDS}; \`GET /commissions\` lists all.`,
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
    'Records and payouts count by their business date, `payable` and `chargeback` by the dates of ledger entries. `balance` is `payable` less `chargeback`. With `Accept: text/csv`, the answer is the records as a table.',
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
      const figures = await statementFigures(em, producerId, days);
      const { openingCents, earnedCents, reversedCents, paidCents, recordCount } = figures;
      const records = (await recordsOfPeriod(em, producerId, days, SHOWN_RECORDS)).map(commissionToWire);
      if (prefersCsv(headers)) return csvReply(RECORD_COLUMNS, records);
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
        ...{ recordCount, records },
        payouts: payouts.map(({ id, paidOn, amountCents }) => {
          return { id, paidOn: paidOn ?? days.to, amount: toDollars(amountCents) };
        }),
      };
    }),
});

export const statementRoutes = [readStatement];

const RECORD_COLUMNS = [
  ...['id', 'type', 'reversesId', 'policyId', 'invoiceId', 'grossPremium', 'agentCommission', 'mgaCommission'],
  ...['carrierNet', 'tier', 'recordedOn', 'createdAt'],
];
