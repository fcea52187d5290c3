// npm run ops -- list | retry <workflowId> | retry --all [--org <id>] | skip <workflowId> --reason "…" (these three:
// --operator <name>)
// | heal [--org <id>] [--dry-run] | where <id or number> | tenant <organization> | who <id> | renewals | trust | slow
// | webhooks | letters | documents | limited | rebuild-facts [--org <id>] | print-again [--org <id>]: lists the
// workflows that wait for an operator, carries out a decision, restarts lost workflows, rebuilds the analytics sums,
// requests refused documents again, and answers operators' questions. Runs against the platform of `npm start`, or the
// servers at TEMPORAL_ADDRESS, DATABASE_APP_URL and DATABASE_OPS_URL. Exits with 1 if nothing was decided, with 2 if a
// server was unreachable.
import './help/show-help.ts';
import { userInfo } from 'node:os';
import { parseArgs } from 'node:util';
import { connectTemporal, type TemporalLink } from '../api/engine/temporal.ts';
import { loadSupervisorConfig, type SupervisorConfig } from '../config.ts';
import { ID_PREFIXES, isId } from '../domain/ids.ts';
import { environmentOfRunning } from './env-file.ts';
import { ask, locateTenant, named } from './ops/ask.ts';
import { heal, healed } from './ops/heal.ts';
import { operatorOf } from './ops/operator.ts';
import { printAgain } from './ops/print-again.ts';
import { isQuestion, QUESTIONS } from './ops/questions.ts';
import { rebuildFacts } from './ops/rebuild-facts.ts';
import { USAGE } from './ops/usage.ts';
import { decide, listRetrying, listWaiting, NotWaiting, retryWaiting } from './ops/waiting.ts';
import { whereaboutsOf } from './ops/whereabouts.ts';
import { keptPayloadKeys } from './start/payload-keys.ts';

const DECIDING = `Repair the cause, then "npm run ops -- retry <workflow>", or "retry --all". "skip <workflow> --reason …" goes on without the step.`;
const OPTIONS = {
  reason: { type: 'string' },
  org: { type: 'string' },
  operator: { type: 'string' },
  'dry-run': { type: 'boolean' },
  all: { type: 'boolean' },
} as const;

// A reader such as `head` has all it wanted.
process.stdout.on('error', () => process.exit());

try {
  await main(loadSupervisorConfig(environmentOfRunning()));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = error instanceof NotWaiting ? 1 : 2;
}

async function main(config: SupervisorConfig): Promise<void> {
  const { positionals, values } = parseArgs({ options: OPTIONS, allowPositionals: true });
  const [order = '', workflowId] = positionals;
  if (await isAnswered(config, order, workflowId)) return;
  if (order === 'rebuild-facts' && workflowId === undefined) return rebuildFacts(config, values.org);
  if (order === 'print-again' && workflowId === undefined) return printAgain(config, values.org);
  const needsWorkflow = order === 'retry' || order === 'skip' || order === 'where';
  const isForAll = order === 'retry' && values.all === true && workflowId === undefined;
  const isKnown =
    order === 'list' || order === 'heal' || isForAll || (needsWorkflow && workflowId !== undefined && !values.all);
  if (!isKnown) throw new Error(USAGE);
  if (order === 'skip' && !values.reason) throw new Error(`Skipping a step needs a --reason.\n${USAGE}`);
  const decider = () => operatorOf(values.operator ?? config.operator ?? userInfo().username);
  const operator = order === 'retry' || order === 'skip' ? decider() : '';
  const link = await connect(config);
  try {
    if (order === 'list') await list(link);
    else if (order === 'heal') await healAll(link, config.taskQueuePrefix, values);
    else if (isForAll) await retryAll(link, operator, values.org);
    else if (order === 'where' && workflowId !== undefined) await locate(config, link, workflowId);
    else if (workflowId !== undefined)
      await send(link, workflowId, { kind: order as 'retry' | 'skip', operator, reason: values.reason });
  } finally {
    await link.close();
  }
}

/** Answers questions about rows; returns whether the command was one. */
async function isAnswered(config: SupervisorConfig, order: string, id: string | undefined): Promise<boolean> {
  if (order === 'tenant' && id !== undefined) await locateTenant(config, id);
  else if (isQuestion(order) && (id !== undefined) === 'takes' in QUESTIONS[order]) await ask(config, order, id);
  else return false;
  return true;
}

async function locate(config: SupervisorConfig, { client }: TemporalLink, text: string): Promise<void> {
  if (!/^[\w-]+$/.test(text)) throw new NotWaiting(`"${text}" is neither an id nor a number.`);
  const entityIds = await named(config, text);
  const found = await whereaboutsOf(client, entityIds);
  for (const { workflowId, status, trouble, details, startedAt, events, bytes } of found) {
    console.log(`${workflowId}\n  ${status}${trouble && `, ${trouble}`}`);
    for (const line of details.split('\n').filter((each) => each !== '')) console.log(`  ${line}`);
    console.log(`  started: ${startedAt.toISOString()}, ${events} events in its history, ${bytes} bytes`);
  }
  if (found.length > 0) return;
  if (entityIds.length === 1 && !/^[a-z]{2,4}_[0-9a-z]{26}$/.test(text))
    throw new NotWaiting(`Nothing here has the id or the number ${text}.`);
  console.log(`No workflow belongs to ${text}: "npm run ops -- heal --dry-run" says what is missing.`);
}

async function healAll(
  { client }: TemporalLink,
  prefix: string,
  { org, 'dry-run': isDryRun = false }: { org?: string; 'dry-run'?: boolean },
): Promise<void> {
  const result = await heal(client, prefix, { isDryRun, ...(org === undefined ? {} : { orgId: org }) });
  console.log(healed(result, isDryRun));
}

async function connect(config: SupervisorConfig): Promise<TemporalLink> {
  const address = config.temporalAddress ?? `127.0.0.1:${config.temporalPort}`;
  const payloadKeys = keptPayloadKeys(config);
  // A decision needs a reason in a person's own words.
  if (payloadKeys.length === 0 && config.environment !== 'local') throw new Error('PAYLOAD_KEYS is missing.');
  const link = await connectTemporal({ ...config, temporalAddress: address, payloadKeys });
  if (link.availability.isUp()) return link;
  await link.close();
  throw new Error(`Temporal does not answer at ${address}: run "npm start" first, or set TEMPORAL_ADDRESS.`);
}

async function list({ client }: TemporalLink): Promise<void> {
  const waiting = await listWaiting(client);
  for (const { workflowId, startedAt, step, message } of waiting) {
    console.log(`${workflowId}\n  waits at: ${step}\n  because: ${message}\n  started: ${startedAt.toISOString()}`);
  }
  const retrying = await listRetrying(client);
  for (const { workflowId, startedAt, step, message } of retrying) {
    console.log(`${workflowId}\n  fails at: ${step}\n  now: ${message}\n  started: ${startedAt.toISOString()}`);
  }
  const waits = waiting.length === 1 ? '1 workflow waits' : `${waiting.length} workflows wait`;
  const failing = retrying.length === 0 ? '' : `, ${retrying.length} try a failing step again by themselves`;
  console.log(`${waits} for an operator${failing}`);
  if (waiting.length > 0) console.log(DECIDING);
}

async function retryAll({ client }: TemporalLink, operator: string, orgId: string | undefined): Promise<void> {
  if (orgId !== undefined && !isId(orgId, ID_PREFIXES.organization))
    throw new Error(`${orgId} is not an organization id.`);
  const steps = await retryWaiting(client, operator, orgId);
  for (const { workflowId, step } of steps) console.log(`${workflowId}: ${step} is tried again`);
  console.log(`${steps.length} tried again. "npm run ops -- list" shows what waits again.`);
}

async function send(
  { client }: TemporalLink,
  workflowId: string,
  { kind, operator, reason }: { kind: 'retry' | 'skip'; operator: string; reason: string | undefined },
): Promise<void> {
  const step = await decide(client, workflowId, { kind, operator, ...(reason === undefined ? {} : { reason }) });
  const done = kind === 'retry' ? 'is tried again' : 'is skipped';
  console.log(`${step} ${done}, by ${operator}. "npm run ops -- list" shows whether it waits again.`);
}
