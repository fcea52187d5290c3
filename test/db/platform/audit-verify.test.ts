import anyTest, { type TestFn } from 'ava';
import pg from 'pg';
import { sealAudit } from '../../../db/audit/audit-seal.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import { startAuditSealing } from '../../../workers/audit-sealing.ts';
import { bareEnvironment, runScript } from '../../scripts/run-script.ts';
import { eventually } from '../../support/eventually.ts';
import { silentLogger } from '../../support/logger.ts';
import { addOrganization, type DatabaseContext, withDatabase } from '../rows.ts';

const test = anyTest as TestFn<DatabaseContext>;
withDatabase(test);

const write = ({ database }: DatabaseContext, orgId: string) =>
  database.transaction(orgId, async (em) => {
    const actor = { kind: 'user', id: 'usr_test', role: 'underwriter' };
    return writeAudit(em, { actor, action: 'a:b', entityType: 'x' }).id;
  });

const verify = ({ urls }: DatabaseContext, ...args: string[]) =>
  runScript(
    'scripts/audit-verify.ts',
    bareEnvironment({ DATABASE_APP_URL: urls.appUrl, DATABASE_OPS_URL: urls.opsUrl }),
    args,
  );

test.serial('npm run audit:verify reports for every chain how far it goes and which rows are unsealed', async (t) => {
  const { database, orgId } = t.context;
  const other = await addOrganization(database);
  for (const org of [orgId, orgId, other]) await write(t.context, org);
  await sealAudit(database, { limit: 100, now: Date.now, logger: silentLogger });
  await write(t.context, other);
  const { code, stdout, stderr } = await verify(t.context);
  t.is(stderr, '');
  t.is(code, 0);
  t.regex(
    stdout,
    new RegExp(`^${orgId}: fits, 1 seals over 2 rows, the last is 1 [0-9a-f]{64}; 0 rows not sealed yet$`, 'm'),
  );
  t.regex(
    stdout,
    new RegExp(`^${other}: fits, 1 seals over 1 rows.*; 1 rows not sealed yet, the oldest of 20.*Z$`, 'm'),
  );
  t.regex(stdout, /^2 chains fit$/m);
});

test.serial('a broken chain ends it with 1 and the name of the row, and leaves the other chains alone', async (t) => {
  const { database, urls } = t.context;
  const broken = await addOrganization(database);
  const id = await write(t.context, broken);
  await sealAudit(database, { limit: 100, now: Date.now, logger: silentLogger });
  const owner = new pg.Client({ connectionString: urls.ownerUrl });
  await owner.connect();
  await owner.query('alter table audit_entries disable trigger append_only');
  await owner.query(`update audit_entries set actor_id = 'usr_other' where id = $1`, [id]);
  await owner.query('alter table audit_entries enable trigger append_only');
  await owner.end();
  const all = await verify(t.context);
  t.is(all.code, 1);
  t.regex(
    all.stdout,
    new RegExp(`^${broken}: BROKEN at ${id}: it is not what was sealed at place 1 of seal 1; 0 seals`, 'm'),
  );
  t.regex(all.stdout, /^1 of 3 chains are broken$/m);
  t.is((await verify(t.context, '--org', broken)).code, 1);
  t.is((await verify(t.context, '--org', t.context.orgId)).code, 0);
});

test.serial('an unknown organization, and a database that is not there, end it with 2', async (t) => {
  t.is((await verify(t.context, '--org', 'acme')).code, 2);
  const { code, stderr } = await runScript('scripts/audit-verify.ts', bareEnvironment({ DATA_DIR: 'no-such-folder' }));
  t.is(code, 2);
  t.regex(stderr, /There is no database: run "npm start" first/);
});

test.serial('a worker process seals rows that are written while it runs, two of them the same rows once', async (t) => {
  const { database } = t.context;
  const orgId = await addOrganization(database);
  const options = { database, logger: silentLogger, now: Date.now, pauseMs: 20 };
  const sealings = [startAuditSealing(options), startAuditSealing(options)];
  for (let i = 0; i < 5; i += 1) await write(t.context, orgId);
  const isSealed = () =>
    database.forOrg(orgId, async (em) => {
      const [row] = await em.execute<{ left: number }[]>(
        'select count(*)::int as left from audit_links where sequence is null',
      );
      return row?.left === 0;
    });
  await eventually(isSealed, { what: 'the seals' });
  await Promise.all(sealings.map((sealing) => sealing.stop()));
  t.is((await verify(t.context, '--org', orgId)).code, 0);
  await write(t.context, orgId);
  t.false(await isSealed());
});
