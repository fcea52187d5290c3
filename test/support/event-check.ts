// Checks every event that a platform has written against its published catalogue.
import type { z } from 'zod';
import { CATALOGUED_EVENTS } from '../../api/openapi/event-catalogue.ts';
import { connectDatabase, type Database } from '../../db/orm.ts';
import { envelopeOf } from '../../domain/delivery/delivery.ts';
import { silentLogger } from './logger.ts';
import type { TestDatabase } from './servers/database.ts';

interface Row {
  id: string;
  org_id: string;
  type: string;
  data: Record<string, unknown>;
}

/** @throws Error for an event that its receivers could not expect; says nothing while the database is away */
export async function checkEvents(database: Database): Promise<void> {
  const rows = await database
    .acrossOrgs('checking the events of a test', (em) => em.execute<Row[]>('select id, org_id, type, data from events'))
    .catch((): Row[] => []);
  for (const { org_id: orgId, ...row } of rows) {
    const known = CATALOGUED_EVENTS.find(({ type }) => type === row.type);
    const checked = known?.envelope.safeParse(envelopeOf({ ...row, orgId, occurredAt: new Date() }));
    const unknown = known === undefined ? [] : fieldsBeyond(known.envelope, row.data);
    if (checked?.success && unknown.length === 0) continue;
    const what = checked?.error?.message ?? `unknown fields ${unknown.join(', ')}`;
    throw new Error(`The event ${row.type} is not as catalogued: ${what} ${JSON.stringify(row.data)}`);
  }
}

/** Receivers must expect added fields, so a schema lets them pass; the platform itself must list its own. */
function fieldsBeyond(envelope: z.ZodType, data: object): string[] {
  const { shape } = (envelope as z.ZodObject<{ data: z.ZodObject }>).shape.data;
  return Object.keys(data).filter((field) => !Object.hasOwn(shape, field));
}

/** The same check for processes whose database is not open here. */
export async function checkEventsIn({ appUrl, opsUrl }: Pick<TestDatabase, 'appUrl' | 'opsUrl'>): Promise<void> {
  const database = await connectDatabase({ appUrl, opsUrl, poolSize: 1, logger: silentLogger });
  await checkEvents(database).finally(() => database.close());
}
