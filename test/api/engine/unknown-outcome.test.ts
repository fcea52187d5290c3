// A command that is not answered in time: what the caller learns.
import test from 'ava';
import { newId } from '../../../db/ids.ts';
import { eventually } from '../../support/eventually.ts';
import { newHouse, risk } from '../../support/house.ts';
import { startPlatform } from '../../support/platform.ts';

test('a command without a worker in time is 503 with an unknown outcome, and says how to find out', async (t) => {
  const platform = await startPlatform(t, { worker: false, variables: { COMMAND_DEADLINE_MS: '1500' } });
  const house = await newHouse(platform);
  // On a busy machine the engine itself may be unreachable in so short a time, and the answer then says so.
  const first = await eventually(
    async () => {
      const headers = { 'idempotency-key': newId('request') };
      const answer = await house.as('underwriter').post('/v1/submissions', risk(), { headers });
      return 'outcome' in (answer.body.details ?? {}) && answer;
    },
    { what: 'an unknown outcome' },
  );
  t.is(first.status, 503, first.text);
  t.is(first.body.error, 'service_unavailable');
  t.deepEqual(Object.keys(first.body.details).sort(), ['commandId', 'outcome']);
  t.is(first.body.details.outcome, 'unknown');
  t.regex(first.body.message, /same Idempotency-Key is safe/);
  t.regex(first.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
});
