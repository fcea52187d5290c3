// Payments from the trust: commission to producers, premium to carriers, taxes and fees to states, and our own money to
// us. Contract 3.4 "Ledgers".
import type { EntityManager } from '@mikro-orm/postgresql';
import type { PreparePayload } from '../../../../contracts/remittance.ts';
import type { Filing } from '../../../../db/entities/insight/filing.ts';
import { UNNAMED_CARRIER } from '../../../../db/queries/billing/remittances/owed.ts';
import { isKnownCarrier } from '../../../../db/queries/claim/loss-funds.ts';
import { findProducer } from '../../../../db/queries/distribution/producers.ts';
import { findFiling } from '../../../../db/queries/insight/filings.ts';
import { PAID_FILINGS } from '../../../../domain/billing/remittance.ts';
import { validationError } from '../../../../domain/errors.ts';
import { route } from '../../../spine/route.ts';
import { listed, remittanceList, remittanceRoutes } from './remittance-routes.ts';
import {
  PayoutListQuery,
  PayoutWriteSchema,
  RemittanceListQuery,
  type RemittanceWrite,
  RemittanceWriteSchema,
  TransferListQuery,
  TransferWriteSchema,
} from './remittances.schemas.ts';

const CARRIER_AND_TAX = ['carrier', 'tax', 'stamping'] as const;
const CARRIER_ALONE = ['carrier'] as const;
const TAX = ['tax', 'stamping'] as const;
const WHOLE = { filingId: null, policyId: null } as const;

const listPayouts = route({
  ...remittanceList,
  path: '/commissions/payouts',
  operationId: 'listPayouts',
  summary: 'List payouts of commission, newest first',
  query: PayoutListQuery,
  handler: ({ query: { limit, cursor, producerId, ...filter }, ...call }) =>
    listed(call, { kinds: ['commission'], payee: producerId, ...filter }, { limit, cursor }),
});

/** Commission to producers. */
const payouts = remittanceRoutes({
  path: '/commissions/payouts',
  name: 'Payout',
  noun: 'payout of commission',
  entries: 'debit 2020, credit 1010; what the producer owes back (1130) is netted',
  kinds: ['commission'],
  idKind: 'payout',
  body: PayoutWriteSchema,
  prepared: async (em, { producerId }) => {
    if ((await findProducer(em, producerId)) === null) {
      throw validationError('producerId', 'unknown_reference', 'There is no such producer.');
    }
    return { kind: 'commission', payee: producerId, ...WHOLE };
  },
});

const listRemittances = route({
  ...remittanceList,
  path: '/remittances',
  operationId: 'listRemittances',
  summary: 'List remittances to carriers and states, newest first',
  query: RemittanceListQuery,
  handler: ({ query: { limit, cursor, carrier, state, ...filter }, ...call }) => {
    const toStates = state === undefined ? CARRIER_AND_TAX : TAX;
    const kinds = carrier === undefined ? toStates : CARRIER_ALONE;
    return listed(call, { kinds, payee: carrier ?? state, ...filter }, { limit, cursor });
  },
});

/** Premium to carriers, taxes and stamping fees to states. */
const remittances = remittanceRoutes({
  path: '/remittances',
  name: 'Remittance',
  noun: 'remittance to a carrier or state',
  entries: 'debit 2010, 2040 or 2050, credit 1010; what a carrier owes back (1200) is netted',
  kinds: CARRIER_AND_TAX,
  idKind: 'remittance',
  body: RemittanceWriteSchema,
  prepared: preparedRemittance,
});

const listTransfers = route({
  ...remittanceList,
  path: '/ledger/transfers',
  operationId: 'listTransfers',
  summary: 'List transfers to operating cash, newest first',
  query: TransferListQuery,
  handler: ({ query: { limit, cursor, ...filter }, ...call }) =>
    listed(call, { kinds: ['transfer'], ...filter }, { limit, cursor }),
});

/** Our own commission and fees, to operating cash. */
const transfers = remittanceRoutes({
  path: '/ledger/transfers',
  name: 'Transfer',
  noun: 'transfer to operating cash',
  entries: 'debit 2030 and 2090, credit 1010, and debit 1030, credit 1120',
  kinds: ['transfer'],
  idKind: 'transfer',
  body: TransferWriteSchema,
  prepared: async () => ({ kind: 'transfer', payee: '', ...WHOLE }),
});

export const payoutRoutes = [listPayouts, ...payouts];
export const remittanceToOthersRoutes = [listRemittances, ...remittances];
export const transferRoutes = [listTransfers, ...transfers];

/** @throws DomainError validation_failed for a carrier, state or filing that is missing, unknown or not allowed here */
async function preparedRemittance(em: EntityManager, body: RemittanceWrite): Promise<Omit<PreparePayload, 'through'>> {
  const { carrier, kind = carrier === undefined ? 'tax' : 'carrier' } = body;
  const outOfPlace = kind === 'carrier' ? (['state', 'filingId'] as const) : (['carrier'] as const);
  for (const field of outOfPlace) {
    if (body[field] !== undefined)
      throw validationError(field, 'unknown_field', `A ${kind} remittance does not take ${field}.`);
  }
  return kind === 'carrier' ? toCarrier(em, carrier) : toState(em, kind, body);
}

async function toCarrier(em: EntityManager, carrier: string | undefined): Promise<Omit<PreparePayload, 'through'>> {
  if (carrier === undefined) throw validationError('carrier', 'required', 'Name the carrier.');
  if (carrier !== UNNAMED_CARRIER && !(await isKnownCarrier(em, carrier))) {
    throw validationError('carrier', 'unknown_reference', 'No contract or loss fund names this carrier.');
  }
  return { kind: 'carrier', payee: carrier, ...WHOLE };
}

async function toState(
  em: EntityManager,
  kind: 'tax' | 'stamping',
  { state, filingId }: RemittanceWrite,
): Promise<Omit<PreparePayload, 'through'>> {
  const filing = filingId === undefined ? null : await findFiling(em, filingId);
  if (filingId !== undefined && !isPaidBy(kind, filing)) {
    throw validationError('filingId', 'unknown_reference', 'There is no such filing for this remittance to pay.');
  }
  const payee = state ?? filing?.state ?? null;
  if (payee === null) throw validationError('state', 'required', 'Name the state, or the filing that it pays.');
  if (filing !== null && filing.state !== payee) {
    throw validationError('state', 'enum', `The filing belongs to ${filing.state}.`);
  }
  return { kind, payee, filingId: filing?.id ?? null, policyId: filing?.policyId ?? null };
}

function isPaidBy(kind: 'tax' | 'stamping', filing: Filing | null): boolean {
  if (filing === null || filing.policyId === null || filing.status === 'withdrawn') return false;
  return PAID_FILINGS[kind].includes(filing.kind);
}
