// Delegated-authority contracts and their usage.
import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { byPrecedence, type Coverage } from '../../../domain/authority/governing-contract.ts';
import { type BusinessDate, yearOf } from '../../../domain/dates.ts';
import { DaContract } from '../../entities/authority/da-contract.ts';
import { DaUsage } from '../../entities/authority/da-usage.ts';
import { plainRow } from '../../plain-row.ts';
import { organizationOf } from '../../scope.ts';
import { type Page, type PageRequest, pageOf } from '../pages.ts';

/** What selects a contract: the year of the effective date decides, the rest breaks ties. */
export interface AuthorityQuestion extends Coverage {
  effectiveDate: BusinessDate;
}

/** Finds the contract that governs a policy, or null; see `byPrecedence`. */
export async function contractFor(
  em: EntityManager,
  question: AuthorityQuestion,
): Promise<Readonly<DaContract> | null> {
  return (await contractsFor(em, question))[0] ?? null;
}

/** Reads the contracts whose year fits an effective date, the governing one first; read-only. */
export async function contractsFor(em: EntityManager, question: AuthorityQuestion): Promise<Readonly<DaContract>[]> {
  return byPrecedence(await contractsOfYear(em, yearOf(question.effectiveDate)), question);
}

/** Reads the contracts for a year and those for every year, newest first; read-only. Null: only the latter. */
export async function contractsOfYear(em: EntityManager, year: number | null): Promise<Readonly<DaContract>[]> {
  const sql = 'select * from da_contracts where org_id = ? and (year = ? or year is null) order by id desc';
  const rows = await em.execute<object[]>(sql, [organizationOf(em), year]);
  return rows.map((row) => plainRow(em, DaContract, row));
}

/** Reads a contract, or null. */
export function findContract(em: EntityManager, id: string): Promise<DaContract | null> {
  return em.findOne(DaContract, { id });
}

/** Reads a contract and locks its row until the transaction ends; null when there is none. */
export function lockContract(em: EntityManager, id: string): Promise<DaContract | null> {
  return em.findOne(DaContract, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
}

/**
 * Reads a page of contracts, newest first.
 * @throws DomainError validation_failed for a bad cursor
 */
export function listContracts(em: EntityManager, page: PageRequest): Promise<Page<DaContract>> {
  return pageOf(em, DaContract, [], page);
}

/** Reads how much of a contract's volume a year's policies use, in cents, without a lock. */
export async function usedCents(em: EntityManager, contractId: string, year: number): Promise<number> {
  const usage = await em.findOne(DaUsage, { contractId, year });
  return usage?.usedCents ?? 0;
}

/**
 * Reads a contract's usage for a year and locks it until the transaction ends, so that two policies cannot both take
 * the last of it. Creates the row if needed.
 */
export async function lockUsage(em: EntityManager, contractId: string, year: number): Promise<DaUsage> {
  const locked = () => em.findOne(DaUsage, { contractId, year }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  const usage = await locked();
  if (usage) return usage;
  await em.execute(
    `insert into da_usage (org_id, contract_id, year) values (?, ?, ?)
     on conflict (org_id, contract_id, year) do nothing`,
    [organizationOf(em), contractId, year],
  );
  return em.findOneOrFail(DaUsage, { contractId, year }, { lockMode: LockMode.PESSIMISTIC_WRITE });
}

/**
 * Adds premium to a locked usage, or releases it when negative; written when the transaction flushes.
 * @returns the usage before and after, in cents
 */
export function addUsage(usage: DaUsage, premiumCents: number): { beforeCents: number; afterCents: number } {
  const beforeCents = usage.usedCents;
  usage.usedCents = beforeCents + premiumCents;
  return { beforeCents, afterCents: usage.usedCents };
}
