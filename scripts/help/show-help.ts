// Imported first by every script that a person runs: `--help` prints the head of that script, which says how it is
// called and what it does, and ends the process before anything else has been read or done.
import { readFileSync } from 'node:fs';

const [, script = '', ...args] = process.argv;

if (args.includes('--help') || args.includes('-h')) {
  const [head = ''] = /^(\/\/.*\n)+/.exec(readFileSync(script, 'utf8')) ?? [];
  console.log(head.replaceAll(/^\/\/ ?/gm, '').trimEnd());
  process.exit();
}
