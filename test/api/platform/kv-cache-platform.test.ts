// A whole platform with KV_CACHE on a real Valkey or Redis: a payment is recorded once, with and without its event's
// mark.
import test from 'ava';
import { Redis } from 'iovalkey';
import { Payment } from '../../../db/entities/billing/payment.ts';
import { deliveryTo, processorId, succeeded } from '../../support/card-events.ts';
import { bodyOf, bound, newHouse } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import { hasValkey, NO_VALKEY, testValkey } from '../../support/servers/valkey.ts';

const COPIES = 8;
const DAY_SECONDS = 86_400;

const withServer = hasValkey ? test : test.skip;
const where = hasValkey ? '' : ` (${NO_VALKEY})`;

withServer(
  `a payment whose event keeps coming is recorded once, even when the store has lost its mark${where}`,
  async (t) => {
    const server = await testValkey();
    t.teardown(server.stop);
    const platform = await startCheckedPlatform(t, { variables: { KV_CACHE: server.url } });
    const store = new Redis(server.url);
    t.teardown(() => store.disconnect());
    const house = await newHouse(platform);
    const { invoices } = await bound(house.as('underwriter'));
    const [{ id: invoiceId, total }] = invoices;
    const facts = { amountCents: Math.round(total * 100), orgId: house.orgId, invoiceId };
    const event = succeeded({ intentId: processorId('pi'), ...facts });
    const deliver = deliveryTo(platform.anonymous);
    const answers = await Promise.all(Array.from({ length: COPIES }, () => deliver(event)));
    t.true(answers.every(({ status }) => status === 200 || status === 503));
    t.true(answers.filter(({ status, body }) => status === 200 && body.deduplicated === undefined).length <= 1);
    t.deepEqual(bodyOf(await deliver(event)), { received: true, deduplicated: true });
    const mark = `kv:wh:card-processor:${event.id}`;
    const leftSeconds = await store.ttl(mark);
    t.true(leftSeconds > DAY_SECONDS - 60 && leftSeconds <= DAY_SECONDS, 'the mark is kept for a day');
    t.is(await store.del(mark), 1);
    t.deepEqual(bodyOf(await deliver(event)), { received: true, deduplicated: true });
    const payments = await platform.database.forOrg(house.orgId, (em) => em.find(Payment, {}));
    t.is(payments.length, 1);
    t.like(bodyOf(await house.as('billing_admin').get(`/v1/invoices/${invoiceId}`)), { status: 'paid', balance: 0 });
  },
);
