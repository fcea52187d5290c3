// Imported first by every script that a person runs: `--help` prints that script's head comment, which says how to
// run it and what it does, and exits before anything else is read or done.
import { readFileSync } from 'node:fs';

const [, script = '', ...args] = process.argv;

if (args.includes('--help') || args.includes('-h')) {
  const [head = ''] = /^(\/\/.*\n)+/.exec(readFileSync(script, 'utf8')) ?? [];
  console.log(head.replaceAll(/^\/\/ ?/gm, '').trimEnd());
  process.exit();
}
