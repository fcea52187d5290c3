// Carriers' loss funds, and the payments due from them.
import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import type { RecoveryKind } from '../../../domain/claim/claim-payment.ts';
import type { BusinessDate } from '../../../domain/dates.ts';
import type { Cents } from '../../../domain/money.ts';
import { DaContract } from '../../entities/authority/da-contract.ts';
import { ClaimPayment } from '../../entities/claim/claim-payment.ts';
import { ClaimRecovery } from '../../entities/claim/claim-recovery.ts';
import { LossFund } from '../../entities/claim/loss-fund.ts';
import { LossFundDeposit } from '../../entities/claim/loss-fund-deposit.ts';
import type { Policy } from '../../entities/policy/policy.ts';
import { findById, lockById } from '../../entity-rows.ts';
import { organizationOf } from '../../scope.ts';
import { UNNAMED_CARRIER } from '../billing/remittances/owed.ts';
import { between } from '../pages.ts';

/** Reads the carrier a policy was written for. */
export async function carrierOf(em: EntityManager, { daContractId }: Pick<Policy, 'daContractId'>): Promise<string> {
  const contract = daContractId === null ? null : await findById(em, DaContract, daContractId);
  return contract?.carrier ?? UNNAMED_CARRIER;
}

/** Whether a carrier has an authority contract or a fund. */
export async function isKnownCarrier(em: EntityManager, carrier: string): Promise<boolean> {
  return (await em.count(DaContract, { carrier })) + (await em.count(LossFund, { carrier })) > 0;
}

/** Locks a carrier's fund until the transaction ends; creates it if there is none. */
export async function lockLossFund(em: EntityManager, carrier: string): Promise<LossFund> {
  await em.execute('insert into loss_funds (org_id, carrier) values (?, ?) on conflict do nothing', [
    organizationOf(em),
    carrier,
  ]);
  return em.findOneOrFail(LossFund, { carrier }, { lockMode: LockMode.PESSIMISTIC_WRITE });
}

/** Reads the funds by carrier name. */
export function lossFunds(em: EntityManager): Promise<LossFund[]> {
  return em.find(LossFund, {}, { orderBy: { carrier: 'asc' } });
}

/** Reads a carrier's deposit with a reference, or null. */
export function depositUnder(em: EntityManager, carrier: string, reference: string): Promise<LossFundDeposit | null> {
  return em.findOne(LossFundDeposit, { carrier, reference });
}

/** Reads a payment on a claim, or null. */
export function findClaimPayment(em: EntityManager, id: string): Promise<ClaimPayment | null> {
  return findById(em, ClaimPayment, id);
}

/** Reads a payment on a claim and locks it until the transaction ends; null when there is none. */
export function lockClaimPayment(em: EntityManager, id: string): Promise<ClaimPayment | null> {
  return lockById(em, ClaimPayment, id, { refresh: true });
}

/**
 * Locks the oldest other payment waiting for the same fund, unless it is locked by someone else; null if there is none.
 */
export function lockWaitingPayment(em: EntityManager, { id, carrier }: ClaimPayment): Promise<ClaimPayment | null> {
  const others = { carrier, status: 'pending', id: { $ne: id } } as const;
  return em.findOne(ClaimPayment, others, { orderBy: { id: 'asc' }, lockMode: LockMode.PESSIMISTIC_PARTIAL_WRITE });
}

/** Requests not yet deposited are recent ones. */
const LATE_REQUESTS = 500;

/**
 * Locks the latest payments with a request to a carrier, latest first, except those locked by others and `exceptId`.
 */
export function lockRequestingPayments(
  em: EntityManager,
  carrier: string,
  exceptId: string | null,
): Promise<ClaimPayment[]> {
  const where = { carrier, requestedCents: { $gt: 0 }, ...(exceptId !== null && { id: { $ne: exceptId } }) };
  return em.find(ClaimPayment, where, {
    ...{ orderBy: { id: 'desc' }, limit: LATE_REQUESTS, lockMode: LockMode.PESSIMISTIC_PARTIAL_WRITE },
  });
}

/** The total of payments waiting for a carrier's fund, in cents. The caller holds the fund lock. */
export async function waitingForFundCents(em: EntityManager, carrier: string): Promise<Cents> {
  const [row] = await em.execute<{ cents: string }[]>(
    `select coalesce(sum(amount_cents), 0) as cents from claim_payments
     where org_id = ? and carrier = ? and status = 'pending'`,
    [organizationOf(em), carrier],
  );
  return Number(row?.cents ?? 0);
}

/** Lists the waiting payments to these payees. */
export async function waitingPaymentsTo(em: EntityManager, payeeIds: readonly string[]): Promise<string[]> {
  if (payeeIds.length === 0) return [];
  const waiting = await em.find(ClaimPayment, { payeeId: { $in: [...payeeIds] }, status: 'pending' });
  return waiting.map(({ id }) => id);
}

/** The money paid from the funds for a claim, in cents. The caller holds the policy lock. */
export async function leftFor(em: EntityManager, claimId: string): Promise<Cents> {
  const [row] = await em.execute<{ cents: string }[]>(
    `select coalesce(sum(amount_cents), 0) as cents from claim_payments
     where org_id = ? and claim_id = ? and status = 'paid'`,
    [organizationOf(em), claimId],
  );
  return Number(row?.cents ?? 0);
}

/** Reads the carrier whose fund made the latest payment on a claim. There must be one. */
export async function carrierThatPaid(em: EntityManager, claimId: string): Promise<string> {
  const { carrier } = await em.findOneOrFail(ClaimPayment, { claimId, status: 'paid' }, { orderBy: { id: 'desc' } });
  return carrier;
}

/** Reads a claim's payments, oldest first. */
export function paymentsOfClaim(em: EntityManager, claimId: string): Promise<ClaimPayment[]> {
  return em.find(ClaimPayment, { claimId }, { orderBy: { id: 'asc' } });
}

/** Filters of a claim's recoveries; the date range is inclusive. */
export interface RecoveryFilter {
  kind?: RecoveryKind | undefined;
  receivedFrom?: BusinessDate | undefined;
  receivedTo?: BusinessDate | undefined;
}

/** Reads the recoveries on a claim, oldest first. */
export function recoveriesOfClaim(
  em: EntityManager,
  claimId: string,
  { kind, receivedFrom, receivedTo }: RecoveryFilter = {},
): Promise<ClaimRecovery[]> {
  const received = between(receivedFrom, receivedTo);
  const where = { claimId, ...(kind && { kind }), ...(received && { receivedOn: received }) };
  return em.find(ClaimRecovery, where, { orderBy: { id: 'asc' } });
}
