// The README's blocks, pasted one after another by a newcomer into one shell next to a platform that has just started.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { ROUTES } from '../../api/routes/index.ts';
import { requiredScope } from '../../domain/access/scopes.ts';
import { type Installation, installation, start } from './installation.ts';
import { collect, ROOT, runScript } from './run-script.ts';

const README = readFileSync(join(ROOT, 'README.md'), 'utf8');
const MARK = '--- block';
const NUMBERS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

const shellBlocks = (text: string): string[] =>
  [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);

/** The shell blocks from the tour to the list of commands. */
const blocks = () => shellBlocks(README.slice(README.indexOf('## The tour'), README.indexOf('## Commands')));

/** The guides whose blocks a reader pastes after the tour, and what those take for granted. */
const GUIDES = ['getting-started', 'money-and-idempotency', 'paging', 'test-clock'];
const READER = `eval "$(npm run --silent shell)"
get() { curl -sS "$API$1" -H "X-API-Key: $KEY"; }
first() { node -p "JSON.parse(require('fs').readFileSync(0)).$1"; }
INVOICE=$(get '/invoices?status=open' | first 'data.find(({ balance }) => balance >= 399).id')
NEXT=$(get '/invoices?limit=1' | first nextCursor)`;

/** The figures in a README sentence, in order: `3,990.00` and `ten` are numbers. */
function figuresOf(sentence: RegExp): number[] {
  const [, ...texts] = sentence.exec(README) ?? [];
  return texts.map((text) => (NUMBERS.includes(text) ? NUMBERS.indexOf(text) : Number(text.replaceAll(',', ''))));
}

/** The JSON answers that a block printed, one per line. */
function answersIn(output: string): Record<string, unknown>[] {
  return output.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));
}

/** The variables of a terminal next to the one that started the platform: it knows the data folder, but no port. */
function secondTerminal({ env }: Installation): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/PORT$/.test(name)));
}

interface Quote {
  grossPremium: number;
  fees: { amount: number }[];
  taxes: { amount: number }[];
  totalDue: number;
}

test('every block of the README and the guides runs when it is pasted, and shows what the text beside it says', async (t) => {
  const place = await installation();
  const platform = await start(t, place);
  const script = blocks().flatMap((block, index) => [`printf '\\n${MARK} %s\\n' ${index}`, block]);
  const env = secondTerminal(place);
  const shell = spawn('bash', ['-euo', 'pipefail', '-c', script.join('\n')], { cwd: ROOT, env });
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
    form = '',
    producer = '',
    person = '',
    key = '',
    insured = '',
    administrator = '',
  ] = outputs;
  t.is(outputs.length, 14, 'the blocks that the checks below are about');
  const [, quote, bind] = answersIn(tour) as unknown as [object, Quote, { invoices: { total: number }[] }];
  t.deepEqual(
    [quote.grossPremium, ...[...quote.fees, ...quote.taxes].map(({ amount }) => amount), quote.totalDue],
    figuresOf(/shows (\S+) premium, (\S+) fee, (\S+) tax and (\S+) stamping fee: (\S+) in all/),
  );
  const [invoices = 0, firsts = 0, first = 0, others = 0, other = 0] = figuresOf(
    /(\w+) invoices, (\w+) of (\S+) and (\w+) of (\S+)\./,
  );
  t.is(bind.invoices.length, invoices);
  t.deepEqual(
    bind.invoices.map(({ total }) => total),
    [...Array(firsts).fill(first), ...Array(others).fill(other)],
  );
  t.regex(byCheck, /"status":"paid"/);
  t.regex(byCheck, /"amount":-100,/);
  t.regex(byCard, /"status":"paid"/);
  t.regex(reissue, /"status":"void"/);
  const [change] = answersIn(life) as { premiumChange: number; taxChange: number }[];
  t.deepEqual([change?.premiumChange, change?.taxChange], figuresOf(/# (\S+) more premium, (\S+) more tax/));
  t.regex(batch, /"dryRun":true/);
  t.regex(claim, /"coverageFlags":\["loss_outside_term","policy_pending"\]/);
  t.regex(claim, /"note":"An arm, and a lawyer\."/);
  ensureFormIsRead(t, form);
  ensureProducerEarns(t, producer);
  t.regex(person, /\{"data":\[\],"nextCursor":null\}/, 'a new producer sees nothing');
  t.regex(key, /"key":"svck_test_/);
  t.regex(insured, /"role":"policyholder"/);
  t.regex(administrator, /^usr_\w+ {2}kim@acme\.example {2}\(org_admin\)/m);

  await pasteGuides(t, env);
  // By now the guides have moved the organization's test clock.
  await runDemo(t, env);
  await pasteTourAgain(t, env);
  platform.process.kill('SIGTERM');
  t.is((await platform.ended).code, 0);
});

/** The form lacks only the limit, and is complete with it. */
function ensureFormIsRead(t: ExecutionContext, form: string): void {
  const [incomplete, completed] = answersIn(form);
  t.like(incomplete, { insuredName: 'Lone Star Bakery LLC', status: 'incomplete', missingFields: ['requestedLimit'] });
  t.like(completed, { status: 'triaged', requestedLimit: 1_000_000, missingFields: [] });
}

/** A verified and appointed producer sells without a referral, and earns what the text says. */
function ensureProducerEarns(t: ExecutionContext, producer: string): void {
  const [, appointment = {}, , offered, , , commissions] = answersIn(producer);
  t.false('warning' in appointment, 'by the carrier of the contract');
  t.like(offered, { bindable: true, daFlags: [] });
  const [agentCommission = 0, percent = 0, grossPremium = 0] = figuresOf(
    /# (\S+) for the agent: (\S+) percent of (\S+)/,
  );
  t.is(agentCommission, (grossPremium * percent) / 100);
  t.like((commissions as { data: object[] }).data[0], { type: 'earned', grossPremium, agentCommission });
}

/** Runs the demo to the end: it shows the tour's figures and skips nothing. */
async function runDemo(t: ExecutionContext, env: NodeJS.ProcessEnv): Promise<void> {
  const { code, stdout, stderr } = await runScript('scripts/demo.ts', env);
  t.is(code, 0, stderr);
  for (const shown of ['3,990.00', '4,389.64', 'Now a claim.', 'Now a year of a small book of business.']) {
    t.true(stdout.includes(shown), shown);
  }
  t.false(stdout.includes('Left out'));
}

/** Pastes the first steps of the tour: a risk that starts two weeks after the organization's date is bound. */
async function pasteTourAgain(t: ExecutionContext, env: NodeJS.ProcessEnv): Promise<void> {
  const script = blocks().slice(0, 2).join('\n');
  const { code, stdout, stderr } = await collect(spawn('bash', ['-euo', 'pipefail', '-c', script], { cwd: ROOT, env }));
  t.is(code, 0, `${stdout.slice(-2_000)}\n${stderr}`);
}

/** Pastes the blocks of the guides, as a reader does after the tour. */
async function pasteGuides(t: ExecutionContext, env: NodeJS.ProcessEnv): Promise<void> {
  const pasted = GUIDES.flatMap((guide) => shellBlocks(readFileSync(join(ROOT, `docs/guides/${guide}.md`), 'utf8')));
  const reader = spawn('bash', ['-euo', 'pipefail', '-c', [READER, ...pasted].join('\n')], {
    ...{ cwd: ROOT, env },
  });
  const inThreeMonths = () => new Date(Date.now() + 92 * 864e5).toISOString().slice(0, 10);
  const before = inThreeMonths();
  const read = await collect(reader);
  t.is(read.code, 0, read.stderr);
  t.true(pasted.length > GUIDES.length);
  t.is(/\{"error":.*/.exec(read.stdout)?.[0].slice(0, 500), undefined);
  for (const said of ['"amount":399,', '"dueDate":']) t.true(read.stdout.includes(said), said);
  // The reader may have moved it before or after midnight.
  const moved = [before, inThreeMonths()].map((date) => `"date":"${date}"`);
  t.true(
    moved.some((said) => read.stdout.includes(said)),
    moved[0],
  );
}

const closed = ROUTES.flatMap(({ access, tag }) =>
  access.kind !== 'open' && requiredScope(access.action) === null ? [{ tag, permission: access.action }] : [],
);

/** What the README says about the operations under each tag of the document that no API key may call. */
const SUBJECTS: Readonly<Record<string, string>> = {
  Submissions: 'submissions: clearances of names on the sanctions list',
  Claims: 'claims: denials, approvals, payments, recoveries, held payees and deposits to loss funds',
  Billing: 'money: decisions on refunds, billing holds, bank statements, reconciliations, journals',
  Producers: 'producers: members and commission terms',
  Referrals: 'referrals: decisions and delegations',
  'Delegated authority': 'authority contracts',
  Rates: 'rate tables and commission schedules',
  Portal: 'the portal of policyholders',
  Audit: 'the audit log, kept requests',
  'Test clock': 'the test clock',
  'API keys': 'API keys,',
  Users: 'users, permissions',
  Organizations: 'organizations and',
  Platform: 'payloads of workflows',
};

test('the README says under which subjects operations are closed to API keys', (t) => {
  t.deepEqual([...new Set(closed.map(({ tag }) => tag))].sort(), Object.keys(SUBJECTS).sort());
  const said = README.slice(README.indexOf('it gets 403 where'), README.indexOf('has the permissions behind'));
  for (const text of Object.values(SUBJECTS)) t.true(said.includes(text), text);
});

test('the guide to authentication names every permission that no API key has, and no other', (t) => {
  const guide = readFileSync(join(ROOT, 'docs/guides/authentication.md'), 'utf8');
  const rows = guide.slice(guide.indexOf('### What no API key may do')).match(/^\|.*$/gm) ?? [];
  const named = rows.flatMap((row) => [...row.matchAll(/`(\w+:\w+)`/g)].map(([, permission = '']) => permission));
  t.deepEqual(named.sort(), [...new Set(closed.map(({ permission }) => permission as string))].sort());
});
