// The blocks of the README, pasted one after the other by a newcomer into one shell beside a platform that has just
// started.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { installation, start } from './installation.ts';
import { collect, ROOT } from './run-script.ts';

const README = readFileSync(join(ROOT, 'README.md'), 'utf8');
const MARK = '--- block';

/** The shell blocks from the tour to the list of commands. */
function blocks(): string[] {
  const tour = README.slice(README.indexOf('## The tour'), README.indexOf('## Commands'));
  return [...tour.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
}

test('every block of the README runs when it is pasted, and shows what the text beside it says', async (t) => {
  const place = await installation();
  const platform = await start(t, place);
  const script = blocks().flatMap((block, index) => [`printf '\\n${MARK} %s\\n' ${index}`, block]);
  const shell = spawn('bash', ['-euo', 'pipefail', '-c', script.join('\n')], { cwd: ROOT, env: place.env });
  const { code, stdout, stderr } = await collect(shell);
  t.is(code, 0, `${stdout.slice(-2_000)}\n${stderr}`);

  const outputs = stdout.split(new RegExp(`^${MARK} \\d+\\n`, 'm')).slice(1);
  const [
    ,
    tour = '',
    byCheck = '',
    byCard = '',
    reissue = '',
    life = '',
    batch = '',
    claim = '',
    person = '',
    key = '',
    insured = '',
    administrator = '',
  ] = outputs;
  t.is(outputs.length, 12, 'the blocks that the checks below are about');
  t.regex(tour, /"totalDue":4389\.64/);
  t.regex(tour, /"dueDate":"[\d-]+","total":798\.64/);
  t.regex(byCheck, /"status":"paid"/);
  t.regex(byCheck, /"amount":-100,/);
  t.regex(byCard, /"status":"paid"/);
  t.regex(reissue, /"status":"void"/);
  t.regex(life, /"premiumChange":1197,"feeChange":0,"taxChange":58\.54/);
  t.regex(batch, /"dryRun":true/);
  t.regex(claim, /"coverageFlags":\["loss_outside_term","policy_pending"\]/);
  t.regex(claim, /"note":"An arm, and a lawyer\."/);
  t.regex(person, /\{"data":\[\],"nextCursor":null\}/, 'a new producer sees nothing');
  t.regex(key, /"key":"svck_test_/);
  t.regex(insured, /"role":"policyholder"/);
  t.regex(administrator, /^usr_\w+ {2}kim@acme\.example {2}\(org_admin\)/m);
  platform.process.kill('SIGTERM');
  t.is((await platform.ended).code, 0);
});
