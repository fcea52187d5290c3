// When npm start reuses its bundled workflows: for the same source, and no other.
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import test from 'ava';
import { bundledIn, digestOf, folderOfBundles } from '../../scripts/start/workflows.ts';
import { emptyFolder } from './run-script.ts';

test('a changed, renamed or added file makes another digest, and the same files make the same', (t) => {
  const root = emptyFolder();
  mkdirSync(join(root, 'workflows/machinery'), { recursive: true });
  const write = (path: string, text: string) => writeFileSync(join(root, path), text);
  const digest = () => digestOf(root, ['lock.json', 'workflows']);
  write('lock.json', '{}');
  write('workflows/policy.ts', 'a');
  write('workflows/machinery/saga.ts', 'b');
  const first = digest();
  const seen = new Set([first]);
  t.is(digest(), first);

  const changes = [
    () => write('workflows/machinery/saga.ts', 'c'),
    () => write('workflows/notice.ts', ''),
    () => renameSync(join(root, 'workflows/notice.ts'), join(root, 'workflows/notices.ts')),
    () => write('lock.json', '{"a":1}'),
  ];
  for (const change of changes) {
    change();
    seen.add(digest());
  }
  t.is(seen.size, 5);
});

const DAY_MS = 86_400_000;

test('a second start bundles nothing, and what no start has used for a month is removed', async (t) => {
  const folder = folderOfBundles({ XDG_CACHE_HOME: emptyFolder() }, emptyFolder());
  const [of31Days, of29Days] = [join(folder, 'of31Days.js'), join(folder, 'of29Days.js')];
  const aged = (path: string, days: number) => utimesSync(path, new Date(), new Date(Date.now() - days * DAY_MS));
  for (const path of [of31Days, of29Days]) writeFileSync(path, '');
  aged(of31Days, 31);
  aged(of29Days, 29);
  const path = await bundledIn(folder, t.log);
  t.regex(readFileSync(path, 'utf8'), /policyWorkflow/);
  t.deepEqual(readdirSync(folder).sort(), [basename(path), 'of29Days.js'].sort());

  writeFileSync(path, 'kept');
  aged(path, 29);
  t.is(await bundledIn(folder, t.log), path);
  t.is(readFileSync(path, 'utf8'), 'kept');
  t.true(Date.now() - statSync(path).mtimeMs < DAY_MS, 'it is in use');
});

test('without a cache folder that can be written, an installation keeps its own bundle', (t) => {
  const [dataDir, file] = [emptyFolder(), join(emptyFolder(), 'a-file')];
  writeFileSync(file, '');
  t.is(folderOfBundles({ XDG_CACHE_HOME: file }, dataDir), join(dataDir, 'workflows'));
});
