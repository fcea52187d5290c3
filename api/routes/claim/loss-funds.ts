// The loss funds of carriers: what each holds, and carrier deposits. Contract 3.3, domain facts 4.2.
import { z } from 'zod';
import { LossFundDeposit } from '../../../db/entities/claim/loss-fund-deposit.ts';
import { newId } from '../../../db/ids.ts';
import { addRow } from '../../../db/new-rows.ts';
import { postEntry } from '../../../db/queries/billing/ledger.ts';
import { depositUnder, isKnownCarrier, lockLossFund, lossFunds } from '../../../db/queries/claim/loss-funds.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import { depositEntry } from '../../../domain/claim/loss-fund.ts';
import { DomainError, validationError } from '../../../domain/errors.ts';
import { fromDollars, toDollars } from '../../../domain/money.ts';
import { allow } from '../../spine/access.ts';
import { route } from '../../spine/route.ts';
import {
  businessText,
  dollars,
  idReference,
  instant,
  isoDate,
  positiveDollars,
  referenceText,
  totalDollars,
} from '../../spine/schemas.ts';
import { instantToWire } from '../billing/charges.wire.ts';

const facts = { tag: 'Claims', spec: 'Contract 3.3' } as const;

const LossFundSchema = z
  .strictObject({
    carrier: z.string(),
    balance: totalDollars.meta({ description: 'The money in the fund, in dollars.' }),
    requested: totalDollars.meta({
      description: 'The amount requested from the carrier and not deposited yet, in dollars.',
    }),
  })
  .meta({ id: 'LossFund' });

const LossFundsSchema = z
  .strictObject({ data: z.array(LossFundSchema), nextCursor: z.null() })
  .meta({ id: 'LossFunds' });

const DepositSchema = z
  .strictObject({
    id: idReference('lossFundDeposit'),
    orgId: idReference('organization'),
    carrier: z.string(),
    amount: dollars,
    reference: z.string(),
    depositedOn: isoDate,
    balance: totalDollars.meta({ description: 'The money in the fund after the deposit, in dollars.' }),
    createdAt: instant,
  })
  .meta({ id: 'LossFundDeposit' });

const listFunds = route({
  ...facts,
  method: 'get',
  path: '/loss-funds',
  operationId: 'listLossFunds',
  summary: 'List the loss funds of the carriers',
  description:
    'Each fund shows its balance and what has been requested from the carrier. Claims are paid from the fund of the carrier on the risk.',
  access: allow('loss_fund:read'),
  response: { status: 200, body: LossFundsSchema },
  errors: [],
  handler: async ({ db }) => {
    const funds = await db.read(lossFunds);
    return {
      data: funds.map(({ carrier, balanceCents, requestedCents }) => {
        return { carrier, balance: toDollars(balanceCents), requested: toDollars(requestedCents) };
      }),
      nextCursor: null,
    };
  },
});

const deposit = route({
  ...facts,
  method: 'post',
  path: '/loss-funds/deposits',
  operationId: 'depositLossFund',
  summary: 'Record a deposit of a carrier into its loss fund',
  description:
    'The deposit first settles the open requests to the carrier. Waiting payments continue when an operator retries them.',
  access: allow('loss_fund:deposit'),
  body: z
    .strictObject({
      carrier: businessText.meta({ description: 'The carrier, as the authority contract names it.' }),
      amount: positiveDollars.meta({ description: 'The amount received, in dollars.' }),
      reference: referenceText.meta({ description: 'The reference of the bank, unique for each carrier.' }),
    })
    .meta({ id: 'DepositLossFund' }),
  response: { status: 201, body: DepositSchema },
  errors: ['already_exists'],
  handler: ({ body: { carrier, reference, amount }, actor, org, db, command, requestId }) =>
    db.answer(async (em) => {
      const amountCents = fromDollars(amount, 'amount');
      if (!(await isKnownCarrier(em, carrier))) {
        throw validationError('carrier', 'unknown_reference', 'No authority contract names this carrier.');
      }
      const fund = await lockLossFund(em, carrier);
      if ((await depositUnder(em, carrier, reference)) !== null) {
        throw new DomainError('already_exists', 'This deposit has already been recorded.', { carrier, reference });
      }
      const id = newId('lossFundDeposit', command.seedUuid);
      const facts = { id, carrier, amountCents, reference, depositedOn: org.today, createdBy: actor.id };
      const row = addRow(em, LossFundDeposit, facts);
      postEntry(em, depositEntry(fund, amountCents), {
        ...{ sourceType: 'loss_fund_deposit', sourceId: id, date: org.today },
        description: `Deposit of ${carrier}, ${reference}`,
      });
      fund.balanceCents += amountCents;
      fund.requestedCents -= Math.min(fund.requestedCents, amountCents);
      const changes = { carrier, amountCents, reference };
      writeAudit(em, { actor, action: 'loss_fund:deposit', entityType: 'loss_fund', entityId: id, requestId, changes });
      await em.flush();
      return {
        ...{ id, orgId: org.id, carrier, amount, reference, depositedOn: org.today },
        ...{ balance: toDollars(fund.balanceCents), createdAt: instantToWire(row.createdAt) },
      };
    }),
});

export const lossFundRoutes = [listFunds, deposit];
