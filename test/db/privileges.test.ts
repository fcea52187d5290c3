// What the services' roles may do: derived from the catalog, compared with a handwritten list, and tried.
import { randomBytes } from 'node:crypto';
import anyTest, { type TestFn } from 'ava';
import pg from 'pg';
import { migrateDatabase } from '../../db/migrate.ts';
import { databaseName } from '../support/servers/database.ts';
import { POSTGRES_VARIABLE } from '../support/servers/servers.ts';
import { ADDED, changes, MONEY, SUMS } from './billing/money-privileges.ts';
import { REMOVABLE } from './removable-tables.ts';
import { aPolicy, aTransaction, type DatabaseContext, withDatabase } from './rows.ts';

const test = anyTest as TestFn<DatabaseContext>;
withDatabase(test, 2);

const ROLES = ['bindery_app', 'bindery_auth', 'bindery_ops'] as const;

/** The installation's rates, which the migration updates as bindery_ops. */
const KEPT_BY_OPERATIONS = 'surplus_lines_rates';
const REFERENCE = ['delete', 'insert', 'select', 'update'];

/** Every privilege of a role on a table, or on a column where the role lacks the whole table. */
const PRIVILEGES = `
  select c.relname as table, r.rolname as role, array_agg(p.privilege order by p.privilege) as privileges
  from pg_class c join pg_namespace n on n.oid = c.relnamespace and n.nspname in ('public', 'auth')
  cross join pg_roles r
  cross join lateral (
    select lower(verb) as privilege from unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']) verb
      where has_table_privilege(r.oid, c.oid, verb)
    union all
    select lower(verb) || ' ' || a.attname from pg_attribute a, unnest(array['SELECT', 'INSERT', 'UPDATE', 'REFERENCES']) verb
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        and has_column_privilege(r.oid, c.oid, a.attnum, verb) and not has_table_privilege(r.oid, c.oid, verb)
  ) p
  where c.relkind in ('r', 'p', 'v') and r.rolname = any($1)
  group by 1, 2`;

const MONEY_COLUMNS = `
  select distinct c.relname as table from pg_attribute a join pg_class c on c.oid = a.attrelid
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attname like '%\\_cents' and not a.attisdropped`;

async function privilegesOf(ownerUrl: string): Promise<Map<string, string[]>> {
  const rows = await query(ownerUrl, PRIVILEGES, [ROLES]);
  return new Map(rows.map(({ table, role, privileges }) => [`${role} ${table}`, privileges]));
}

test('the application changes only the life-cycle columns of money records, operations read, sign-in sees nothing', async (t) => {
  const granted = await privilegesOf(t.context.urls.ownerUrl);
  for (const [table, expected] of Object.entries(MONEY)) {
    t.deepEqual(granted.get(`bindery_app ${table}`), expected.toSorted(), table);
    t.deepEqual(granted.get(`bindery_ops ${table}`), table === KEPT_BY_OPERATIONS ? REFERENCE : ['select'], table);
    t.is(granted.get(`bindery_auth ${table}`), undefined, table);
  }
});

/** Passwords, sessions, links and people: only for the authentication service. */
const OF_SIGN_IN = ['accounts', 'people', 'sessions', 'verifications'];

test('the api and the worker read no password, session or link, and operations write only their tables', async (t) => {
  const granted = await privilegesOf(t.context.urls.ownerUrl);
  for (const table of OF_SIGN_IN) {
    for (const role of ['bindery_app', 'bindery_ops'])
      t.is(granted.get(`${role} ${table}`), undefined, `${role} ${table}`);
    for (const url of [t.context.urls.appUrl, t.context.urls.opsUrl]) {
      await t.throwsAsync(query(url, `select 1 from auth.${table}`), { message: /permission denied/ }, table);
    }
  }
  const written = [...granted]
    .filter(([key, privileges]) => key.startsWith('bindery_ops ') && privileges.some((each) => each !== 'select'))
    .map(([key, privileges]) => [key.split(' ')[1], privileges]);
  t.deepEqual(Object.fromEntries(written), {
    claim_particulars: ['delete', 'select'],
    idempotency_keys: ['delete', 'select', 'update expires_at'],
    push_notices: ['delete', 'select'],
    requests: ['delete', 'select'],
    sanctions_entries: REFERENCE,
    surplus_lines_rates: REFERENCE,
    webhook_deliveries: ['delete', 'select'],
  });
});

/** What may change in a delivery log: how an attempt ended, never what it was about. */
const DELIVERY_CHANGES = ['attempted_at', 'error', 'latency_ms', 'response', 'status', 'status_code', 'updated_at'];

test('the log of deliveries says afterwards how an attempt ended, and nothing else changes', async (t) => {
  const granted = await privilegesOf(t.context.urls.ownerUrl);
  t.deepEqual(granted.get('bindery_app webhook_deliveries'), [...ADDED, ...changes(...DELIVERY_CHANGES)].toSorted());
  t.false(granted.get('bindery_app webhooks')?.includes('delete'));
});

test('no index of the log depends on what changes in it, so that an update adds no entry to any', async (t) => {
  const named = await query(
    t.context.urls.ownerUrl,
    `select distinct a.attname as column from pg_index i join pg_depend d on d.objid = i.indexrelid
       join pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
       where i.indrelid = 'webhook_deliveries'::regclass and d.refobjid = i.indrelid`,
  );
  const columns = named.map(({ column }) => String(column));
  t.true(columns.includes('webhook_id'));
  t.deepEqual(
    DELIVERY_CHANGES.filter((column) => columns.includes(column)),
    [],
  );
});

test('the application adds and removes hashes of the addresses that take no mail, and never changes one', async (t) => {
  const granted = await privilegesOf(t.context.urls.ownerUrl);
  t.deepEqual(granted.get('bindery_app undeliverable_addresses'), ['delete', 'insert', 'select']);
  t.deepEqual(granted.get('bindery_ops undeliverable_addresses'), ['select']);
  t.is(granted.get('bindery_auth undeliverable_addresses'), undefined);
});

test('a table with amounts is on the list above', async (t) => {
  const found = (await query(t.context.urls.ownerUrl, MONEY_COLUMNS)).map(({ table }) => table);
  t.true(found.length > 8);
  t.deepEqual(
    found.filter((table) => !(table in MONEY)),
    SUMS,
  );
});

test('no service empties a table, and each removes rows of the few tables that forget', async (t) => {
  const granted = await privilegesOf(t.context.urls.ownerUrl);
  for (const role of ROLES) {
    const tables = [...granted].filter(([key]) => key.startsWith(`${role} `));
    const removable = tables
      .filter(([, privileges]) => privileges.includes('delete'))
      .map(([key]) => key.split(' ')[1]);
    t.deepEqual(removable.toSorted(), REMOVABLE[role], role);
    for (const [key, privileges] of tables) t.false(/truncate|references|trigger/.test(privileges.join()), key);
  }
});

test('PostgreSQL refuses to rewrite the books, for both roles that see them', async (t) => {
  const { database, orgId, urls } = t.context;
  await database.transaction(orgId, async (em) => void aTransaction(em, aPolicy(em).id));
  const forbidden = [
    ...Object.keys(MONEY)
      .filter((table) => table !== KEPT_BY_OPERATIONS)
      .flatMap((table) => [`delete from ${table}`, `truncate ${table} cascade`]),
    'update payments set org_id = org_id',
    `update payments set kind = 'manual'`,
    `update payments set method = 'cash', invoice_id = null`,
    `update payments set received_on = received_on`,
    `update disbursements set amount_cents = 1`,
    `update disbursements set payee = 'Me'`,
    `update claims set loss_date = loss_date`,
    `update payment_intents set amount_cents = 1`,
    `update invoices set policy_id = policy_id`,
    `update invoices set invoice_number = 'INV-1'`,
    `update trust_reconciliations set date = date`,
    `update ledger_lines set debit_cents = 1`,
    `update ledger_accounts set ledger = 'general'`,
    `insert into ledger_accounts values (9999, 'Mine', 'asset', 'general')`,
    `update commission_records set agent_commission_cents = 1`,
    `update commission_schedules set org_id = org_id`,
    `update inbound_events set outcome = 'x'`,
    `update policy_transactions set premium_change_cents = 0`,
    `update da_usage set contract_id = 'x'`,
    `update org_counters set key = 'x'`,
    `update policy_number_counters set key = 'x'`,
    `update commands set result = '{}'`,
  ];
  for (const statement of forbidden) {
    const asApp = database.forOrg(orgId, (em) => em.execute(statement));
    await t.throwsAsync(asApp, { message: /permission denied/ }, statement);
    await t.throwsAsync(query(urls.opsUrl, statement), { message: /permission denied/ }, statement);
  }
  for (const statement of [
    `update payments set status = 'failed'`,
    `update policies set status = 'active'`,
    `insert into org_counters values ('${orgId}', 'x', 1)`,
  ]) {
    await t.throwsAsync(query(urls.opsUrl, statement), { message: /permission denied/ }, statement);
  }
});

test('a table of a later migration is read by operations and not written', async (t) => {
  const rows = await query(
    t.context.urls.ownerUrl,
    `
    begin;
    create table later (id text primary key, org_id text not null);
    call protect_tenant_table('later');
    select array_agg(privilege_type::text order by 1) as privileges from information_schema.role_table_grants
      where table_name = 'later' and grantee = 'bindery_ops';
    rollback`,
  );
  t.deepEqual(rows, [{ privileges: ['SELECT'] }]);
});

test('the authentication service keeps the entries of sign-in and neither sees nor makes any other', async (t) => {
  const { urls } = t.context;
  const insert = (key: string) =>
    `insert into auth.kv_entries (key, value, expires_at) values ('${key}', '1', now() + interval '1 hour')`;
  for (const key of ['sign-in:a', 'sign-in-client:a', 'sign-on:a', 'link:a', 'link-day:a', 'set-password:a']) {
    await query(urls.authUrl, insert(key));
  }
  for (const key of ['code:a', 'code-attempts:a', 'wh:a', 'linked', 'x']) {
    await t.throwsAsync(query(urls.authUrl, insert(key)), { message: /violates check option/ }, key);
    await query(urls.ownerUrl, insert(key).replace('auth.', 'public.'));
  }
  t.is((await query(urls.authUrl, 'select key from auth.kv_entries')).length, 6);
  t.is((await query(urls.authUrl, `delete from auth.kv_entries where key = 'code:a' returning 1`)).length, 0);
  const renamed = query(urls.authUrl, `update auth.kv_entries set key = 'code:b' where key = 'link:a'`);
  await t.throwsAsync(renamed, { message: /violates check option/ });
  await t.throwsAsync(query(urls.authUrl, 'select key from public.kv_entries'), { message: /permission denied/ });
});

test('no role but the owner and those of the services can connect, and none of these makes temporary tables', async (t) => {
  const server = process.env[POSTGRES_VARIABLE] ?? '';
  const suffix = randomBytes(4).toString('hex');
  const [name, stranger] = [databaseName('closed'), `bindery_test_stranger_${suffix}`];
  await query(server, `create database ${name}`);
  await query(server, `create role ${stranger} login password 'stranger'`);
  t.teardown(async () => {
    await query(server, `drop database ${name} with (force)`);
    await query(server, `drop role ${stranger}`);
  });
  const at = (url: string) => Object.assign(new URL(url), { pathname: `/${name}` }).toString();
  const passwordOf = (url: string) => new URL(url).password;
  const { appUrl, opsUrl, authUrl } = t.context.urls;
  await migrateDatabase({
    ownerUrl: at(server),
    appPassword: passwordOf(appUrl),
    opsPassword: passwordOf(opsUrl),
    authPassword: passwordOf(authUrl),
    log: () => {},
  });
  const foreign = Object.assign(new URL(at(server)), { username: stranger, password: 'stranger' }).toString();
  await t.throwsAsync(query(foreign, 'select 1'), { message: /permission denied for database/ });
  for (const url of [appUrl, opsUrl, authUrl]) {
    t.deepEqual(await query(at(url), 'select 1 as one'), [{ one: 1 }]);
    await t.throwsAsync(query(at(url), 'create temporary table mine (id int)'), { message: /permission denied/ });
  }
});

test('a migration by a role that does not own the database reports that it stays open', async (t) => {
  const server = process.env[POSTGRES_VARIABLE] ?? '';
  const suffix = randomBytes(4).toString('hex');
  const [name, owner] = [databaseName('rented'), `bindery_test_tenant_${suffix}`];
  await query(server, `create database ${name}`);
  await query(server, `create role ${owner} login password 'owner' createrole`);
  await query(
    server,
    `grant bindery_app, bindery_ops, bindery_auth to ${owner} with admin true, inherit false, set false`,
  );
  await query(server, `grant create on database ${name} to ${owner}`);
  const at = Object.assign(new URL(server), { pathname: `/${name}` }).toString();
  await query(at, `alter schema public owner to ${owner}`);
  t.teardown(async () => {
    await query(server, `drop database ${name} with (force)`);
    await query(server, `drop owned by ${owner}`);
    await query(server, `drop role ${owner}`);
  });
  const lines: string[] = [];
  const { appUrl, opsUrl, authUrl } = t.context.urls;
  await migrateDatabase({
    ownerUrl: Object.assign(new URL(at), { username: owner, password: 'owner' }).toString(),
    appPassword: new URL(appUrl).password,
    opsPassword: new URL(opsUrl).password,
    authPassword: new URL(authUrl).password,
    log: (line) => void lines.push(line),
  });
  t.regex(lines.join('\n'), /lets every role of its server connect/);
  t.true(lines.includes('migrated 0017-privileges'));
});

// biome-ignore lint/suspicious/noExplicitAny: rows of the catalog
async function query(connectionString: string, sql: string, values?: unknown[]): Promise<any[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const result = await client.query(sql, values as unknown[]);
    const results = Array.isArray(result) ? result : [result];
    return results.find(({ rows }) => rows.length > 0)?.rows ?? [];
  } finally {
    await client.end();
  }
}
