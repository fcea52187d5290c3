/**
 * Installation-wide figures that someone should know about: workflows waiting for an operator, organizations whose
 * trust does not reconcile, and overdue documents. Read when scraped, at most every half minute; every worker reports
 * the same, so a dashboard takes the maximum, not the sum.
 */
import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import { Gauge, type Registry } from 'prom-client';
import { queueBeside } from '../contracts/machinery/queues.ts';
import { SAGA_STATUS, SEARCH_ATTRIBUTES } from '../contracts/machinery/search-attributes.ts';
import { WORKFLOW_TYPES } from '../contracts/machinery/start.ts';
import type { Database } from '../db/orm.ts';
import { organizationsOutOfTrust } from '../db/queries/billing/trust-reconciliations.ts';
import { countUnmade } from '../db/queries/document/document-orders.ts';
import { logEngineFault } from '../providers/temporal-errors.ts';

const KEEP_MS = 30_000;

/** A higher count would not be any more alarming. */
const MOST_COUNTED = 1_000;

export interface BusinessGaugesOptions {
  registry: Registry;
  client: Client;
  database: Database;
  /** Any task queue of the installation: other installations' workflows in the namespace are not counted. */
  taskQueue: string;
  logger: Logger;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** Adds the figures to a registry. One that cannot be read is left out, for an alert on absence to find. */
export function registerBusinessGauges({ registry, ...sources }: BusinessGaugesOptions): void {
  const { client, database, taskQueue, logger, now } = sources;
  const add = <Label extends string>(
    { name, help, labelNames }: { name: string; help: string; labelNames: Label[] },
    read: (gauge: Gauge<Label>) => Promise<void>,
  ) => {
    let readAt = Number.NEGATIVE_INFINITY;
    new Gauge<Label>({
      ...{ name, help, labelNames, registers: [registry] },
      async collect() {
        if (now() - readAt < KEEP_MS) return;
        readAt = now();
        await read(this).catch((error: unknown) => {
          this.reset();
          // That sets one without labels to 0, which would read as good news.
          this.remove({});
          logEngineFault(logger, error, { metric: name });
          logger.warn({ err: error, metric: name }, 'a figure could not be read');
        });
      },
    });
  };
  add(
    { name: 'bindery_waiting_workflows', help: 'Workflows that wait for an operator, by type.', labelNames: ['type'] },
    async (gauge) => {
      const counts = await countWaiting(client, taskQueue);
      for (const type of Object.values(WORKFLOW_TYPES)) gauge.set({ type }, counts.get(type) ?? 0);
    },
  );
  add(
    {
      name: 'bindery_trust_disagreements',
      help: 'Organizations whose trust account did not match its records at the last reconciliation.',
      labelNames: [],
    },
    async (gauge) => gauge.set(await database.acrossOrgs('the figure of trust disagreements', organizationsOutOfTrust)),
  );
  add(
    {
      name: 'bindery_unmade_documents',
      help: 'Automatic documents that were not made: refused, or late by more than an hour.',
      labelNames: ['state'],
    },
    async (gauge) => {
      const counts = await database.acrossOrgs('the figure of documents that have not come', countUnmade);
      for (const [state, count] of Object.entries(counts)) gauge.set({ state }, count);
    },
  );
}

/** Counts waiting workflows of every type, by type, in one query, as `npm run ops -- list` does. */
async function countWaiting(client: Client, taskQueue: string): Promise<Map<string, number>> {
  const queues = (['lifecycle', 'batch'] as const).map((name) => `'${queueBeside(taskQueue, name)}'`);
  const conditions = [
    `${SEARCH_ATTRIBUTES.entityStatus.name} = '${SAGA_STATUS.waiting}'`,
    "ExecutionStatus = 'Running'",
    `TaskQueue IN (${queues.join(', ')})`,
  ];
  const counts = new Map<string, number>();
  let counted = 0;
  for await (const { type } of client.workflow.list({ query: conditions.join(' AND '), pageSize: MOST_COUNTED })) {
    counts.set(type, (counts.get(type) ?? 0) + 1);
    counted += 1;
    if (counted === MOST_COUNTED) break;
  }
  return counts;
}
