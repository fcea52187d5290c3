// Queries on producers, and what a producer may sell.
import type { FilterQuery } from '@mikro-orm/core';
import { type EntityManager, LockMode, raw } from '@mikro-orm/postgresql';
import type { BusinessDate } from '../../../domain/dates.ts';
import { isLicensed, type License } from '../../../domain/distribution/license.ts';
import { numberKey, type ProducerStatus, type Seller } from '../../../domain/distribution/producer.ts';
import type { Visibility } from '../../../domain/permissions.ts';
import { Producer } from '../../entities/distribution/producer.ts';
import { findById, lockById } from '../../entity-rows.ts';
import { type PreparedStatement, preparedRows } from '../../prepared.ts';
import { organizationOf } from '../../scope.ts';
import { containing, equalTo, type Page, type PageRequest, pageOf, visibleTo } from '../pages.ts';

/** Filters of the list. */
export interface ProducerFilter {
  visibility: Visibility;
  status?: string;
  parentId?: string;
  /** A state in which the producer holds a license. */
  state?: string;
  /** Part of the name, the e-mail address or the producer number. */
  q?: string;
}

/** Reads a producer, or null. */
export function findProducer(em: EntityManager, id: string): Promise<Producer | null> {
  return findById(em, Producer, id);
}

/** Reads producer names by id. */
export async function producersNamed(
  em: EntityManager,
  ids: readonly string[],
): Promise<Map<string, Pick<Producer, 'name' | 'npn'>>> {
  const found = await em.find(Producer, { id: { $in: [...new Set(ids)] } });
  return new Map(found.map(({ id, name, npn }) => [id, { name, npn }]));
}

/** Reads a producer and locks the row until the transaction ends; null when there is none. */
export function lockProducer(em: EntityManager, id: string): Promise<Producer | null> {
  return lockById(em, Producer, id);
}

/**
 * Reads the producers with these producer numbers, ignoring case, and locks them until the transaction ends, by id.
 * @returns by `numberKey`
 */
export async function lockProducersNumbered(em: EntityManager, npns: string[]): Promise<Map<string, Producer>> {
  const keys = npns.map(numberKey);
  const found = await em.find(
    Producer,
    { [raw('lower(npn)')]: { $in: keys }, npnTwin: false },
    { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { id: 'asc' } },
  );
  return new Map(found.map((producer) => [numberKey(producer.npn ?? ''), producer]));
}

/**
 * Reads a page of producers, newest first.
 * @throws DomainError validation_failed for a bad cursor
 */
export function listProducers(em: EntityManager, filter: ProducerFilter, page: PageRequest): Promise<Page<Producer>> {
  const { visibility, status, parentId, state, q } = filter;
  const conditions: (FilterQuery<Producer> | null)[] = [
    seenBy(visibility),
    equalTo({ status, parentId }) as FilterQuery<Producer>,
  ];
  if (state) conditions.push({ [raw('licenses @> ?::jsonb', [JSON.stringify([{ state }])])]: [] });
  if (q) conditions.push({ $or: [{ name: containing(q) }, { email: containing(q) }, { npn: containing(q) }] });
  return pageOf(em, Producer, conditions, page);
}

/** A producer sees those they are a member of. */
function seenBy(visibility: Visibility): FilterQuery<Producer> | null {
  const own = visibleTo(visibility);
  return own === null ? null : own.producerId ? { id: own.producerId } : {};
}

/** The lock also protects the appointments: changing one locks the producer first. */
const sellerText = (lock: '' | 'for key share'): string => `
  select p.status, p.licenses, array(select a.carrier from appointments a
      where a.org_id = p.org_id and a.producer_id = p.id and a.state = $3 and a.line_of_business = $4
        and a.status = 'active' and (a.effective_date is null or a.effective_date <= $5)
        and (a.expiration_date is null or a.expiration_date > $5) ${lock}) as carriers
    from producers p where p.org_id = $1 and p.id = $2`;

const SELLER = { name: 'seller', text: sellerText('') };
const HELD_SELLER = { name: 'held seller', text: sellerText('for key share') };

const HELD_PRODUCER = {
  name: 'held producer',
  text: 'select status from producers where org_id = $1 and id = $2 for key share',
};

/** What a producer would sell: a line in a state, from a date on. */
export interface Sale {
  producerId: string;
  state: string;
  lineOfBusiness: string;
  date: BusinessDate;
}

/** Reads what a sale needs to know about its producer; null when there is no such producer. */
export function sellerFor(em: EntityManager, sale: Sale): Promise<Seller | null> {
  return readSeller(em, SELLER, sale);
}

/**
 * Like sellerFor, for a sale decided now: waits for anyone changing the producer or an appointment, and prevents such
 * changes until the transaction ends. Several sales may hold them. Sent together and run in this order, so that the
 * read sees what was waited for.
 */
export async function holdSeller(em: EntityManager, sale: Sale): Promise<Seller | null> {
  const [, seller] = await Promise.all([holdProducer(em, sale.producerId), readSeller(em, HELD_SELLER, sale)]);
  return seller;
}

/** Waits for anyone changing a producer, prevents changes until the transaction ends, and returns its status. */
export async function holdProducer(em: EntityManager, id: string): Promise<ProducerStatus | null> {
  const [row] = await preparedRows<{ status: ProducerStatus }>(em, HELD_PRODUCER, [organizationOf(em), id]);
  return row?.status ?? null;
}

async function readSeller(em: EntityManager, statement: PreparedStatement, sale: Sale): Promise<Seller | null> {
  const { producerId, state, lineOfBusiness, date } = sale;
  const values = [organizationOf(em), producerId, state, lineOfBusiness, date];
  const [row] = await preparedRows<{ status: ProducerStatus; licenses: License[]; carriers: string[] }>(
    em,
    statement,
    values,
  );
  if (row === undefined) return null;
  const { status, licenses, carriers } = row;
  return { status, carriers, isLicensed: isLicensed(licenses, { state, lineOfBusiness, date }) };
}
