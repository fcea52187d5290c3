// Chaos from start to finish: the parts come up, insureds live their lives while accidents happen, all lives end, and
// then everything is counted.
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { connectTemporal } from '../../api/engine/temporal.ts';
import { connectDatabase } from '../../db/orm.ts';
import { trustFigures } from '../../db/queries/billing/trust.ts';
import { trustFindings } from '../../domain/billing/ledger/trust.ts';
import { heal } from '../../scripts/ops/heal.ts';
import { listWaiting } from '../../scripts/ops/waiting.ts';
import { Rows } from '../faults/bind.ts';
import { eventually } from '../support/eventually.ts';
import { silentLogger } from '../support/logger.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { signToken } from '../support/tokens.ts';
import { causeAccidents, type Tally } from './accidents.ts';
import { receiptFindings, rowFindings } from './account.ts';
import { keepReconciling } from './auditor.ts';
import { dice } from './dice.ts';
import { live } from './life.ts';
import { type Parts, startParts, TASK_QUEUE_PREFIX } from './parts.ts';
import { type Answered, type PatientClient, patientClient, repeat } from './patient-client.ts';
import { readingFindings } from './readings.ts';

const AT_A_TIME = 6;
/** An organization may write a million and a half of premium, at four thousand per policy. */
const LIVES_OF_AN_ORGANIZATION = 150;
const REPEATS_AT_A_TIME = 8;

export interface ChaosOptions {
  seed: number;
  longestFreezeMs: number;
  /** How many commands are answered between two accidents. */
  answersBetween: number;
  /** Checked between accidents: whether to stop causing them. */
  isOver: (accidents: number) => boolean;
  report: (line: string) => void;
}

export interface ChaosReport {
  seed: number;
  lives: number;
  commands: number;
  /** Commands that were sent more than once. */
  sentAgain: number;
  slowestMs: number;
  accidents: Tally;
  /** What went wrong, one sentence each; empty when all is well. */
  findings: string[];
}

/** Runs it, and stops whatever it started. */
export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const parts = await startParts(options.report);
  try {
    return await chaosIn(parts, options);
  } finally {
    await parts.stop();
  }
}

async function chaosIn(parts: Parts, options: ChaosOptions): Promise<ChaosReport> {
  const { seed, report } = options;
  const answered: Answered[] = [];
  const findings: string[] = [];
  const machine = patientClient(
    parts.apiUrls,
    async () => parts.config.apiSecret,
    (each) => answered.push(each),
  );
  let isOver = false;
  const crowd = liveOn({ parts, seed, machine, findings, isOver: () => isOver });
  const audit = keepReconciling(parts, () => isOver);
  const accidents = await causeAccidents({
    ...options,
    dice: dice(seed),
    parts: parts.all,
    answered: () => answered.length,
  }).catch((error: Error) => {
    findings.push(`A part did not recover: ${error.message}`);
    return {};
  });
  isOver = true;
  const [lives] = await Promise.all([crowd, audit]);
  report(`${lives} lives have ended, ${answered.length} commands were answered; counting`);
  findings.push(...(await findingsIn(parts, answered)));
  const readerOf = (org: string) => machine.within(() => signToken(parts.config, { role: 'org_admin', org }));
  findings.push(...(await readingFindings(new Rows(parts.database.ownerUrl), readerOf)));
  const sentAgain = answered.filter(({ attempts }) => attempts > 1).length;
  const slowestMs = Math.max(...answered.map(({ tookMs }) => Math.round(tookMs)));
  return { seed, lives, commands: answered.length, sentAgain, slowestMs, accidents, findings };
}

interface Crowd {
  parts: Parts;
  seed: number;
  machine: PatientClient;
  findings: string[];
  isOver: () => boolean;
}

/**
 * Runs a fixed number of lives at a time; the last ones end after the run is over. Returns how many lives there were.
 */
async function liveOn({ parts, seed, machine, findings, isOver }: Crowd): Promise<number> {
  const organizations = new Map<number, Promise<PatientClient>>();
  const found = async (number: number) => {
    const { id: org } = await machine.command('/v1/organizations', { name: `Chaos ${number}`, tier: 'enterprise' });
    return machine.within(() => signToken(parts.config, { role: 'org_admin', org }));
  };
  let lives = 0;
  const one = async () => {
    while (!isOver()) {
      const number = lives++;
      const place = Math.floor(number / LIVES_OF_AN_ORGANIZATION);
      const client = organizations.get(place) ?? found(place);
      organizations.set(place, client);
      const { processor } = parts.providers;
      const life = { processor, insuredName: `Chaos Diner ${number}`, dice: dice(seed + number + 1) };
      await client
        .then((given) => live({ ...life, client: given }))
        .catch((error: Error) => findings.push(error.message));
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, one));
  return lives;
}

async function findingsIn(parts: Parts, answered: readonly Answered[]): Promise<string[]> {
  const rows = new Rows(parts.database.ownerUrl);
  const settled = parts.providers.processor.settled().then(() => true);
  const isSettled = await Promise.race([settled, delay(PATIENCE_MS, false, { ref: false })]);
  const repeated = await repeatFindings(parts, answered);
  const left = await workLeft(rows);
  return [
    ...(isSettled ? [] : ['events of the card processor could not be delivered', ...undelivered(parts)]),
    ...left,
    ...repeated,
    ...(await rowFindings(rows, answered)),
    ...(await receiptFindings(rows, parts.dataDir)),
    ...(await trustFindingsOf(parts, rows)),
    ...(await engineFindings(parts)),
  ];
}

/** The events that were never accepted, with the answers they got. */
function undelivered({ providers: { processor } }: Parts): string[] {
  const attempts = Map.groupBy(processor.deliveries(), ({ eventId }) => eventId);
  return processor.events().flatMap(({ id, type }) => {
    const statuses = (attempts.get(id) ?? []).map(({ status }) => status ?? 'nothing');
    const isTaken = statuses.some((status) => Number(status) >= 200 && Number(status) < 300);
    return isTaken ? [] : [`${type} ${id} was answered ${statuses.join(', ') || 'never'}`];
  });
}

/** Repeats every command: the answer must be as before, from the stored one. */
async function repeatFindings({ apiUrls }: Parts, answered: readonly Answered[]): Promise<string[]> {
  const findings: string[] = [];
  const queue = [...answered];
  const one = async () => {
    for (let command = queue.shift(); command !== undefined; command = queue.shift()) {
      const { status, body, isReplay } = await repeat(apiUrls, command);
      const isSame = status === command.answer.status && isDeepStrictEqual(body, command.answer.body);
      if (!isReplay || !isSame) findings.push(`${command.path} was answered in another way when it was repeated`);
    }
  };
  await Promise.all(Array.from({ length: REPEATS_AT_A_TIME }, one));
  return findings;
}

/** Waits for what follows from payments, which goes on after the answers. */
async function workLeft(rows: Rows): Promise<string[]> {
  const isDone = async () => (await rows.query('select 1 from payments where saga_ended_at is null')).length === 0;
  return eventually(isDone, { what: 'every payment to come to its end', withinMs: 2 * PATIENCE_MS }).then(
    () => [],
    (error: Error) => [error.message],
  );
}

async function trustFindingsOf({ config }: Parts, rows: Rows): Promise<string[]> {
  const { databaseAppUrl: appUrl, databaseOpsUrl: opsUrl } = config;
  const database = await connectDatabase({ appUrl, opsUrl, poolSize: 2, logger: silentLogger });
  try {
    const findings: string[] = [];
    for (const { id } of await rows.query<{ id: string }>('select id from organizations')) {
      const wrong = trustFindings(await database.forOrg(id, trustFigures));
      findings.push(...wrong.map((what) => `the trust of ${id} does not reconcile: ${what}`));
    }
    return findings;
  } finally {
    await database.close();
  }
}

/**
 * Every workflow that a row needs is running, and none waits for an operator. The start of a term's workflow, which
 * nobody waits for, may be lost with its worker: healing makes it (docs/decisions/0026).
 */
async function engineFindings({ config }: Parts): Promise<string[]> {
  const { client, close } = await connectTemporal(config);
  try {
    const lost = await heal(client, TASK_QUEUE_PREFIX, { isDryRun: false });
    const others = lost.workflowIds.filter((workflowId) => !workflowId.startsWith('policy/'));
    const { missing, workflowIds, checked } = await heal(client, TASK_QUEUE_PREFIX, { isDryRun: true });
    const waiting = await listWaiting(client);
    return [
      ...(checked === 0 ? ['no row needs a workflow'] : []),
      ...(others.length > 0 ? [`workflows that are started before the answer were lost: ${others.join(', ')}`] : []),
      ...(missing > 0 ? [`${missing} workflows do not run: ${workflowIds.slice(0, 3).join(', ')}`] : []),
      ...waiting.map(({ workflowId, step, message }) => `${workflowId} waits at ${step}: ${message}`),
    ];
  } finally {
    await close();
  }
}
