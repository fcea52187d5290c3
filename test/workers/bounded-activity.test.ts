// An activity attempt gives up on the database before Temporal gives up on the attempt.
import type { Context } from '@temporalio/activity';
import type { ActivityExecuteInput } from '@temporalio/worker';
import test from 'ava';
import { isUnavailable } from '../../db/faults.ts';
import { connectDatabase } from '../../db/orm.ts';
import { boundedActivity } from '../../workers/bounded-activity.ts';
import { silentLogger } from '../support/logger.ts';
import { createTestDatabase } from '../support/servers/database.ts';
import { startProxy } from '../support/servers/proxy.ts';
import { overTcp } from '../support/servers/servers.ts';

const ATTEMPT_MS = 2_000;
/** How long a silent server may hold an attempt that has no limit. */
const SILENCE_MS = 35_000;

test('an attempt whose database is frozen ends within its own time, and the next one gets a connection', async (t) => {
  const { appUrl, opsUrl } = await createTestDatabase(t);
  const proxy = await startProxy(Number(new URL(appUrl).port));
  const urls = { appUrl: overTcp(appUrl, proxy.port), opsUrl: overTcp(opsUrl, proxy.port) };
  const database = await connectDatabase({ ...urls, poolSize: 1, logger: silentLogger });
  t.teardown(async () => {
    proxy.thaw();
    await database.close();
    proxy.close();
  });
  const attempt = () => {
    const { inbound } = boundedActivity({ info: { startToCloseTimeoutMs: ATTEMPT_MS } } as Context);
    return inbound?.execute?.({ args: [], headers: {} } as ActivityExecuteInput, () => database.ping());
  };
  await attempt();
  proxy.freeze();
  const begunMs = performance.now();
  const error = await t.throwsAsync(async () => attempt());
  t.true(isUnavailable(error));
  t.true(performance.now() - begunMs < SILENCE_MS / 2);
  proxy.thaw();
  await t.notThrowsAsync(async () => attempt());
});
