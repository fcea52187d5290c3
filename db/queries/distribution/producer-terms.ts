// The commission agreed with a producer, and which producers belong to a parent agency.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { BusinessDate } from '../../../domain/dates.ts';
import { ProducerTerm } from '../../entities/distribution/producer-term.ts';
import { newId } from '../../ids.ts';
import { addRow } from '../../new-rows.ts';
import { organizationOf } from '../../scope.ts';
import { holdUntilCommit } from '../holds.ts';

/** Reads a producer's terms in force on a date, one per line that has any, by line. */
export async function producerTermsOn(
  em: EntityManager,
  producerId: string,
  date: BusinessDate,
): Promise<ProducerTerm[]> {
  const versions = await em.find(
    ProducerTerm,
    { producerId, effectiveFrom: { $lte: date } },
    { orderBy: { lineOfBusiness: 'asc', effectiveFrom: 'desc', id: 'desc' } },
  );
  return versions.filter((version, i) => version.lineOfBusiness !== versions[i - 1]?.lineOfBusiness);
}

/** Adds a version of a producer's terms to the transaction. */
export function addProducerTerm(
  em: EntityManager,
  version: Pick<ProducerTerm, 'producerId' | 'lineOfBusiness' | 'effectiveFrom' | 'agentRate' | 'createdBy'>,
): ProducerTerm {
  return addRow(em, ProducerTerm, { id: newId('producerTerm'), ...version });
}

/** Whether a producer is the same as or above another one. No hierarchy changes until the transaction ends. */
export async function isAbove(em: EntityManager, producerId: string, otherId: string): Promise<boolean> {
  const orgId = organizationOf(em);
  await holdUntilCommit(em, 'hierarchy of producers', 'alone');
  const rows = await em.execute(
    `with recursive line as (
       select id, parent_id from producers where org_id = ? and id = ?
       union select p.id, p.parent_id from producers p join line on p.id = line.parent_id where p.org_id = ?)
     select from line where id = ?`,
    [orgId, otherId, orgId, producerId],
  );
  return rows.length > 0;
}
