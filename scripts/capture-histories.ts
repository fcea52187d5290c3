// npm run histories [-- name …]: plays every story of the workflows once and writes the histories to test/histories,
// where the replay test checks the workflow code against them. Run it when a workflow gets a new path; keep the old
// files, since they must still replay.
import './help/show-help.ts';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { startSurroundings } from '../test/support/servers/surroundings.ts';
import { readableHistory } from '../test/workflows/readable-history.ts';
import { type Engine, runEngine } from '../test/workflows/run-engine.ts';
import { startServerWithShortHistories } from '../test/workflows/short-histories.ts';
import { STORIES } from '../test/workflows/stories/stories.ts';
import type { HistoryName } from '../test/workflows/stories/story.ts';

const FOLDER = join(import.meta.dirname, '../test/histories');
/** Low enough that one story continues as new, high enough that most do not. */
const EVENTS_BEFORE_CONTINUATION = 60;

const names = process.argv.slice(2);
const stories = Object.entries(STORIES).filter(([name]) => names.length === 0 || names.includes(name));

const folder = mkdtempSync(join(tmpdir(), 'bindery-histories-'));
const surroundings = await startSurroundings(folder);
Object.assign(process.env, surroundings.variables);
const server = await startServerWithShortHistories(EVENTS_BEFORE_CONTINUATION);
const engine = await runEngine({ temporalAddress: server.address });
try {
  mkdirSync(FOLDER, { recursive: true });
  for (const [name, record] of stories) {
    const recorded = await record(await engine.organization(), engine);
    for (const history of recorded) await capture(engine, name, history);
  }
} finally {
  await engine.close();
  await server.stop();
  await surroundings.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function capture({ temporal }: Engine, story: string, { workflowId, runId, suffix }: HistoryName): Promise<void> {
  const handle = temporal.client.workflow.getHandle(workflowId, runId);
  const history = await readableHistory(JSON.parse(historyToJSON(await handle.fetchHistory())));
  const file = `${story}${suffix ? `-${suffix}` : ''}.json`;
  writeFileSync(join(FOLDER, file), `${JSON.stringify({ workflowId, history }, null, 1)}\n`);
  console.log(`test/histories/${file}`);
}
