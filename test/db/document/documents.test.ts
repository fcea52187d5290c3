// Document rows: they stay as they are, the order they are listed in, and whose are made first.
import type { EntityManager } from '@mikro-orm/postgresql';
import anyTest, { type TestFn } from 'ava';
import { Producer } from '../../../db/entities/distribution/producer.ts';
import { Document } from '../../../db/entities/document/document.ts';
import { newId, timedId } from '../../../db/ids.ts';
import { claimDueOrders, placeOrder } from '../../../db/queries/document/document-orders.ts';
import {
  findDocument,
  keepDocument,
  listDocuments,
  type NewDocument,
  successorsOf,
} from '../../../db/queries/document/documents.ts';
import { cursorOf } from '../../../db/queries/pages.ts';
import type { Actor } from '../../../domain/permissions.ts';
import { addOrganization, type DatabaseContext, withDatabase } from '../rows.ts';

const test = anyTest as TestFn<DatabaseContext>;
withDatabase(test);

const SHA256 = '0'.repeat(64);
const FILE = { kind: 'rendered', fileName: 'a.pdf', contentType: 'application/pdf', sizeBytes: 1, createdBy: 'usr_a' };

test('documents are listed newest first by when they were made, whatever instant their ids carry', async (t) => {
  const { database } = t.context;
  const orgId = await addOrganization(database);
  const of = { orgId, homeOrgId: orgId, scopes: null, producerIds: [], authority: null };
  const actor: Actor = { kind: 'user', id: 'usr_admin', role: 'org_admin', ...of };
  const years = [2026, 2031, 2020, 2029, 2024];
  const ids = years.map((year) => timedId('document', new Date(Date.UTC(year, 0, 1)), String(year)));
  const keep = (id: string) =>
    database.transaction(orgId, (em) => keepDocument(em, { id, ...FILE, sha256: SHA256 }).then(() => {}));
  for (const id of ids) await keep(id);
  const read = (limit: number, cursor?: string | null) =>
    database.forOrg(orgId, (em) => listDocuments(em, actor, {}, { limit, cursor: cursor ?? null }));
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const page = await read(2, cursor);
    seen.push(...page.data.map(({ id }) => id));
    cursor = page.nextCursor;
    // Anything made in the meantime is newer than what has been read.
    await keep(newId('document'));
  } while (cursor);
  t.deepEqual(seen, ids.toReversed());
  const refused = await t.throwsAsync(read(2, cursorOf(newId('document'))));
  t.like(refused, { code: 'validation_failed', details: { field: 'cursor' } });
});

test('a document is superseded by another one, and neither changed nor deleted', async (t) => {
  const { database } = t.context;
  const orgId = await addOrganization(database);
  const keep = (changes: Partial<NewDocument> = {}) =>
    database.transaction(orgId, (em) =>
      keepDocument(em, { id: newId('document'), ...FILE, sha256: SHA256, ...changes }),
    );
  const first = await keep();
  const second = await keep({ supersedes: first });
  t.like(second, { version: 2, supersedes: first.id });
  const attempts: ((em: EntityManager) => Promise<unknown>)[] = [
    (em) => em.nativeDelete(Document, { id: first.id }),
    (em) => em.nativeUpdate(Document, { id: first.id }, { sha256: 'f'.repeat(64) }),
  ];
  for (const attempt of attempts) {
    await t.throwsAsync(database.transaction(orgId, attempt), { message: /permission denied for table documents/ });
  }
  const twice = keep({ supersedes: first });
  await t.throwsAsync(twice, { message: /documents_superseded_once/ });
  t.deepEqual(await database.forOrg(orgId, (em) => findDocument(em, first.id)).then((row) => row?.sha256), SHA256);
});

test('the replacement of a document is named to those who may read it, and to nobody else', async (t) => {
  const { database } = t.context;
  const orgId = await addOrganization(database);
  const claim = { entityType: 'claim', entityId: newId('claim') } as const;
  const keep = (changes: Partial<NewDocument>) =>
    database.transaction(orgId, (em) =>
      keepDocument(em, { id: newId('document'), ...FILE, ...claim, sha256: SHA256, ...changes }),
    );
  const first = await keep({});
  const second = await keep({ supersedes: first });
  const third = await keep({ supersedes: second, containsPhi: true });
  const named = (role: Actor['role']) => {
    const of = { orgId, homeOrgId: orgId, scopes: null, producerIds: [], authority: null };
    const actor: Actor = { kind: 'user', id: 'usr_reader', role, ...of };
    return database.forOrg(orgId, (em) => successorsOf(em, actor, [first, second, third]));
  };
  const open = [first.id, second.id];
  t.deepEqual([...(await named('claims_supervisor'))].toSorted(), [open, [second.id, third.id]].toSorted());
  t.deepEqual([...(await named('auditor'))], [open]);
  t.deepEqual([...(await named('producer'))], []);
});

test('the members of a producer see in the list the documents of theirs, and of no other', async (t) => {
  const { database } = t.context;
  const orgId = await addOrganization(database);
  const [own, other] = [newId('producer'), newId('producer')];
  const documents = await database.transaction(orgId, async (em) => {
    const keep = (entityId: string) =>
      keepDocument(em, { id: newId('document'), ...FILE, sha256: SHA256, entityType: 'producer', entityId });
    for (const id of [own, other]) em.create(Producer, { id, name: 'Lone Star', status: 'active' }, { persist: true });
    await em.flush();
    return [(await keep(own)).id, (await keep(other)).id];
  });
  const of = { orgId, homeOrgId: orgId, scopes: null, producerIds: [own], authority: null };
  const member: Actor = { kind: 'user', id: 'usr_agent', role: 'producer', ...of };
  const { data } = await database.forOrg(orgId, (em) => listDocuments(em, member, {}, { limit: 10, cursor: null }));
  t.deepEqual(
    data.map(({ id }) => id),
    documents.slice(0, 1),
  );
});

test('each organization has one waiting order sent for before any has its second', async (t) => {
  const { database } = t.context;
  const order = async (orgId: string) => {
    const id = newId('document');
    const facts = { kind: 'invoice', entityType: null, entityId: null, input: {}, createdBy: 'system' } as const;
    await database.transaction(orgId, (em) => placeOrder(em, { id, ...facts }, -1_000));
    return id;
  };
  const [many, few] = [await addOrganization(database), await addOrganization(database)];
  const manyIds: string[] = [];
  for (let count = 0; count < 4; count++) manyIds.push(await order(many));
  const fewIds = [await order(few)];
  const claim = async () => {
    const due = await claimDueOrders(database, { leaseSeconds: 600, most: 2 });
    return due.map(({ documentId }) => documentId).sort();
  };
  t.deepEqual(await claim(), [manyIds[0], fewIds[0]].sort());
  t.deepEqual(await claim(), manyIds.slice(1, 3));
  t.deepEqual(await claim(), manyIds.slice(3));
  t.deepEqual(await claim(), []);
});
