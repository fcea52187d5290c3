// The demo organization: producers appointed everywhere, their users, and an API key.

import { createHash } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { DEFAULT_CARRIER } from '../../domain/authority/authority-contract.ts';
import { LINES_OF_BUSINESS, STATES } from '../../domain/lines.ts';
import { ApiKey } from '../entities/access/api-key.ts';
import { Appointment } from '../entities/distribution/appointment.ts';
import { Producer } from '../entities/distribution/producer.ts';
import { isUniqueViolation } from '../faults.ts';
import { newId } from '../ids.ts';
import { addRow } from '../new-rows.ts';
import type { Database } from '../orm.ts';
import { putRelation } from '../queries/access/relations.ts';
import { createOrganization } from '../queries/platform/new-organization.ts';
import { demoOrganization } from '../queries/platform/organizations.ts';

export interface DemoOptions {
  /** The id for a new demo organization. */
  orgId: string;
  /** A full API key, stored only as a hash; null for none. */
  apiKey: string | null;
}

export interface DemoSeed {
  orgId: string;
  producerIds: string[];
  /** The user of each producer, in the same order. */
  userIds: string[];
}

const LICENSED_UNTIL = '2099-12-31';
const APPOINTED_FROM = '2020-01-01';
const SHOWN_OF_KEY = 14;

const PRODUCERS = [
  {
    name: 'Lone Star Wholesale Brokers',
    email: 'desk@lonestar.example',
    phone: '+15125550101',
    npn: '10000001',
    userId: newId('user', '01930000-0000-7000-8000-000000000001'),
    address: { line1: '500 Congress Avenue', line2: null, city: 'Austin', state: 'TX', postalCode: '78701' },
  },
  {
    name: 'Harbor Specialty Agency',
    email: 'desk@harbor.example',
    phone: '+13055550102',
    npn: '10000002',
    userId: newId('user', '01930000-0000-7000-8000-000000000002'),
    address: { line1: '200 Biscayne Boulevard', line2: null, city: 'Miami', state: 'FL', postalCode: '33131' },
  },
] as const;

/** Creates the missing parts of the demo organization; safe to repeat, and from several processes. */
export async function seedDemo(database: Database, options: DemoOptions): Promise<DemoSeed> {
  try {
    return await seedOnce(database, options);
  } catch (error) {
    // Another process was faster; its rows are found now.
    if (!isUniqueViolation(error)) throw error;
    return seedOnce(database, options);
  }
}

async function seedOnce(database: Database, { orgId, apiKey }: DemoOptions): Promise<DemoSeed> {
  const existing = await database.acrossOrgs('seed of the demo organization', demoOrganization);
  const id = existing?.id ?? orgId;
  return database.transaction(id, async (em) => {
    if (!existing) await createOrganization(em, { id, name: 'Demo MGA', tier: 'enterprise', isDemo: true });
    await em.flush();
    const producerIds: string[] = [];
    for (const { userId, ...producer } of PRODUCERS) {
      const producerId = await appointedProducer(em, producer);
      producerIds.push(producerId);
      await putRelation(em, {
        ...{ objectType: 'producer', objectId: producerId, relation: 'member' },
        ...{ subjectType: 'user', subjectId: userId },
      });
    }
    if (apiKey) await keepKey(em, apiKey);
    return { orgId: id, producerIds, userIds: PRODUCERS.map(({ userId }) => userId) };
  });
}

async function appointedProducer(
  em: EntityManager,
  facts: Omit<(typeof PRODUCERS)[number], 'userId'>,
): Promise<string> {
  const existing = await em.findOne(Producer, { npn: facts.npn });
  if (existing) return existing.id;
  const id = newId('producer');
  const licenses = STATES.map((state) => ({
    state,
    number: `${state}-${facts.npn}`,
    lines: [...LINES_OF_BUSINESS],
    status: 'active' as const,
    expirationDate: LICENSED_UNTIL,
  }));
  addRow(em, Producer, { id, ...facts, status: 'active', licenses });
  for (const state of STATES) {
    for (const lineOfBusiness of LINES_OF_BUSINESS) {
      const appointment = {
        producerId: id,
        state,
        lineOfBusiness,
        carrier: DEFAULT_CARRIER,
        status: 'active',
      } as const;
      addRow(em, Appointment, { ...appointment, effectiveDate: APPOINTED_FROM });
    }
  }
  return id;
}

async function keepKey(em: EntityManager, apiKey: string): Promise<void> {
  const hash = createHash('sha256').update(apiKey).digest('hex');
  // The key may already belong to another organization, and can belong to only one.
  const [known] = await em.execute('select from find_api_key(?)', [hash]);
  if (known) return;
  addRow(em, ApiKey, {
    name: 'Demo',
    hash,
    displayPrefix: apiKey.slice(0, SHOWN_OF_KEY),
    scopes: ['*'],
    createdBy: 'bindery',
    makerRole: 'org_admin',
    throughOperator: false,
  });
}
