// Queries on organizations, including their business date.
import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { businessDateAt } from '../../../domain/business-day.ts';
import type { BusinessDate } from '../../../domain/dates.ts';
import { DomainError } from '../../../domain/errors.ts';
import { Organization } from '../../entities/platform/organization.ts';
import { preparedRows } from '../../prepared.ts';
import { organizationOf } from '../../scope.ts';
import { type Page, type PageRequest, pageOf } from '../pages.ts';

/** Reads an organization, or null. An organization's scope sees only itself. */
export function findOrganization(em: EntityManager, id: string): Promise<Organization | null> {
  return em.findOne(Organization, { id });
}

const CLOCK = { name: 'clock', text: 'select clock_offset_days as days from organizations where id = $1' };

/** Reads how many days an organization's business date is ahead, or null: the first query of every step. */
export async function clockOffsetDays(em: EntityManager, id: string): Promise<number | null> {
  const [row] = await preparedRows<{ days: number }>(em, CLOCK, [id]);
  return row?.days ?? null;
}

const ISSUER = {
  name: 'issuer of documents',
  text: 'select name, payment_instructions as "paymentInstructions" from organizations where id = $1',
};

/** Reads what documents say about the organization that issues them, or null. */
export async function issuerOf(em: EntityManager): Promise<Pick<Organization, 'name' | 'paymentInstructions'> | null> {
  const [row] = await preparedRows<Organization>(em, ISSUER, [organizationOf(em)]);
  return row ?? null;
}

/** Reads an organization and locks its row until the transaction ends; null when there is none. */
export function lockOrganization(em: EntityManager, id: string): Promise<Organization | null> {
  return em.findOne(Organization, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
}

/**
 * Reads a page of organizations, newest first; with `ids` only those. Needs the scope of all organizations.
 * @throws DomainError validation_failed for a bad cursor
 */
export function listOrganizations(
  em: EntityManager,
  filter: { ids?: string[] },
  page: PageRequest,
): Promise<Page<Organization>> {
  return pageOf(em, Organization, filter.ids ? [{ id: { $in: filter.ids } }] : [], page);
}

/** Reads organization ids in order, after a given one. Needs the scope of all organizations. */
export async function organizationIdsAfter(em: EntityManager, after: string, limit: number): Promise<string[]> {
  const found = await em.find(Organization, { id: { $gt: after } }, { fields: ['id'], orderBy: { id: 'asc' }, limit });
  return found.map(({ id }) => id);
}

/** Returns those of these ids that are organizations. Needs the scope of all organizations. */
export async function knownOrganizations(em: EntityManager, ids: readonly string[]): Promise<Set<string>> {
  const found = await em.find(Organization, { id: { $in: [...ids] } }, { fields: ['id'] });
  return new Set(found.map(({ id }) => id));
}

/**
 * Returns an organization's business date at a real instant.
 * @throws DomainError not_found when there is no such organization
 */
export async function businessToday(em: EntityManager, orgId: string, nowMs: number): Promise<BusinessDate> {
  const organization = await findOrganization(em, orgId);
  if (!organization) throw new DomainError('not_found', 'There is no such organization.');
  return businessDateAt(nowMs, organization.clockOffsetDays);
}

/** Reads the demo organization, or null. Needs the scope of all organizations. */
export function demoOrganization(em: EntityManager): Promise<Organization | null> {
  return em.findOne(Organization, { isDemo: true });
}
