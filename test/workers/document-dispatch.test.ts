// The order in which documents that no caller waits for are started, from the rows of a real database; the client
// stands in for a server whose workflows end when the test says so.
import type { Client } from '@temporalio/client';
import anyTest, { type TestFn } from 'ava';
import { newId } from '../../db/ids.ts';
import { placeOrder } from '../../db/queries/document/document-orders.ts';
import type { DocumentKind } from '../../domain/document/kinds.ts';
import { EngineClient } from '../../providers/engine-client.ts';
import { type DocumentDispatchOptions, startDocumentDispatch } from '../../workers/document-dispatch.ts';
import { addOrganization, type DatabaseContext, withDatabase } from '../db/rows.ts';
import { eventually } from '../support/eventually.ts';
import { silentLogger } from '../support/logger.ts';

const test = anyTest as TestFn<DatabaseContext>;
withDatabase(test);

const OF_OTHERS = 6;

test.serial('the document of one organization is among the first two, however many of another are older', async (t) => {
  const { database } = t.context;
  const [many, few] = [await addOrganization(database), await addOrganization(database)];
  for (let count = 0; count < OF_OTHERS; count += 1) await ordered(t.context, many);
  const waiting = await ordered(t.context, few);
  const sent: string[] = [];
  const dispatch = startDocumentDispatch(partsOf(t.context, async (documentId) => void sent.push(documentId)));
  await eventually(() => sent.length === OF_OTHERS + 1, { what: 'all documents to be sent for' });
  await dispatch.stop();
  t.true(sent.slice(0, 2).includes(waiting));
  t.is(new Set(sent).size, OF_OTHERS + 1);
});

test.serial(
  'one document is under way at a time; one that does not end holds up the next of its organization, not of others',
  async (t) => {
    const { database } = t.context;
    const [slow, other] = [await addOrganization(database), await addOrganization(database)];
    const hanging = await ordered(t.context, slow);
    const begunMs = new Map<string, number>();
    const { promise: end, resolve: finish } = Promise.withResolvers<void>();
    const sending = async (documentId: string) => {
      begunMs.set(documentId, performance.now());
      if (documentId === hanging) await end;
    };
    const dispatch = startDocumentDispatch(partsOf(t.context, sending));
    await eventually(() => begunMs.has(hanging), { what: 'the first to be sent for' });
    const next = await ordered(t.context, slow);
    const ofOthers = [await ordered(t.context, other), await ordered(t.context, other)];
    await eventually(() => ofOthers.every((id) => begunMs.has(id)), { what: 'those of others to be sent for' });
    const waitedMs = (begunMs.get(ofOthers[0] ?? '') ?? 0) - (begunMs.get(hanging) ?? 0);
    t.true(waitedMs >= 2_000 - 50, `${waitedMs} ms`);
    t.false(begunMs.has(next));
    finish();
    await eventually(() => begunMs.has(next), { what: 'the next of the organization' });
    await dispatch.stop();
  },
);

test.serial(
  'notices and claim letters come before other pages, each in the order in which they were ordered',
  async (t) => {
    const orgId = await addOrganization(t.context.database);
    const kinds = ['declarations', 'cancellation_notice', 'receipt', 'non_renewal_notice', 'claim_denial'] as const;
    const expected = ['cancellation_notice', 'non_renewal_notice', 'claim_denial', 'declarations', 'receipt'];
    const kindOf = new Map<string, string>();
    for (const kind of kinds) kindOf.set(await ordered(t.context, orgId, kind), kind);
    const sent: string[] = [];
    const dispatch = startDocumentDispatch(partsOf(t.context, async (id) => void sent.push(kindOf.get(id) ?? id)));
    await eventually(() => sent.length === kinds.length, { what: 'all documents to be sent for' });
    await dispatch.stop();
    t.deepEqual(sent, expected);
  },
);

async function ordered({ database }: DatabaseContext, orgId: string, kind: DocumentKind = 'invoice'): Promise<string> {
  const id = newId('document');
  const facts = { kind, entityType: null, entityId: null, input: {}, createdBy: 'system' } as const;
  await database.transaction(orgId, (em) => placeOrder(em, { id, ...facts }, -1_000));
  return id;
}

/** `made` settles when a document's workflow ends. */
function partsOf({ database }: DatabaseContext, made: (documentId: string) => Promise<void>): DocumentDispatchOptions {
  const start = async (_: string, { args: [{ documentId }] }: { args: readonly [{ documentId: string }] }) => {
    const result = made(documentId);
    return { result: () => result };
  };
  const client = { workflow: { start } } as unknown as Client;
  const workflows = new EngineClient({ client, taskQueue: 'lifecycle' });
  return { database, workflows, logger: silentLogger, pdf: { isReady: true } };
}
