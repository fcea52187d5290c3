// A platform with two workers that are killed in turn, and optionally a Temporal server too, each in the middle of its
// work, while a patient caller keeps it busy: random lives run on it.
import { connectDatabase } from '../../db/orm.ts';
import { type PatientClient, patientClient } from '../chaos/patient-client.ts';
import { eventually } from '../support/eventually.ts';
import { silentLogger } from '../support/logger.ts';
import { createTestDatabase, type TestDatabase } from '../support/servers/database.ts';
import { CARD_PROCESSOR_VARIABLES, startProviders, type TestProviders } from '../support/servers/providers.ts';
import { TEMPORAL_VARIABLE } from '../support/servers/servers.ts';
import type { OwnTemporal } from './own-temporal.ts';
import { type Platform, type Service, startPlatform } from './platform.ts';

export interface Surroundings {
  platform: Platform;
  /** With the machine secret. */
  machine: PatientClient;
  processor: TestProviders['processor'];
  database: TestDatabase;
  orm: Awaited<ReturnType<typeof connectDatabase>>;
  /** How many commands have been answered so far. */
  answered: () => number;
  /** Once it resolves, nothing is killed any longer. */
  calm: () => Promise<void>;
}

export interface DyingWorkersOptions {
  /** Names the database and the task queues. */
  title: string;
  /** How many commands are answered between two deaths of a worker. */
  answersBetween: number;
  dataDir: string;
  /** Whether events and e-mail go out; on by default. */
  deliversEvents?: boolean;
  /** A running server to kill in turn too; by default the one from the environment is left alive. */
  temporal?: OwnTemporal | undefined;
}

/** Runs on the servers that the environment names; stops whatever it started. */
export async function onDyingWorkers<R>(
  { title, answersBetween, dataDir, deliversEvents = true, temporal }: DyingWorkersOptions,
  work: (around: Surroundings) => Promise<R>,
): Promise<{ result: R; killed: number }> {
  const database = await createTestDatabase({ title });
  const providers = await startProviders();
  const platform = await startPlatform({
    ...{ database, taskQueuePrefix: title },
    temporalAddress: temporal?.address ?? process.env[TEMPORAL_VARIABLE] ?? '',
    printsDocuments: false,
    deliversEvents,
    variables: {
      ...CARD_PROCESSOR_VARIABLES,
      ...{ CARD_PROCESSOR_BASE_URL: providers.processor.url, DATA_DIR: dataDir },
      ...{ COMMAND_DEADLINE_MS: '15000', LOG_LEVEL: process.env.BINDERY_TEST_LOG ?? 'silent' },
    },
    onLine: (line) => process.env.BINDERY_TEST_LOG && process.stderr.write(`${line}\n`),
  });
  const orm = await connectDatabase({ ...database, poolSize: 4, logger: silentLogger });
  try {
    await platform.secondWorker.start();
    providers.processor.deliverTo(`${platform.baseUrl}/v1/webhooks/stripe`);
    let count = 0;
    let isOver = false;
    const remember = () => {
      count += 1;
    };
    const machine = patientClient([platform.baseUrl], async () => platform.config.apiSecret, remember);
    const answered = () => count;
    const { worker, secondWorker } = platform;
    const victims = [worker, secondWorker, ...(temporal === undefined ? [] : [temporal])];
    const deaths = killInTurn(victims, { answersBetween, answered, isOver: () => isOver });
    const calm = async () => {
      isOver = true;
      // A worker that is still starting must not outlive the platform.
      await deaths;
    };
    const around = { platform, machine, processor: providers.processor, database, orm, answered, calm };
    const result = await work(around).finally(calm);
    return { result, killed: await deaths };
  } finally {
    await orm.close();
    await platform.stop();
    await providers.close();
  }
}

interface Deaths {
  answersBetween: number;
  answered: () => number;
  isOver: () => boolean;
}

/** Kills one victim after another. Returns the number of kills. */
async function killInTurn(victims: readonly Pick<Service, 'start' | 'kill'>[], deaths: Deaths): Promise<number> {
  const { answersBetween, answered, isOver } = deaths;
  let killed = 0;
  for (let next = answersBetween; !isOver(); next = answered() + answersBetween) {
    await eventually(() => isOver() || answered() >= next, { what: 'work to be done', withinMs: 600_000 });
    if (isOver()) break;
    const victim = victims[killed % victims.length];
    if (victim === undefined) break;
    await victim.kill();
    killed += 1;
    await victim.start();
  }
  return killed;
}
