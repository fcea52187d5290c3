// The short form of `npm run chaos`: each part has one accident, in random order, while insureds live on.
import test from 'ava';
import { STORY_MS } from '../support/patience.ts';
import { runChaos } from './chaos.ts';

/** One for each part: two servers, two APIs, two workers, and the authentication service. */
const ACCIDENTS = 7;
/** This seed kills both servers, an API, a worker and the authentication service, and freezes the others. */
const SEED = 17;

test('every acknowledged command runs once, and every account ties out, whatever is killed or frozen', async (t) => {
  t.timeout(STORY_MS);
  const result = await runChaos({
    seed: SEED,
    longestFreezeMs: 4_000,
    answersBetween: 5,
    isOver: (accidents) => accidents >= ACCIDENTS,
    report: (line) => t.log(line),
  });
  for (const finding of result.findings) t.log(finding);
  t.deepEqual(result.findings, []);
  t.is(
    Object.values(result.accidents).reduce((sum, times) => sum + times, 0),
    ACCIDENTS,
  );
  t.true(result.commands >= ACCIDENTS * 5);
  t.log(
    `${result.lives} lives, ${result.commands} commands, ${result.sentAgain} sent again, slowest ${result.slowestMs} ms`,
  );
});
