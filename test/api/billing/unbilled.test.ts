// What a policy owes but no invoice bills, over HTTP: void, reissue, endorse, cancel, reinstate, refund.
import test from 'ava';
import { Payment } from '../../../db/entities/billing/payment.ts';
import { Policy } from '../../../db/entities/policy/policy.ts';
import { invoicesOfPolicy } from '../../../db/queries/billing/invoices.ts';
import { fromDollars } from '../../../domain/money.ts';
import {
  addParts,
  NO_PARTS,
  negativeParts,
  PART_NAMES,
  partsOfLines,
  totalOfParts,
  writtenParts,
} from '../../../domain/policy/parts.ts';
import type { TestClient } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { bodyOf, bound, type House, newHouse } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
});

interface Insured {
  house: House;
  billing: TestClient;
  underwriter: TestClient;
  policyId: string;
  effectiveDate: string;
}

async function insured(house: House): Promise<Insured> {
  const underwriter = house.as('underwriter');
  const { policyId, effectiveDate } = await bound(underwriter, {}, 'QUARTERLY_4');
  return { house, billing: house.as('billing_admin'), underwriter, policyId, effectiveDate };
}

const unbilledOf = async ({ underwriter, policyId }: Insured) =>
  bodyOf(await underwriter.get(`/v1/policies/${policyId}`)).unbilledAmount;
const invoicesOf = async ({ billing, policyId }: Insured) =>
  bodyOf(await billing.get('/v1/invoices', { query: { policyId, limit: 100 } })).data;

test('an invoice void when the policy ended is not billed again, and the rest of it only by its amount', async (t) => {
  const of = await insured(await newHouse(platform));
  const [last] = await invoicesOf(of);
  const path = `/v1/invoices/${last.id}/void`;
  bodyOf(await of.billing.post(path, { reason: 'Mistake.' }));
  t.is(await unbilledOf(of), last.total);
  const cancel = { effectiveDate: of.effectiveDate, reason: 'flat_not_taken' };
  bodyOf(await of.underwriter.post(`/v1/policies/${of.policyId}/cancel`, cancel), 201);
  t.is(await unbilledOf(of), 0);
  const again = await of.billing.post(path, { reason: 'Again.', reissue: true });
  t.is(again.status, 422, again.text);
  t.like(again.body, { error: 'amount_exceeds_balance', details: { amount: last.total, unbilled: 0 } });
  bodyOf(await of.underwriter.post(`/v1/policies/${of.policyId}/reinstate`, {}), 201);
  t.is(await unbilledOf(of), last.total);
  const part = { reason: 'Again.', reissue: true, amount: 100 };
  t.is(bodyOf(await of.billing.post(path, part)).status, 'void');
  t.is(fromDollars(await unbilledOf(of)), fromDollars(last.total) - 10_000);
});

test('a goodwill refund does not reduce the fee and the taxes that a cancelled policy keeps', async (t) => {
  const of = await insured(await newHouse(platform));
  const byDate = (await invoicesOf(of)).toSorted((a: { dueDate: string }, b: { dueDate: string }) =>
    a.dueDate < b.dueDate ? -1 : 1,
  );
  for (const { id, total } of byDate.slice(2)) {
    bodyOf(await of.billing.post(`/v1/invoices/${id}/pay`, { amount: total, method: 'check', reference: id }), 201);
    bodyOf(await of.billing.post(`/v1/invoices/${id}/refund`, { reason: 'Goodwill.' }), 201);
  }
  const cancel = { effectiveDate: of.effectiveDate, reason: 'insured_request', method: 'short_rate' };
  const { credits } = bodyOf(await of.underwriter.post(`/v1/policies/${of.policyId}/cancel`, cancel), 201);
  // At least a quarter of 3,990.00 is earned: 997.50 and the fee of 195.00, with 57.84 tax and 0.48 stamping fee. Two
  // of four installments are unpaid: 1,995.00 premium, and all of the fee, 202.97 and 1.67.
  const first = bodyOf(await of.billing.get(`/v1/invoices/${byDate[0].id}`));
  t.like(first, { status: 'open', total: 253.32, balance: 253.32 });
  t.is(bodyOf(await of.billing.get(`/v1/invoices/${byDate[1].id}`)).status, 'void');
  const cents = credits.map(({ amount }: { amount: number }) => fromDollars(amount));
  t.is(
    cents.reduce((sum: number, each: number) => sum + each, 0),
    -214_132,
  );
  t.is(await unbilledOf(of), 0);
  // The checks for 1,995.00 have not been issued, so the insured is owed 1,741.68 in all.
  const statement = `/v1/policies/${of.policyId}/statement`;
  t.like(bodyOf(await of.house.as('finance_analyst').get(statement)), {
    ...{ closingBalance: -1_741.68, due: { refundDue: 1_995 } },
  });
});

function drawFrom(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

/** One operation; one that the rules refuse changes nothing. */
async function act(of: Insured, draw: (below: number) => number): Promise<void> {
  const { billing, underwriter, policyId, effectiveDate } = of;
  const invoices = await invoicesOf(of);
  const { id, balance } = invoices[draw(invoices.length)];
  const policy = `/v1/policies/${policyId}`;
  const revenue = 700_000 + draw(6) * 100_000;
  const acts = [
    () => billing.post(`/v1/invoices/${id}/void`, { reason: 'Mistake.' }),
    () => billing.post(`/v1/invoices/${id}/void`, { reason: 'Again.', reissue: true }),
    () => billing.post(`/v1/invoices/${id}/pay`, { amount: balance || 1, method: 'check', reference: `${draw(1e9)}` }),
    () => billing.post(`/v1/invoices/${id}/refund`, { reason: 'Mistake.' }),
    () => underwriter.post(`${policy}/endorse`, { effectiveDate, changes: { annualRevenue: revenue } }),
    () => underwriter.post(`${policy}/cancel`, { effectiveDate, reason: 'flat_not_taken' }),
    () => underwriter.post(`${policy}/reinstate`, {}),
  ];
  const { status, text } = (await acts[draw(acts.length)]?.()) ?? { status: 0, text: '' };
  if (![200, 201, 400, 422].includes(status)) throw new Error(text);
}

/** From the rows: what is written, and what valid invoices bill less what changes returned. */
async function partsIn({ house, policyId }: Insured) {
  return platform.database.forOrg(house.orgId, async (em) => {
    const policy = await em.findOneOrFail(Policy, { id: policyId });
    const invoices = await invoicesOfPolicy(em, policyId);
    const refunds = await em.find(Payment, { policyId, kind: 'refund', policyTransactionId: { $ne: null } });
    const standing = invoices.filter(({ voidedAt }) => voidedAt === null);
    const billed = addParts(...standing.map(({ lines }) => partsOfLines(lines)));
    const back = addParts(...refunds.map(({ composition }) => composition ?? NO_PARTS));
    return { written: writtenParts(policy), billed: addParts(billed, negativeParts(back)) };
  });
}

test('random lives never bill more than the policy costs, part by part, after every operation', async (t) => {
  const house = await newHouse(platform);
  for (let life = 1; life <= 6; life += 1) {
    const draw = drawFrom(life * 7_919);
    const of = await insured(house);
    for (let step = 0; step < 9; step += 1) {
      await act(of, draw);
      await eventually(async () => (await pendingRefunds(of)) === 0, { what: 'refunds' });
      const { written, billed } = await partsIn(of);
      const open = addParts(written, negativeParts(billed));
      for (const part of PART_NAMES) t.true(open[part] >= 0, `${life}/${step}: ${part} is ${open[part]}`);
      t.is(fromDollars(await unbilledOf(of)), totalOfParts(open), `${life}/${step}`);
    }
  }
});

function pendingRefunds({ house, policyId }: Insured): Promise<number> {
  return platform.database.forOrg(house.orgId, (em) =>
    em.count(Payment, { policyId, kind: 'refund', status: 'pending' }),
  );
}
