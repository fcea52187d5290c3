// Random lives from beginning to end, village by village, while workers are killed: after each life the parts of its
// policies must tie out, and after each village the reconciliation must find nothing.
import { connectDatabase } from '../../db/orm.ts';
import { patientClient } from '../chaos/patient-client.ts';
import { type Platform, type Service, startPlatform } from '../faults/platform.ts';
import { eventually } from '../support/eventually.ts';
import { silentLogger } from '../support/logger.ts';
import { createTestDatabase } from '../support/servers/database.ts';
import { CARD_PROCESSOR_VARIABLES, startProviders } from '../support/servers/providers.ts';
import { TEMPORAL_VARIABLE } from '../support/servers/servers.ts';
import { LIVES_OF_A_VILLAGE, liveInVillage, type VillageReport } from './village.ts';

export interface BooksOptions {
  /** The seed of the first life; the others follow. */
  seed: number;
  lives: number;
  villagesAtATime: number;
  /** How many commands are answered between two deaths of a worker. */
  answersBetween: number;
  dataDir: string;
  report: (line: string) => void;
}

export interface BooksReport extends VillageReport {
  killed: number;
}

/** Runs it on the servers that the environment names; whatever it started is stopped in the end. */
export async function runBooks(options: BooksOptions): Promise<BooksReport> {
  const database = await createTestDatabase({ title: 'books' });
  const providers = await startProviders();
  const platform = await startPlatform({
    ...{ database, taskQueuePrefix: `books-${options.seed}` },
    temporalAddress: process.env[TEMPORAL_VARIABLE] ?? '',
    variables: {
      ...CARD_PROCESSOR_VARIABLES,
      ...{ CARD_PROCESSOR_BASE_URL: providers.processor.url, DATA_DIR: options.dataDir },
      ...{ COMMAND_DEADLINE_MS: '15000', LOG_LEVEL: process.env.BINDERY_TEST_LOG ?? 'silent' },
    },
    onLine: (line) => process.env.BINDERY_TEST_LOG && process.stderr.write(`${line}\n`),
  });
  const orm = await connectDatabase({ ...database, poolSize: 4, logger: silentLogger });
  try {
    await platform.secondWorker.start();
    providers.processor.deliverTo(`${platform.baseUrl}/v1/webhooks/stripe`);
    return await books({ platform, database, orm, processor: providers.processor }, options);
  } finally {
    await orm.close();
    await platform.stop();
    await providers.close();
  }
}

type Around = Omit<Parameters<typeof liveInVillage>[0], 'machine'>;

async function books(around: Around, options: BooksOptions): Promise<BooksReport> {
  const { seed, lives, report } = options;
  let answered = 0;
  let isOver = false;
  const machine = patientClient(
    [around.platform.baseUrl],
    async () => around.platform.config.apiSecret,
    () => {
      answered += 1;
    },
  );
  const deaths = killWorkers(
    around.platform,
    options,
    () => answered,
    () => isOver,
  );
  const total: BooksReport = { lives: 0, policies: 0, tight: 0, commands: 0, findings: [], killed: 0 };
  const queue = villagesOf(seed, lives).values();
  const takeTurns = async () => {
    for (const { village, seeds } of queue) {
      const one = await liveInVillage({ ...around, machine }, village, seeds).catch((error: Error) => ({
        ...{ lives: seeds.length, policies: 0, tight: 0, commands: 0 },
        findings: [`village ${village} (${seeds.join(', ')}): ${error.stack}`],
      }));
      for (const key of ['lives', 'policies', 'tight', 'commands'] as const) total[key] += one[key];
      total.findings.push(...one.findings);
      for (const finding of one.findings) report(finding);
      report(
        `${total.lives} lives, ${total.policies} policies, ${answered} commands, ${total.findings.length} findings`,
      );
    }
  };
  await Promise.all(Array.from({ length: options.villagesAtATime }, takeTurns));
  isOver = true;
  return { ...total, commands: answered, killed: await deaths };
}

/** The village of a life is part of its seed, so that it lives through the same days again. */
function villagesOf(seed: number, lives: number): { village: number; seeds: number[] }[] {
  const villages = new Map<number, number[]>();
  for (let each = seed; each < seed + lives; each += 1) {
    const village = Math.floor(each / LIVES_OF_A_VILLAGE);
    villages.set(village, [...(villages.get(village) ?? []), each]);
  }
  return [...villages].map(([village, seeds]) => ({ village, seeds }));
}

/** One worker after the other, each in the middle of what it does. Answers how often. */
async function killWorkers(
  { worker, secondWorker }: Platform,
  { answersBetween }: BooksOptions,
  answered: () => number,
  isOver: () => boolean,
): Promise<number> {
  let killed = 0;
  for (let next = answersBetween; !isOver(); next = answered() + answersBetween) {
    await eventually(() => isOver() || answered() >= next, { what: 'work to be done', withinMs: 600_000 });
    if (isOver()) break;
    const victim: Service = killed % 2 === 0 ? worker : secondWorker;
    await victim.kill();
    killed += 1;
    await victim.start();
  }
  return killed;
}
