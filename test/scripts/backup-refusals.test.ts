// What backups and restores refuse, and which old ones are deleted.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { parse } from 'yaml';
import { forgetBefore } from '../../scripts/backup/bases.ts';
import { archiveSettings, backupPlace, restoreCommand } from '../../scripts/backup/place.ts';
import { installation } from './installation.ts';
import { bareEnvironment, emptyFolder, ROOT, runScript } from './run-script.ts';

/** A base backup, as far as its facts go. */
function baseOf(folder: string, name: string, facts: { endedAt: string; startSegment: string }): void {
  const base = join(backupPlace(folder).bases, name);
  mkdirSync(base, { recursive: true });
  writeFileSync(join(base, 'base.json'), JSON.stringify(facts));
}

test('a base backup that is old goes when no moment of the days that are kept needs it, and its segments with it', (t) => {
  const folder = emptyFolder();
  const place = backupPlace(folder);
  baseOf(folder, 'first', { endedAt: '2026-11-01T00:00:00.000Z', startSegment: '000000010000000000000002' });
  baseOf(folder, 'second', { endedAt: '2026-11-08T00:00:00.000Z', startSegment: '000000010000000000000005' });
  baseOf(folder, 'third', { endedAt: '2026-11-15T00:00:00.000Z', startSegment: '000000020000000000000009' });
  mkdirSync(place.wal);
  const segments = ['00000001', '00000001', '00000001', '00000002'].map(
    (line, at) => `${line}000000000000000${at + 3}`,
  );
  for (const name of [...segments, '00000002.history']) writeFileSync(join(place.wal, name), '');
  t.deepEqual(forgetBefore('2026-10-31T00:00:00.000Z', place), { bases: 0, segments: 0 });
  t.deepEqual(forgetBefore('2026-11-10T00:00:00.000Z', place), { bases: 1, segments: 2 });
  t.deepEqual(readdirSync(place.bases).sort(), ['second', 'third'], 'only the second leads to 10 November');
  const kept = ['00000001000000000000000' + '5', '00000002.history', '00000002000000000000000' + '6'];
  t.deepEqual(readdirSync(place.wal).sort(), kept.sort());
});

test('a folder with quotes and per cent signs in its name is quoted for the shell and for PostgreSQL', (t) => {
  const place = backupPlace(`/backups of 50% of Ada's books`);
  t.is(restoreCommand(place), `cp '/backups of 50%% of Ada'\\''s books/wal/%f' "%p"`);
  t.true(archiveSettings(place).archive_command?.includes(`mv '/backups of 50%% of Ada'\\''s books/wal/%f.part' '`));
});

test('the archive of Docker Compose is the one of npm start', (t) => {
  const { services } = parse(readFileSync(join(ROOT, 'docker/backup.yml'), 'utf8')) as {
    services: { postgres: { command: string[] } };
  };
  const settings = Object.entries(archiveSettings(backupPlace('/backups'))).map(([name, value]) => `${name}=${value}`);
  t.deepEqual(services.postgres.command.filter((part) => part.startsWith('archive_')).sort(), settings.sort());
});

const REFUSALS: readonly [string, string, string[], RegExp][] = [
  [
    'a restore to a moment without a zone',
    'restore',
    ['--to', '2026-11-23T16:30:00'],
    /^--to is a moment with its zone/,
  ],
  ['a restore along a timeline that is no number', 'restore', ['--timeline', 'x'], /^--timeline is a number/],
  ['a restore without a base backup', 'restore', [], /^There is no base backup in .+: "npm run backup" makes one\./],
  [
    'a backup of what does not run',
    'backup',
    [],
    /^PostgreSQL does not answer at port \d+ .+: run "npm start" first\./,
  ],
  ['a backup that is to keep no days', 'backup', ['--keep-days', '0'], /^--keep-days is a number of days/],
];

for (const [title, script, args, message] of REFUSALS) {
  test(`${title} is refused with a sentence`, async (t) => {
    const { env, dataDir } = await installation();
    const backups = { BACKUP_DIR: emptyFolder() };
    const { code, stderr } = await runScript(`scripts/${script}.ts`, bareEnvironment({ ...env, ...backups }), args);
    t.is(code, 1);
    t.regex(stderr, message);
    t.false(existsSync(join(dataDir, 'postgres')));
  });
}

test('neither command does anything without a folder for backups, or with a server of somebody else', async (t) => {
  const { env } = await installation();
  const other = bareEnvironment({
    ...env,
    BACKUP_DIR: emptyFolder(),
    DATABASE_URL: 'postgres://db.example.com/bindery',
  });
  for (const script of ['backup', 'restore']) {
    t.regex((await runScript(`scripts/${script}.ts`, env)).stderr, /^BACKUP_DIR is not set: name a folder/);
    t.regex((await runScript(`scripts/${script}.ts`, other)).stderr, /^DATABASE_URL names a PostgreSQL of its own/);
  }
});

test('npm start makes no new database where there are backups of one that is gone', async (t) => {
  const { env, dataDir } = await installation();
  const folder = emptyFolder();
  baseOf(folder, 'first', { endedAt: '2026-11-01T00:00:00.000Z', startSegment: '000000010000000000000002' });
  const { code, stderr } = await runScript('scripts/start.ts', bareEnvironment({ ...env, BACKUP_DIR: folder }));
  t.is(code, 1);
  t.regex(stderr, /There is no database in .+ has backups of one: run "npm run restore"/);
  t.false(existsSync(join(dataDir, 'postgres')));
});
