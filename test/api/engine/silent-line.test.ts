// A command whose line to the engine goes silent: no error reports that it was never received.
import test from 'ava';
import { createLifecycle } from '../../../api/engine/lifecycle.ts';
import { connectTemporal } from '../../../api/engine/temporal.ts';
import { silentLogger } from '../../support/logger.ts';
import { PATIENCE_MS } from '../../support/patience.ts';
import { payloadKeys } from '../../support/payload-keys.ts';
import { startProxy } from '../../support/servers/proxy.ts';
import { TEMPORAL_VARIABLE } from '../../support/servers/servers.ts';
import { startEngine } from '../../workflows/engine.ts';

test('a command that a line has swallowed is sent again on another one, while the silent one still stands', async (t) => {
  const engine = await startEngine(t);
  const [, port] = (process.env[TEMPORAL_VARIABLE] ?? '').split(':');
  const proxy = await startProxy(Number(port));
  const link = await connectTemporal({
    temporalAddress: `127.0.0.1:${proxy.port}`,
    temporalNamespace: 'default',
    temporalSecurity: {},
    payloadKeys,
    commandDeadlineMs: PATIENCE_MS,
  });
  t.teardown(async () => {
    await link.close();
    proxy.close();
  });
  const { client, availability } = link;
  const lifecycle = createLifecycle({
    ...{ client, availability, taskQueue: engine.queue, logger: silentLogger },
    deadlineMs: PATIENCE_MS,
  });
  const [quoted, created] = [await engine.created(), await engine.created()];
  await lifecycle.quoteSubmission(engine.command(quoted, {}));
  t.true(proxy.swallow() > 0);
  const again = await lifecycle.quoteSubmission(engine.command(created, {}));
  t.is(again.submissionId, created);
  t.true(proxy.swallowing() > 0, 'nothing had closed the line that the command was sent on first');
});
