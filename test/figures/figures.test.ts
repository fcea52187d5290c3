// The short form of `npm run figures`.
import test from 'ava';
import { STORY_MS } from '../support/patience.ts';
import { runFigures } from './figures.ts';

const SIZE = { seed: 5, policies: 40, claims: 8 };

test('every figure of analytics equals the sum of its rows to the cent, in incremental sums and in rebuilt ones', async (t) => {
  t.timeout(STORY_MS);
  const found = await runFigures({ ...SIZE, report: (line) => t.log(line) });
  const { findings, compared, policies, renewals, claims, done } = found;
  t.deepEqual(findings, []);
  t.true(policies > 25 && renewals > 0 && claims > 3);
  t.true(compared > 80);
  for (const deed of ['endorse', 'cancel', 'reinstate', 'audit', 'write-off', 'refund', 'pay', 'reserves'])
    t.true((done[deed] ?? 0) > 0, deed);
});
