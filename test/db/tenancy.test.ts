import anyTest, { type TestFn } from 'ava';
import pg from 'pg';
import { ENTITIES, SHARED_ENTITIES, TENANT_ENTITIES } from '../../db/entities/index.ts';
import { Organization } from '../../db/entities/platform/organization.ts';
import { Submission } from '../../db/entities/submission/submission.ts';
import { newId } from '../../db/ids.ts';
import { connectDatabase } from '../../db/orm.ts';
import { putRelation } from '../../db/queries/access/relations.ts';
import { writeAudit } from '../../db/queries/platform/audit.ts';
import { writeEvent } from '../../db/queries/platform/events.ts';
import { findOrganization } from '../../db/queries/platform/organizations.ts';
import { findSubmission } from '../../db/queries/submission/submissions.ts';
import { PLATFORM_SCOPE } from '../../db/scope.ts';
import { silentLogger } from '../support/logger.ts';
import { addOrganization, aPolicy, aSubmission, aTransaction, type DatabaseContext, withDatabase } from './rows.ts';

const test = anyTest as TestFn<DatabaseContext>;
withDatabase(test, 5);

/** Tables whose rows belong to an organization, according to the database itself. */
const TENANT_TABLES = `
  select n.nspname || '.' || c.relname as name, c.relrowsecurity as enabled, c.relforcerowsecurity as forced,
    pg_get_userbyid(c.relowner) as owner,
    (select array_agg(r.rolname::text || ': ' || coalesce(pg_get_expr(p.polqual, p.polrelid), '')
        || ' / ' || coalesce(pg_get_expr(p.polwithcheck, p.polrelid), '') order by r.rolname)
      from pg_policy p cross join unnest(p.polroles) granted join pg_roles r on r.oid = granted
      where p.polrelid = c.oid and r.rolname in ('bindery_app', 'bindery_ops')) as policies
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p') and n.nspname not in ('pg_catalog', 'information_schema')
    and (c.oid = 'organizations'::regclass
      or exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'org_id' and not a.attisdropped))`;

test('every table with an organization forces row-level security on the services’ role and no other role owns it', async (t) => {
  const tables = await query(t.context.urls.ownerUrl, TENANT_TABLES);
  t.true(tables.length > TENANT_ENTITIES.length);
  for (const { name, enabled, forced, owner, policies } of tables) {
    const column = name === 'public.organizations' ? 'id' : 'org_id';
    const mine = `(${column} = ( SELECT NULLIF(current_setting('app.org_id'::text, true), ''::text) AS "nullif"))`;
    t.true(enabled && forced, `${name} forces row-level security`);
    t.deepEqual(policies, [`bindery_app: ${mine} / ${mine}`, 'bindery_ops: true / true'], name);
    t.false(['bindery_app', 'bindery_ops'].includes(owner), name);
  }
});

/** Database functions look addresses up by hash, so no code names the table. */
const REACHED_BY_FUNCTIONS = ['public.undeliverable_addresses'];

test('every table with an organization has an entity behind the filter, and every entity a table', async (t) => {
  const found = await query(t.context.urls.ownerUrl, TENANT_TABLES);
  const tables = new Set(found.map(({ name }) => name));
  await t.context.database.forOrg(t.context.orgId, async (em) => {
    const metadata = em.getMetadata();
    for (const entity of ENTITIES) {
      const { tableName, schema, properties } = metadata.get(entity as typeof Submission);
      const isShared = SHARED_ENTITIES.some((shared) => shared === entity);
      t.is(tables.delete(`${schema ?? 'public'}.${tableName}`), !isShared, tableName);
      t.is('orgId' in properties, !isShared && entity !== Organization, tableName);
    }
  });
  t.deepEqual([...tables], REACHED_BY_FUNCTIONS);
});

test('the services’ roles may not bypass row-level security, own nothing and cannot create anything', async (t) => {
  const { ownerUrl, appUrl, opsUrl } = t.context.urls;
  const roles = await query(
    ownerUrl,
    `select rolname, rolsuper or rolbypassrls or rolcreaterole or rolcreatedb as powerful,
       exists (select from pg_class where relowner = r.oid) as owns
     from pg_roles r where rolname in ('bindery_app', 'bindery_auth', 'bindery_ops') order by 1`,
  );
  t.deepEqual(
    roles,
    ['bindery_app', 'bindery_auth', 'bindery_ops'].map((rolname) => ({ rolname, powerful: false, owns: false })),
  );
  for (const url of [appUrl, opsUrl]) {
    await t.throwsAsync(query(url, 'create table mine (id int)'), { message: /permission denied/ });
    await t.throwsAsync(query(url, 'alter table policies disable row level security'), { message: /must be owner/ });
  }
});

test('a connection without an organization sees no row of any table with an organization', async (t) => {
  const { database, orgId, urls } = t.context;
  await database.transaction(orgId, async (em) => {
    aSubmission(em);
    aTransaction(em, aPolicy(em).id);
    writeAudit(em, { actor: { kind: 'user', id: 'usr_test', role: 'auditor' }, action: 'a:b', entityType: 'x' });
    writeEvent(em, 'webhook.test', {});
  });
  const tables = await query(urls.ownerUrl, TENANT_TABLES);
  const client = new pg.Client({ connectionString: urls.appUrl });
  await client.connect();
  for (const { name } of tables) {
    const { rows } = await client.query(`select count(*)::int as count from ${name}`);
    t.is(rows[0].count, 0, name);
  }
  await client.end();
});

test('a query outside of an organization’s scope throws before it reaches the database', async (t) => {
  const { database, orgId } = t.context;
  await database.forOrg(orgId, async (em) => {
    const unscoped = em.fork();
    unscoped.setFilterParams('tenant', undefined as never);
    for (const entity of [Organization, ...TENANT_ENTITIES]) {
      await t.throwsAsync(unscoped.find(entity as typeof Submission, {}), { message: /No arguments provided/ });
      await t.throwsAsync(unscoped.count(entity as typeof Submission), { message: /No arguments provided/ });
    }
  });
  for (const scope of ['', 'org_1', 'usr_01jc000000e008000000000001', undefined as unknown as string]) {
    await t.throwsAsync(
      database.forOrg(scope, async () => {}),
      { instanceOf: TypeError },
    );
  }
});

test('an organization can neither read, change, remove nor write a row of another', async (t) => {
  const { database, orgId } = t.context;
  const other = await addOrganization(database);
  const id = await database.transaction(orgId, async (em) => aSubmission(em).id);
  const tuple = { objectType: 'policy', objectId: id, relation: 'reader', subjectType: 'user', subjectId: 'usr_test' };
  await database.transaction(orgId, (em) => putRelation(em, tuple));
  await database.forOrg(other, async (em) => {
    t.is(await findSubmission(em, id), null);
    t.is(await findOrganization(em, orgId), null);
    t.is((await em.execute('select 1 from submissions where id = ?', [id])).length, 0);
    t.is(await em.nativeUpdate(Submission, { id }, { description: 'mine' }), 0);
    const updated = await em.execute(`update submissions set description = 'mine' where id = ? returning 1`, [id]);
    t.is(updated.length, 0);
    t.is((await em.execute('delete from relations where object_id = ? returning 1', [id])).length, 0);
    await t.throwsAsync(em.execute('delete from submissions where id = ?', [id]), { message: /permission denied/ });
  });
  const stolen = database.transaction(other, async (em) => aSubmission(em, { orgId } as Partial<Submission>));
  await t.throwsAsync(stolen, { name: 'RowLevelSecurityViolationException' });
  const moved = database.transaction(orgId, (em) => em.execute('update submissions set org_id = ?', [other]));
  await t.throwsAsync(moved, { message: /row-level security/ });
});

test('a row cannot point to a row of another organization', async (t) => {
  const { database, orgId } = t.context;
  const other = await addOrganization(database);
  const foreign = await database.transaction(orgId, async (em) => aPolicy(em).id);
  const written = database.transaction(other, async (em) => aTransaction(em, foreign));
  await t.throwsAsync(written, { message: /violates foreign key constraint/ });
});

test('80 parallel requests of 8 organizations on 5 connections each see their own rows only', async (t) => {
  const { database } = t.context;
  const orgs = await Promise.all(Array.from({ length: 8 }, (_, i) => addOrganization(database, `Organization ${i}`)));
  await Promise.all(orgs.map((org) => database.transaction(org, async (em) => aSubmission(em))));
  const request = async (org: string, i: number) => {
    const read = async () => database.forOrg(org, (em) => em.execute('select org_id from submissions'));
    const written = database.transaction(org, async (em) => {
      if (i % 3 === 0) aSubmission(em);
      await em.flush();
      if (i % 5 === 0) throw new Error('rolled back');
      return em.find(Submission, {});
    });
    const rows = [...(await read()), ...(await written.catch(() => [])), ...(await read())];
    return rows.every((row) => ((row as { org_id?: string }).org_id ?? (row as Submission).orgId) === org);
  };
  const answers = await Promise.all(Array.from({ length: 80 }, (_, i) => request(orgs[i % orgs.length] ?? '', i)));
  t.true(answers.every(Boolean));
});

test('scopes nest: inside one of all organizations, inside another organization, inside a transaction', async (t) => {
  const { database, orgId } = t.context;
  const other = await addOrganization(database);
  const seen = (org: string) =>
    database.forOrg(org, async (em) =>
      (await em.execute<{ id: string }[]>('select id from organizations')).map((row) => row.id),
    );
  await database.acrossOrgs('test', async (all) => {
    t.deepEqual(await seen(orgId), [orgId]);
    t.true((await all.count(Organization)) >= 2);
  });
  await database.transaction(orgId, async (em) => {
    t.deepEqual(await seen(other), [other]);
    t.true((await database.acrossOrgs('test', (all) => all.count(Organization))) >= 2);
    t.deepEqual(
      (await em.find(Organization, {})).map(({ id }) => id),
      [orgId],
    );
    t.deepEqual(await em.execute('select id from organizations'), [{ id: orgId }]);
  });
});

test('an entity manager that outlives its scope reads nothing', async (t) => {
  const { database, orgId } = t.context;
  const kept = await database.forOrg(orgId, async (em) => em);
  t.deepEqual(await kept.find(Organization, {}), []);
});

test('a connection on which a transaction was left open is not handed out again', async (t) => {
  const { database, orgId } = t.context;
  const leave = () => database.forOrg(orgId, (em) => em.execute('begin'));
  const openTransaction = 'select now() <> statement_timestamp() as open';
  await Promise.all(Array.from({ length: 5 }, leave));
  for (let i = 0; i < 10; i += 1) {
    const [row] = await database.forOrg(orgId, (em) => em.execute<{ open: boolean }[]>(openTransaction));
    t.false(row?.open);
  }
});

test('reading across organizations is logged with its reason', async (t) => {
  const lines: object[] = [];
  const logger = { ...silentLogger, info: (fields: object) => void lines.push(fields), warn: () => {} };
  const database = await connectDatabase({ ...t.context.urls, poolSize: 1, logger });
  await database.acrossOrgs('to see whether it is logged', (em) => em.count(Organization));
  await database.close();
  t.deepEqual(lines, [{ reason: 'to see whether it is logged' }]);
});

test('events, audit entries and policy transactions cannot be changed or removed, not even by their owner', async (t) => {
  const { database, orgId, urls } = t.context;
  await database.transaction(orgId, async (em) => {
    aTransaction(em, aPolicy(em).id);
    writeAudit(em, { actor: { kind: 'user', id: 'usr_test', role: 'auditor' }, action: 'a:b', entityType: 'x' });
    writeEvent(em, 'webhook.test', {});
  });
  for (const table of ['events', 'audit_entries', 'policy_transactions']) {
    for (const change of [`update ${table} set org_id = org_id`, `delete from ${table}`, `truncate ${table} cascade`]) {
      await t.throwsAsync(query(urls.ownerUrl, change), { message: /never changed or removed/ }, change);
      await t.throwsAsync(query(urls.opsUrl, change), { message: /permission denied/ }, change);
      const asApp = database.forOrg(orgId, (em) => em.execute(change));
      await t.throwsAsync(asApp, { message: /permission denied/ }, change);
    }
  }
});

test('no organization sees the rows of the installation', async (t) => {
  const { database, orgId } = t.context;
  const entityId = newId('request');
  const actor = { kind: 'machine', id: 'machine', role: 'superadmin' };
  await database.transaction(PLATFORM_SCOPE, async (em) =>
    writeAudit(em, { actor, action: 'x:y', entityType: 'x', entityId }),
  );
  const found = (scope: string) =>
    database.forOrg(scope, (em) => em.execute('select 1 from audit_entries where entity_id = ?', [entityId]));
  t.is((await found(PLATFORM_SCOPE)).length, 1);
  t.is((await found(orgId)).length, 0);
});

// biome-ignore lint/suspicious/noExplicitAny: rows of the catalog
async function query(connectionString: string, sql: string): Promise<any[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
