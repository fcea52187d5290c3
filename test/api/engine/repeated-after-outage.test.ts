// A command that failed because a provider was away, repeated with the same Idempotency-Key once the provider is back.
import test from 'ava';
import { bodyOf } from '../../support/house.ts';
import { startPlatform } from '../../support/platform.ts';
import { billedOn } from '../billing/billed-invoice.ts';

test('a repeat of a call that was refused during an outage is carried out, and further repeats return its response', async (t) => {
  const platform = await startPlatform(t);
  const { processor } = platform.providers;
  const { billing, path } = await billedOn(platform);
  const begin = () => billing.post(`${path}/payment-intent`, {}, { headers: { 'idempotency-key': 'by card' } });
  processor.planFault({ method: 'POST', path: '/v1/payment_intents', effect: 'cut_before', times: 1_000 });
  const during = await begin();
  t.like(during.body, {
    error: 'service_unavailable',
    message: 'The card processor is unavailable. Try again shortly.',
  });
  processor.clearFaults();
  // The workflow of the first call has ended, and nothing else has started another since.
  const after = bodyOf(await begin(), 201);
  t.regex(after.paymentIntentId, /^pi_/);
  const repeated = await begin();
  t.deepEqual(bodyOf(repeated, 201), after);
  t.is(repeated.headers.get('idempotent-replayed'), 'true');
});
