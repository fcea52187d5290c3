// What the migration to memberships does to a database with users: they all keep their account, their session and the
// link in their mailbox, and it makes no one a member.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import test from 'ava';
import pg from 'pg';
import { databaseName } from '../../support/servers/database.ts';
import { POSTGRES_VARIABLE } from '../../support/servers/servers.ts';

const BEFORE = '0012-renewal-batches';
const HASH = createHash('sha256').update('the secret in the mail').digest('hex');

/** Creates a database as it was before, and returns a connection and a function that migrates it. */
async function olderDatabase(teardown: (work: () => Promise<unknown>) => void) {
  const server = process.env[POSTGRES_VARIABLE] ?? '';
  const name = databaseName('older');
  const admin = new pg.Client({ connectionString: server });
  await admin.connect();
  await admin.query(`create database ${name}`);
  const clientUrl = Object.assign(new URL(server), { pathname: `/${name}` }).toString();
  const orm = await MikroORM.init({
    entities: [],
    discovery: { warnWhenNoEntities: false },
    clientUrl,
    extensions: [Migrator],
    migrations: {
      path: join(import.meta.dirname, '../../../db/migrations'),
      glob: '*.ts',
      snapshot: false,
      silent: true,
    },
  });
  await orm.migrator.up({ to: BEFORE });
  const sql = new pg.Client({ connectionString: clientUrl });
  await sql.connect();
  teardown(async () => {
    await sql.end();
    await orm.close(true);
    await admin.query(`drop database ${name} with (force)`);
    await admin.end();
  });
  return { sql, migrate: () => orm.migrator.up() };
}

test('existing users become people with one membership, or hold an offer that nobody has accepted', async (t) => {
  const { sql, migrate } = await olderDatabase(t.teardown);
  await sql.query(`insert into organizations (id, name) values ('org_a', 'A')`);
  await sql.query(`insert into auth.users (id, org_id, email, name, role, origin, email_verified, active) values
    ('usr_member', 'org_a', 'member@example.test', 'M', 'auditor', 'invited', true, true),
    ('usr_linked', 'org_a', 'linked@example.test', 'L', 'org_admin', 'invited', false, false),
    ('usr_seeded', 'org_a', 'seeded@example.test', 'S', 'superadmin', 'seeded', false, true),
    ('usr_offered', 'org_a', 'offered@example.test', 'O', 'auditor', 'invited', false, true),
    ('usr_nowhere', null, 'nowhere@example.test', 'N', null, 'self_registered', false, true)`);
  await sql.query(`insert into auth.accounts (id, account_id, provider_id, user_id, password) values
    ('a1', 'usr_member', 'credential', 'usr_member', 'x'), ('a2', 't:o', 'microsoft', 'usr_linked', null),
    ('a3', 'usr_nowhere', 'credential', 'usr_nowhere', 'x')`);
  await sql.query(`insert into auth.sessions (id, token, user_id, expires_at) values
    ('ses_1', 't1', 'usr_member', now() + interval '1 hour'), ('ses_2', 't2', 'usr_nowhere', now() + interval '1 hour')`);
  await sql.query(
    `insert into kv_entries (key, value, expires_at) values
      ('set-password:usr_offered', $1, now() + interval '1 day'), ('set-password:usr_member', $1, now() + interval '1 day')`,
    [JSON.stringify({ hash: HASH })],
  );
  await migrate();
  const { rows: people } = await sql.query('select id, email from auth.people order by id');
  t.deepEqual(
    people.map(({ id }) => id),
    ['usr_linked', 'usr_member', 'usr_nowhere', 'usr_seeded'],
  );
  const { rows: users } = await sql.query(`select id, person_id, role, active, member_since is not null as member,
    invitation_hash as hash, invitation_expires_at > now() as open from auth.users order by id`);
  t.deepEqual(users, [
    { ...MEMBER, id: 'usr_linked', person_id: 'usr_linked', role: 'org_admin', active: false },
    { ...MEMBER, id: 'usr_member', person_id: 'usr_member', role: 'auditor', active: true },
    { id: 'usr_offered', person_id: null, role: 'auditor', active: true, member: false, hash: HASH, open: true },
    { ...MEMBER, id: 'usr_seeded', person_id: 'usr_seeded', role: 'superadmin', active: true },
  ]);
  const { rows: sessions } = await sql.query('select id, person_id, user_id from auth.sessions');
  t.deepEqual(sessions, [{ id: 'ses_1', person_id: 'usr_member', user_id: 'usr_member' }]);
  const { rows: accounts } = await sql.query('select person_id from auth.accounts order by id');
  t.deepEqual(
    accounts.map(({ person_id }) => person_id),
    ['usr_member', 'usr_linked', 'usr_nowhere'],
  );
  const { rows: links } = await sql.query('select key from kv_entries');
  t.deepEqual(links, [{ key: 'set-password:usr_member' }]);
});

const MEMBER = { member: true, hash: null, open: null };
