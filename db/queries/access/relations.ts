// Relation tuples object#relation@subject.
import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import type { Actor, ActorRef, Role, UserAuthority } from '../../../domain/permissions.ts';
import { Relation } from '../../entities/access/relation.ts';
import { newId } from '../../ids.ts';
import { addRow } from '../../new-rows.ts';
import { organizationOf } from '../../scope.ts';
import { holdUntilCommit } from '../holds.ts';

/** `producer:p#member@user:u`, in parts. */
export interface RelationTuple {
  objectType: string;
  objectId: string;
  relation: string;
  subjectType: string;
  subjectId: string;
  limits?: UserAuthority | null;
}

/** The tuple that lets a user act for a producer. */
export function memberTuple(producerId: string, userId: string): RelationTuple {
  const subject = { subjectType: 'user', subjectId: userId };
  return { objectType: 'producer', objectId: producerId, relation: 'member', ...subject };
}

/** Whether a user acts for a producer. */
export async function isMember(em: EntityManager, producerId: string, userId: string): Promise<boolean> {
  const { limits: _, ...where } = memberTuple(producerId, userId);
  return (await em.count(Relation, where)) > 0;
}

/** Reads the tuples of the users who act for a producer, newest first. */
export function membersOf(em: EntityManager, producerId: string): Promise<Relation[]> {
  const where = { objectType: 'producer', objectId: producerId, relation: 'member', subjectType: 'user' };
  return em.find(Relation, where, { orderBy: { id: 'desc' } });
}

/** Adds a tuple to the transaction; an existing one makes the flush fail. */
export function writeRelation(em: EntityManager, tuple: RelationTuple): Relation {
  return addRow(em, Relation, { id: newId('relation'), ...tuple });
}

/** Writes a tuple with these limits now, while no check uses the subject's tuples. @returns whether it is new */
export async function putRelation(em: EntityManager, tuple: RelationTuple): Promise<boolean> {
  const { objectType, objectId, relation, subjectType, subjectId, limits } = tuple;
  await changeTuplesOf(em, subjectId);
  const [put] = await em.execute<{ isNew: boolean }[]>(
    `insert into relations (id, org_id, object_type, object_id, relation, subject_type, subject_id, limits)
     values (?, ?, ?, ?, ?, ?, ?, ?::jsonb)
     on conflict on constraint relations_unique do update set limits = excluded.limits, updated_at = now()
     returning xmax = 0 as "isNew"`,
    [
      newId('relation'),
      organizationOf(em),
      objectType,
      objectId,
      relation,
      subjectType,
      subjectId,
      limits ? JSON.stringify(limits) : null,
    ],
  );
  return put?.isNew === true;
}

/** Removes a tuple immediately, while no check uses the subject's tuples. @returns whether it existed */
export async function removeRelation(em: EntityManager, tuple: Omit<RelationTuple, 'limits'>): Promise<boolean> {
  const { objectType, objectId, relation, subjectType, subjectId } = tuple;
  await changeTuplesOf(em, subjectId);
  return (await em.nativeDelete(Relation, { objectType, objectId, relation, subjectType, subjectId })) > 0;
}

/**
 * Immediately removes a tuple that carries no one's own authority: rows carry the same edge, and the check reads it
 * there.
 */
export async function dropRelation(em: EntityManager, tuple: Omit<RelationTuple, 'limits'>): Promise<void> {
  const { objectType, objectId, relation, subjectType, subjectId } = tuple;
  await em.nativeDelete(Relation, { objectType, objectId, relation, subjectType, subjectId });
}

/** Keeps the set of a user's tuples unchanged until the transaction ends. */
export function holdTuplesOf(em: EntityManager, userId: string): Promise<void> {
  return holdUntilCommit(em, tuplesOf(userId), 'shared');
}

/** Waits for everyone who holds a user's tuples, and keeps others from holding them until the transaction ends. */
export function changeTuplesOf(em: EntityManager, userId: string): Promise<void> {
  return holdUntilCommit(em, tuplesOf(userId), 'alone');
}

const tuplesOf = (userId: string) => `relations of ${userId}`;

/** Removes every tuple of a user in the organization immediately. @returns what they were */
export async function removeRelationsOf(em: EntityManager, userId: string): Promise<Relation[]> {
  await changeTuplesOf(em, userId);
  const removed = await relationsOf(em, userId);
  await em.nativeDelete(Relation, { subjectType: 'user', subjectId: userId });
  return removed;
}

/** Reads every tuple of a user in the organization, including any this transaction just wrote. */
export function relationsOf(em: EntityManager, userId: string): Promise<Relation[]> {
  return em.find(Relation, { subjectType: 'user', subjectId: userId }, { refresh: true });
}

/** Without the tuples of claims and deal rooms, of which there may be thousands: their rows carry the same edge. */
function judgedRelationsOf(em: EntityManager, userId: string): Promise<Relation[]> {
  return em.find(Relation, {
    subjectType: 'user',
    subjectId: userId,
    objectType: { $in: ['organization', 'producer'] },
  });
}

/** Roles whose rights also depend on tuples. */
export const JUDGED_BY_RELATIONS: readonly Role[] = [
  ...(['producer', 'underwriter', 'claims_adjuster', 'claims_supervisor'] as const),
];

/**
 * Reads the tuples that a user's rights depend on besides the role: a producer's memberships, and the own authority of
 * underwriters and claims users. Other roles cost no query.
 */
export async function relationsJudged(
  em: EntityManager,
  { kind, id, role }: ActorRef,
): Promise<Pick<Actor, 'producerIds' | 'authority'>> {
  const relations = kind === 'user' && JUDGED_BY_RELATIONS.includes(role) ? await judgedRelationsOf(em, id) : [];
  return { producerIds: producerIdsOf(relations), authority: authorityOf(relations) };
}

/** Picks the producers that a user is a member of. */
export function producerIdsOf(relations: readonly Relation[]): string[] {
  return relations
    .filter(({ objectType, relation }) => objectType === 'producer' && relation === 'member')
    .map(({ objectId }) => objectId);
}

/** Picks a user's own authority; null stands for the limits of the organization's contract. */
export function authorityOf(relations: readonly Relation[]): UserAuthority | null {
  return authorityTupleOf(relations)?.limits ?? null;
}

/** Picks the tuple of a user's own authority, or null. */
export function authorityTupleOf(relations: readonly Relation[]): Relation | null {
  return (
    relations.find(({ objectType, relation }) => objectType === 'organization' && relation === 'authority') ?? null
  );
}

/** Reads which organizations a user operates. Needs the all-organizations scope. */
export async function operatedOrganizations(em: EntityManager, userId: string): Promise<string[]> {
  const tuples = await em.find(Relation, {
    subjectType: 'user',
    subjectId: userId,
    objectType: 'organization',
    relation: 'operator',
  });
  return tuples.map(({ objectId }) => objectId);
}

/**
 * Returns whether a user operates the organization, and keeps the tuple from being removed until the transaction ends.
 */
export async function holdOperator(em: EntityManager, userId: string): Promise<boolean> {
  const tuple = { objectType: 'organization', objectId: organizationOf(em), relation: 'operator', subjectId: userId };
  const held = await em.findOne(Relation, { ...tuple, subjectType: 'user' }, { lockMode: LockMode.PESSIMISTIC_READ });
  return held !== null;
}
