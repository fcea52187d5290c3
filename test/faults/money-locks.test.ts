// Everything that moves money, simultaneously and on the same few invoices: transactions take locks in one order, so
// they never deadlock, and the books agree in the end. Contract 3.4 "Money transactions lock policy, then DA
// aggregate, then invoices".
import test from 'ava';
import { Payment } from '../../db/entities/billing/payment.ts';
import { checkBooks } from '../../db/queries/billing/reconciliation/run.ts';
import { trustFigures } from '../../db/queries/billing/trust.ts';
import { trustFindings } from '../../domain/billing/ledger/trust.ts';
import { deliveryTo, disputed, processorId, refunded, succeeded } from '../support/card-events.ts';
import type { TestResponse } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { bound, newHouse, quoted } from '../support/house.ts';
import { STORY_MS } from '../support/patience.ts';
import { startPlatform } from '../support/platform.ts';
import type { Platform } from '../support/run-platform.ts';
import { deadlocks, sendPairs } from './money-pairs.ts';

const POLICIES = 3;
const ROUNDS = 60;
const PAIRS = 60;
const AT_A_TIME = 12;
/** Refusals are valid answers here; a fault is not. */
const ANSWERS = new Set([200, 201, 404, 409, 412, 422, 503]);

let platform: Platform;

test.before(async (t) => {
  platform = await startPlatform(t);
});

test.serial(
  'payments, refunds, voids, card events, chargebacks and binds on the same policies never deadlock, and the trust agrees',
  async (t) => {
    t.timeout(STORY_MS);
    const house = await newHouse(platform);
    const deliver = deliveryTo(platform.anonymous);
    const [billing, underwriter] = [house.as('billing_admin'), house.as('underwriter')];
    const invoiceIds: string[] = [];
    for (let i = 0; i < POLICIES; i += 1) {
      const { invoices } = await bound(underwriter, {}, 'QUARTERLY_4');
      invoiceIds.push(...invoices.map(({ id }: { id: string }) => id));
    }
    const submissions = await Promise.all(Array.from({ length: ROUNDS / 6 }, () => quoted(underwriter)));
    const intents: string[] = [];
    const pick = <T>(items: readonly T[], n: number): T | undefined => items[n % Math.max(items.length, 1)];

    const moves: ((n: number, invoiceId: string) => Promise<TestResponse>)[] = [
      (n, id) => billing.post(`/v1/invoices/${id}/pay`, { amount: 50, method: 'check', reference: `Check ${n}` }),
      (_, id) => {
        const intentId = processorId('pi');
        intents.push(intentId);
        return deliver(succeeded({ intentId, amountCents: 7_500, orgId: house.orgId, invoiceId: id }));
      },
      (_, id) => billing.post(`/v1/invoices/${id}/refund`, { amount: 10, reason: 'Too much.' }),
      (n, id) => billing.post(`/v1/invoices/${id}/void`, { reason: 'Twice.', reissue: n % 2 === 0 }),
      (n) => {
        const intentId = pick(intents, n) ?? processorId('pi');
        return deliver(refunded({ intentId, amountCents: 1_000, chargeCents: 7_500 }));
      },
      (n) => {
        const intentId = pick(intents, n * 7) ?? processorId('pi');
        return deliver(disputed({ intentId, amountCents: 500, status: 'needs_response' }));
      },
      async () => {
        const submission = submissions.pop();
        if (submission === undefined) return billing.get('/v1/invoices');
        return underwriter.post(`/v1/submissions/${submission.id}/bind`, { installmentPlan: 'PAY_IN_FULL' });
      },
    ];

    const queue = Array.from({ length: ROUNDS * moves.length }, (_, n) => n).values();
    const odd: string[] = [];
    const work = async () => {
      for (const n of queue) {
        // Neighbors in time work on the same invoice.
        const move = moves[n % moves.length];
        const { status, text } = (await move?.(n, pick(invoiceIds, Math.floor(n / AT_A_TIME)) ?? '')) ?? {
          status: 0,
          text: '',
        };
        // A refund that overtakes its payment gets a 500, so that the processor resends it.
        if (!ANSWERS.has(status) && !(status === 500 && n % moves.length >= 4))
          odd.push(`${n % moves.length}: ${status} ${text}`);
      }
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, work));

    t.deepEqual(odd, []);
    t.is(await deadlocks(platform.testDatabase.ownerUrl), 0);
    const findings = () => platform.database.forOrg(house.orgId, async (em) => trustFindings(await trustFigures(em)));
    await eventually(async () => (await findings()).length === 0, {
      what: 'the last sagas to end',
      withinMs: STORY_MS / 2,
    });
    t.deepEqual(await findings(), []);
  },
);

test.serial(
  'payments, refunds, reversals, disputes and applied money that meet on one invoice, while its policy is changed, never deadlock, and every check of the books passes',
  async (t) => {
    t.timeout(STORY_MS);
    const house = await newHouse(platform);
    const producerId = await house.addProducer();
    const [billing, underwriter] = [house.as('billing_admin'), house.as('underwriter')];

    t.deepEqual(
      await sendPairs({
        orgId: house.orgId,
        anonymous: platform.anonymous,
        billing,
        underwriter,
        producerId,
        count: PAIRS,
      }),
      [],
    );
    const books = { since: null, statementFrom: null };
    const disagreements = () =>
      platform.database.forOrg(house.orgId, async (em) => {
        const underWay = await em.count(Payment, { sagaEndedAt: null, status: { $ne: 'failed' } });
        const { results } = await checkBooks(em, books);
        return underWay + results.flatMap(({ findings }) => findings).length;
      });
    // A dispute is answered before its workflow has recorded it: no row shows yet that it is in progress.
    await eventually(async () => (await disagreements()) === 0, {
      what: 'the last sagas to end and the books to agree',
      withinMs: STORY_MS / 2,
    });
    t.is(await deadlocks(platform.testDatabase.ownerUrl), 0);
  },
);
