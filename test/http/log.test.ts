// What a PostgreSQL error leaves in a log: enough to find the fault, and no row value.
import test from 'ava';
import pg from 'pg';
import { createLog } from '../../http/log.ts';
import { createTestDatabase } from '../support/servers/database.ts';

const NAME = 'Zephyrine Quillfeather';

function log() {
  const lines: string[] = [];
  return { lines, logger: createLog({ level: 'info', base: { service: 'x' } }, { write: (line) => lines.push(line) }) };
}

const STATEMENTS: [string, string][] = [
  ['a row that is there already', `insert into named values ('${NAME}'), ('${NAME}')`],
  ['a row that a check refuses', `insert into named values ('${NAME} the second, whose name is too long')`],
  ['a text that is no number', `select '${NAME}'::int`],
  ['a text that is no document', `select '{"insured": ${NAME}}'::jsonb`],
];

test('an error of the database is logged with its code and stack and without the values of rows', async (t) => {
  const { ownerUrl } = await createTestDatabase(t);
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  t.teardown(() => client.end());
  await client.query('create temporary table named (name text primary key check (length(name) < 30))');
  for (const [what, statement] of STATEMENTS) {
    const error = (await t.throwsAsync(client.query(statement), undefined, what)) as Error & { code: string };
    t.true(JSON.stringify({ ...error, message: error.message }).includes('Zephyrine'), `${what}: PostgreSQL quotes it`);
    const { lines, logger } = log();
    logger.error({ err: new Error('the step failed', { cause: error }) }, 'unexpected error');
    logger.error({ err: error }, 'unexpected error');
    t.is(lines.length, 2);
    for (const line of lines) {
      t.false(line.includes('Zephyrine'), `${what}: ${line}`);
      t.regex(JSON.parse(line).err.stack, /log\.test\.ts|pg/);
    }
    t.is(JSON.parse(lines[1] ?? '').err.code, error.code);
  }
});

test('other errors keep their words', (t) => {
  const { lines, logger } = log();
  logger.error({ err: new Error('no such template: "receipt"') }, 'unexpected error');
  t.is(JSON.parse(lines[0] ?? '').err.message, 'no such template: "receipt"');
});

test('only fields of an error that name no one are written', (t) => {
  const { lines, logger } = log();
  const carried = { details: [{ insuredName: NAME }], parameters: [NAME], response: { data: NAME }, status: 422 };
  logger.error({ err: Object.assign(new Error('refused'), carried) }, 'unexpected error');
  logger.error({ err: `of ${NAME}` }, 'unexpected error');
  const [refused, thrown] = lines.map((line) => JSON.parse(line).err);
  t.false(lines.join().includes('Zephyrine'));
  t.deepEqual(Object.keys(refused).sort(), ['message', 'stack', 'status', 'type']);
  t.deepEqual(thrown, { type: 'string' });
});

test('a connection that failed at every address says so for each', (t) => {
  const { lines, logger } = log();
  const refused = ['::1', '127.0.0.1'].map((address) =>
    Object.assign(new Error(`connect ECONNREFUSED ${address}`), { code: 'ECONNREFUSED', address }),
  );
  logger.warn({ err: new AggregateError(refused) }, 'a step failed');
  const { errors } = JSON.parse(lines[0] ?? '').err;
  t.deepEqual(
    errors.map(({ code, address }: Record<string, string>) => [code, address]),
    [
      ['ECONNREFUSED', '::1'],
      ['ECONNREFUSED', '127.0.0.1'],
    ],
  );
});
