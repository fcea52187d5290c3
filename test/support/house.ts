// An organization of its own for an API test, with the people who work in it and the risks they submit.

import { Appointment } from '../../db/entities/distribution/appointment.ts';
import { Producer } from '../../db/entities/distribution/producer.ts';
import { newId } from '../../db/ids.ts';
import { writeRelation } from '../../db/queries/access/relations.ts';
import { addDays } from '../../domain/dates.ts';
import type { UserAuthority } from '../../domain/permissions.ts';
import type { TestClient, TestResponse } from './client.ts';
import { testToday } from './fixed/today.ts';
import type { Platform } from './run-platform.ts';

export interface House {
  orgId: string;
  /** Calls in a role; `sub` is the user. */
  as(role: string, sub?: string): TestClient;
  /** An active producer, appointed for GL in Texas. */
  addProducer(name?: string): Promise<string>;
  /** Calls as a producer user who belongs to these producers. */
  asProducer(...producerIds: string[]): Promise<TestClient>;
  /** Calls as an underwriter with their own authority. */
  asUnderwriter(limits: UserAuthority, sub?: string): Promise<TestClient>;
}

/** Creates an organization that can quote immediately. */
export async function newHouse(platform: Platform): Promise<House> {
  const orgId = await platform.createOrg();
  const as: House['as'] = (role, sub) => platform.as({ role, org: orgId, ...(sub ? { sub } : {}) });
  const relate = (objectType: string, objectId: string, relation: string, subjectId: string, limits?: UserAuthority) =>
    platform.database.transaction(orgId, async (em) => {
      writeRelation(em, { objectType, objectId, relation, subjectType: 'user', subjectId, limits: limits ?? null });
    });
  return {
    orgId,
    as,
    addProducer: async (name = 'Lone Star Agency') => {
      const id = newId('producer');
      await platform.database.transaction(orgId, async (em) => {
        em.create(Producer, { id, name, status: 'active' }, { persist: true });
        const scope = { producerId: id, state: 'TX', lineOfBusiness: 'GL', carrier: 'Default Carrier' };
        em.create(Appointment, { ...scope, status: 'active' }, { persist: true });
      });
      return id;
    },
    asProducer: async (...producerIds) => {
      const userId = newId('user');
      for (const id of producerIds) await relate('producer', id, 'member', userId);
      return as('producer', userId);
    },
    asUnderwriter: async (limits, userId = newId('user')) => {
      await relate('organization', orgId, 'authority', userId, limits);
      return as('underwriter', userId);
    },
  };
}

/** The effective date of the tests' risks: within the authority's window. */
export const EFFECTIVE_DATE = addDays(testToday(), 10);

let submitted = 0;

/** The worked example of Contract 3.1: a Texas restaurant; 4,389.64 in all. Each has its own name. */
export function risk(changes: Record<string, unknown> = {}): Record<string, unknown> {
  submitted += 1;
  return {
    insuredName: `Blue Door Diner ${submitted}`,
    naicsCode: '722511',
    annualRevenue: 1_000_000,
    requestedLimit: 1_000_000,
    effectiveDate: EFFECTIVE_DATE,
    state: 'TX',
    lineOfBusiness: 'GL',
    lossesLast5Years: 1,
    ...changes,
  };
}

/** Submits a risk and returns the submission. */
export async function submit(client: TestClient, changes: Record<string, unknown> = {}) {
  return bodyOf(await client.post('/v1/submissions', risk(changes)), 201);
}

/** Submits and quotes a risk and returns the quote. */
export async function quoted(client: TestClient, changes: Record<string, unknown> = {}) {
  const { id } = await submit(client, changes);
  return bodyOf(await client.post(`/v1/submissions/${id}/quote`), 201);
}

/** Submits, quotes and binds a risk and returns the answer to the bind. */
export async function bound(
  client: TestClient,
  changes: Record<string, unknown> = {},
  installmentPlan = 'PAY_IN_FULL',
) {
  const { submissionId } = await quoted(client, changes);
  return bodyOf(await client.post(`/v1/submissions/${submissionId}/bind`, { installmentPlan }), 201);
}

/** The body of an answer, which must have a given status. */
export function bodyOf(response: TestResponse, status = 200) {
  if (response.status === status) return response.body;
  throw new Error(`The answer is ${response.status} in place of ${status}: ${response.text}`);
}

/** Walks through all pages of a list and returns the rows in order. */
export async function allPages(client: TestClient, path: string, query: Record<string, string | number> = {}) {
  const rows: { id: string }[] = [];
  let cursor: string | null = null;
  do {
    const page: TestResponse = await client.get(path, { query: { ...query, ...(cursor ? { cursor } : {}) } });
    const body = bodyOf(page);
    rows.push(...body.data);
    cursor = body.nextCursor;
  } while (cursor !== null);
  return rows;
}
