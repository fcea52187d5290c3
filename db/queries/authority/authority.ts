// Delegated-authority contracts and their usage.
import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { byPrecedence, type Coverage } from '../../../domain/authority/governing-contract.ts';
import { type BusinessDate, yearOf } from '../../../domain/dates.ts';
import { DaContract } from '../../entities/authority/da-contract.ts';
import { DaUsage } from '../../entities/authority/da-usage.ts';
import { Policy } from '../../entities/policy/policy.ts';
import { findById, lockById } from '../../entity-rows.ts';
import { readRows } from '../../plain-table.ts';
import { preparedRows } from '../../prepared.ts';
import { organizationOf } from '../../scope.ts';
import { type Page, type PageRequest, pageOf } from '../pages.ts';

/** What selects a contract: the year of the effective date decides, the rest breaks ties. */
export interface ContractQuestion extends Coverage {
  effectiveDate: BusinessDate;
}

/** Finds the contract that governs a policy, or null; see `byPrecedence`. */
export async function contractFor(em: EntityManager, question: ContractQuestion): Promise<Readonly<DaContract> | null> {
  return (await contractsFor(em, question))[0] ?? null;
}

/** Reads the contracts whose year fits an effective date, the governing one first; read-only. */
export async function contractsFor(em: EntityManager, question: ContractQuestion): Promise<Readonly<DaContract>[]> {
  return byPrecedence(await contractsOfYear(em, yearOf(question.effectiveDate)), question);
}

/** Reads the contracts for a year and those for every year, newest first; read-only. Null: only the latter. */
export function contractsOfYear(em: EntityManager, year: number | null): Promise<Readonly<DaContract>[]> {
  return readRows(em, DaContract, 'org_id = $1 and (year = $2 or year is null) order by id desc', [year]);
}

/** Reads a contract, or null. */
export function findContract(em: EntityManager, id: string): Promise<DaContract | null> {
  return findById(em, DaContract, id);
}

/** Reads a contract and locks its row until the transaction ends; null when there is none. */
export function lockContract(em: EntityManager, id: string): Promise<DaContract | null> {
  return lockById(em, DaContract, id);
}

/**
 * Reads a page of contracts, newest first.
 * @throws DomainError validation_failed for a bad cursor
 */
export function listContracts(em: EntityManager, page: PageRequest): Promise<Page<DaContract>> {
  return pageOf(em, DaContract, [], page);
}

/** Reads the carriers of all contracts, in force or not. */
export async function contractedCarriers(em: EntityManager): Promise<string[]> {
  const contracts = await em.find(DaContract, {}, { orderBy: { carrier: 'asc' } });
  return contracts.map(({ carrier }) => carrier);
}

/** Whether a policy was ever bound under a contract. */
export async function isBoundUnder(em: EntityManager, contractId: string): Promise<boolean> {
  return (await em.findOne(Policy, { daContractId: contractId }, { fields: ['id'] })) !== null;
}

/** Reads a contract's usage in every year it was used, and locks it until the transaction ends. */
export function lockUsages(em: EntityManager, contractId: string): Promise<DaUsage[]> {
  return em.find(DaUsage, { contractId }, { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { year: 'asc' } });
}

/** A contract's usage for a year, locked until the transaction ends. */
export type LockedUsage = Readonly<Pick<DaUsage, 'contractId' | 'year' | 'usedCents'>>;

const ONE_USAGE = 'where org_id = $1 and contract_id = $2 and year = $3';
const USAGE = { name: 'usage', text: `select used_cents from da_usage ${ONE_USAGE}` };
const LOCKED_USAGE = { name: 'locked usage', text: `${USAGE.text} for update` };
const OPENED_USAGE = {
  name: 'opened usage',
  text: `insert into da_usage (org_id, contract_id, year) values ($1, $2, $3)
    on conflict (org_id, contract_id, year) do nothing`,
};
const MOVED_USAGE = {
  name: 'moved usage',
  text: `update da_usage set used_cents = used_cents + $4, updated_at = now() ${ONE_USAGE} returning used_cents`,
};

/** As the driver reads it. */
interface UsageRow {
  used_cents: string;
}

/** Reads how much of a contract's volume a year's policies use, in cents, without a lock. */
export async function usedCents(em: EntityManager, contractId: string, year: number): Promise<number> {
  const [usage] = await preparedRows<UsageRow>(em, USAGE, [organizationOf(em), contractId, year]);
  return Number(usage?.used_cents ?? 0);
}

/**
 * Reads a contract's usage for a year and locks it until the transaction ends, so that two policies cannot both use the
 * last of it. Creates the row if needed.
 */
export async function lockUsage(em: EntityManager, contractId: string, year: number): Promise<LockedUsage> {
  const key = [organizationOf(em), contractId, year];
  let [usage] = await preparedRows<UsageRow>(em, LOCKED_USAGE, key);
  if (usage === undefined) {
    await preparedRows(em, OPENED_USAGE, key);
    [usage] = await preparedRows<UsageRow>(em, LOCKED_USAGE, key);
  }
  return { contractId, year, usedCents: centsOf(usage) };
}

/**
 * Adds premium to a locked usage immediately, or releases it when negative.
 * @returns the usage before and after, in cents
 */
export async function addUsage(
  em: EntityManager,
  { contractId, year }: LockedUsage,
  premiumCents: number,
): Promise<{ beforeCents: number; afterCents: number }> {
  const values = [organizationOf(em), contractId, year, premiumCents];
  const [usage] = await preparedRows<UsageRow>(em, MOVED_USAGE, values);
  const afterCents = centsOf(usage);
  return { beforeCents: afterCents - premiumCents, afterCents };
}

/** Without a row nothing limits the usage, so that is an error. */
function centsOf(usage: UsageRow | undefined): number {
  if (usage === undefined) throw new Error('The usage of a contract has no row');
  return Number(usage.used_cents);
}
