// When npm start reuses its bundled workflows: for the same source, and no other.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { digestOf } from '../../scripts/start/workflows.ts';
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
