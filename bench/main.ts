// npm run bench: compares the platform with floors on this machine, in one run, and prints ratios with their aims.
// `npm run bench -- --only <name>` measures one thing: bind, actions, payments, pairs, renewals, neighbour, changes,
// get, claims, deliveries, burst, list, producers, analytics, bordereaux, deal-rooms, documents, classify, memory,
// loop or starts. How to read it: docs/benchmarks.md.
import '../scripts/help/show-help.ts';
import { parseArgs } from 'node:util';
import { compareNeighbours } from './batch-neighbour.ts';
import { compareBinds } from './bind.ts';
import { countBindActions } from './bind-actions.ts';
import { compareChanges } from './changes.ts';
import { compareClaims } from './claims.ts';
import { measureClassification } from './classify.ts';
import { compareDealRooms } from './deal-rooms.ts';
import { compareBurst } from './deliveries/burst.ts';
import { compareDeliveries } from './deliveries/deliveries.ts';
import { compareDocuments } from './documents.ts';
import { compareGets } from './get.ts';
import { compareAnalytics } from './insight/analytics.ts';
import { compareBordereaux } from './insight/bordereaux.ts';
import { compareLists, compareProducers } from './list.ts';
import { countDeadlocks } from './money-pairs.ts';
import { comparePayments } from './payments.ts';
import { compareRenewals } from './renewals.ts';
import { createSetting, type Setting } from './setting.ts';
import { compareLoop, compareMemory, compareStarts } from './steadiness.ts';
import { type Comparison, printed, printedAims } from './table.ts';

type Progress = (line: string) => void;

const COMPARISONS: Record<string, (setting: Setting, progress: Progress) => Promise<Comparison[]>> = {
  bind: compareBinds,
  actions: async (setting) => [await countBindActions(setting)],
  payments: comparePayments,
  pairs: async (setting, progress) => [await countDeadlocks(setting, progress)],
  renewals: compareRenewals,
  neighbour: async (setting, progress) => [await compareNeighbours(setting, progress)],
  changes: async (setting, progress) => [await compareChanges(setting, progress)],
  get: compareGets,
  claims: compareClaims,
  deliveries: compareDeliveries,
  burst: async (setting, progress) => [await compareBurst(setting, progress)],
  list: compareLists,
  producers: compareProducers,
  analytics: compareAnalytics,
  bordereaux: compareBordereaux,
  'deal-rooms': compareDealRooms,
  documents: compareDocuments,
  memory: compareMemory,
  loop: compareLoop,
};

/** Measures that need no platform, and no other program running beside them. */
const ALONE: Record<string, (progress: Progress) => Promise<Comparison[]>> = {
  starts: compareStarts,
  classify: async () => [measureClassification()],
};

const { values } = parseArgs({ options: { only: { type: 'string' } } });
const isChosen = ([name]: [string, unknown]) => values.only === undefined || values.only === name;
const alone = Object.entries(ALONE).filter(isChosen);
const chosen = Object.entries(COMPARISONS).filter(isChosen);

if (alone.length + chosen.length === 0) {
  console.error(`--only takes one of ${Object.keys({ ...COMPARISONS, ...ALONE }).join(', ')}`);
  process.exitCode = 2;
} else {
  await run();
}

async function run(): Promise<void> {
  const startedAt = performance.now();
  const progress: Progress = (line) =>
    process.stderr.write(`${((performance.now() - startedAt) / 1000).toFixed(0).padStart(4)} s  ${line}\n`);
  const found: Comparison[] = [];
  for (const [, compare] of alone) found.push(...(await compare(progress)));
  if (chosen.length > 0) found.push(...(await againstPlatform(progress)));
  progress('done');
  console.log(`\n${found.map(printed).join('\n\n')}\n`);
  console.log(printedAims(found));
}

async function againstPlatform(progress: Progress): Promise<Comparison[]> {
  progress('starting PostgreSQL, Temporal, api and worker');
  const setting = await createSetting('bench');
  const found: Comparison[] = [];
  try {
    for (const [, compare] of chosen) found.push(...(await compare(setting, progress)));
    return found;
  } finally {
    await setting.stop();
  }
}
