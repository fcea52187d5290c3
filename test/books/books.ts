// Random lives from start to finish, village by village, while workers are killed: after each life its policies' parts
// must tie out, and after each village reconciliation must find nothing.
import { onDyingWorkers } from '../faults/dying-workers.ts';
import { type BooksSurroundings, openOwnerRows } from './owner-rows.ts';
import { count } from './tally.ts';
import { LIVES_OF_A_VILLAGE, liveInVillage, type VillageReport } from './village.ts';

export interface BooksOptions {
  /** The first life's seed; the others follow. */
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
  commands: number;
}

/** Runs it on the servers that the environment names; stops whatever it started. */
export async function runBooks(options: BooksOptions): Promise<BooksReport> {
  const { seed, answersBetween, dataDir } = options;
  const { result, killed } = await onDyingWorkers(
    { title: `books-${seed}`, answersBetween, dataDir, deliversEvents: false },
    async (around) => {
      const rows = openOwnerRows(around.database.ownerUrl);
      return books({ ...around, rows }, options).finally(rows.close);
    },
  );
  return { ...result, killed };
}

const NOTHING = { lives: 0, policies: 0, tight: 0, compared: 0 };

async function books(around: BooksSurroundings, { seed, lives, villagesAtATime, report }: BooksOptions) {
  const total: VillageReport = { ...NOTHING, deeds: new Map(), findings: [] };
  const queue = villagesOf(seed, lives).values();
  const takeTurns = async () => {
    for (const { village, seeds } of queue) {
      const one = await liveInVillage(around, village, seeds).catch((error: Error) => ({
        ...{ ...NOTHING, lives: seeds.length, deeds: new Map<string, number>() },
        findings: [`village ${village} (${seeds.join(', ')}): ${error.stack}`],
      }));
      for (const key of ['lives', 'policies', 'tight', 'compared'] as const) total[key] += one[key];
      for (const [kind, times] of one.deeds) count(total.deeds, kind, times);
      total.findings.push(...one.findings);
      for (const finding of one.findings) report(finding);
      const { findings } = total;
      report(
        `${total.lives} lives, ${total.policies} policies, ${around.answered()} commands, ${findings.length} findings`,
      );
    }
  };
  await Promise.all(Array.from({ length: villagesAtATime }, takeTurns));
  return { ...total, commands: around.answered() };
}

/** A life's village is part of its seed, so that it lives through the same days again. */
function villagesOf(seed: number, lives: number): { village: number; seeds: number[] }[] {
  const villages = new Map<number, number[]>();
  for (let each = seed; each < seed + lives; each += 1) {
    const village = Math.floor(each / LIVES_OF_A_VILLAGE);
    villages.set(village, [...(villages.get(village) ?? []), each]);
  }
  return [...villages].map(([village, seeds]) => ({ village, seeds }));
}
