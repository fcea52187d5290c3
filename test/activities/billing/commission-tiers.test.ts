// Commission on an endorsement spread over a policy's installments: its premium keeps the tier of its own issue on
// each, and returns come off both.
import test from 'ava';
import { reclassify } from '../../../activities/billing/invoices/reclassified-invoices.ts';
import { CommissionRecord } from '../../../db/entities/billing/commission-record.ts';
import { Invoice } from '../../../db/entities/billing/invoice.ts';
import { checkBooks } from '../../../db/queries/billing/reconciliation/run.ts';
import { books, SAMPLE_LINES } from '../../workflows/billing/billed.ts';
import type { Tenant } from '../../workflows/run-engine.ts';
import { InsuredLife, revenueFor } from '../policy/insured-life.ts';
import { prepareSteps } from '../steps.ts';
import { insuredBy, Money } from './returns.ts';

/** Above 10,000.00 of premium in twelve months the agent gets 15 percent. */
const TIERS = [
  { tier: 1, maxCents: 1_000_000, agentRate: '0.125' },
  { tier: 2, maxCents: null, agentRate: '0.15' },
];

test('an endorsement issued after the producer crosses a tier is shared at that tier, earlier premium at the old one', async (t) => {
  const bound = { premiumCents: 1_200_000, installmentPlan: 'MONTHLY_10', startsIn: 1 } as const;
  const life = await InsuredLife.begin(t, { ...bound, tiers: TIERS });
  const recordsOf = async (number: number) => {
    const invoice = (await life.invoices())[number - 1];
    const records = await life.read((em) =>
      em.find(CommissionRecord, { invoiceId: invoice!.id }, { orderBy: { id: 'asc' } }),
    );
    return records.map((each) => [
      ...[each.type, each.sourceType, each.tier, each.rates.agentRate, each.grossPremiumCents],
      ...[each.agentCommissionCents, each.mgaCommissionCents, each.carrierNetCents],
    ]);
  };
  const findings = () =>
    life.read(async (em) => {
      const { results } = await checkBooks(em, { since: null, statementFrom: null });
      return results.flatMap((result) => result.findings);
    });
  life.passTo(0);
  await life.activate();
  for (const number of [1, 2, 3]) await life.pay(number);
  life.passTo(73);
  // 5,000.00 a year for 292 of 365 days is 4,000.00: 571.48 on installment 4 and 571.42 on each of six others.
  await life.endorse(73, { annualRevenueCents: revenueFor(1_700_000) });
  for (const number of [4, 5, 6, 7, 8, 9, 10]) await life.pay(number);
  await life.check(t);
  t.deepEqual(await findings(), []);

  t.deepEqual(await recordsOf(3), [['earned', 'invoice', 1, '0.125', 120_000, 15_000, 12_000, 93_000]]);
  // 571.48 × 0.15 = 85.722; × 0.10 = 57.148; the carrier has the rest, 428.61.
  t.deepEqual(await recordsOf(4), [
    ['earned', 'invoice', 1, '0.125', 120_000, 15_000, 12_000, 93_000],
    ['earned', 'transaction', 2, '0.15', 57_148, 8_572, 5_715, 42_861],
  ]);
  // Ten times 150.00 for new business; 85.72 and six times 85.71 for the endorsement.
  t.is((await life.balances())[2020], -209_998);

  life.passTo(219);
  // Unearned premium is 12,000.00 × 146/365 + 4,000.00 × 146/292 = 6,800.00, and 0.9 of that, 6,120.00, is returned:
  // 1,771.42 from each of installments 10, 9 and 8, and 805.74 from installment 7.
  await life.settle((await life.cancel(219)).refundIds);
  await life.check(t);
  // Of 571.42: 85.713 for the agent, 57.142 retained, 428.57 for the carrier.
  t.deepEqual(await recordsOf(10), [
    ['earned', 'invoice', 1, '0.125', 120_000, 15_000, 12_000, 93_000],
    ['earned', 'transaction', 2, '0.15', 57_142, 8_571, 5_714, 42_857],
    ['reversal', 'refund', 1, '0.125', -120_000, -15_000, -12_000, -93_000],
    ['reversal', 'refund', 2, '0.15', -57_142, -8_571, -5_714, -42_857],
  ]);
  // Carrier 1,358.57 × 805.74/1,771.42 = 617.95; agent 235.71 × 805.74/1,771.42 = 107.21; 80.58 is left. Of these, the
  // first tier gives 617.95 × 930.00/1,358.57 = 423.01, 107.21 × 150.00/235.71 = 68.23, 80.58 × 120.00/177.14 = 54.59.
  t.deepEqual((await recordsOf(7)).slice(2), [
    ['reversal', 'refund', 1, '0.125', -54_583, -6_823, -5_459, -42_301],
    ['reversal', 'refund', 2, '0.15', -25_991, -3_898, -2_599, -19_494],
  ]);
  t.deepEqual(await findings(), []);
});

test('an invoice of taxes alone earns nothing, and its first earnings are posted when premium takes their place', async (t) => {
  const steps = await prepareSteps(t);
  const [tax] = SAMPLE_LINES.filter(({ code }) => code === 'SL_TAX');
  const linesBefore = [{ ...tax!, amountCents: 30_000 }];
  const insurance = await insuredBy(steps);
  const money = await Money.on(steps, insurance, { lines: linesBefore, totalCents: 30_000 });
  await money.payByCheck(30_000);
  await money.finish();
  const tenant = steps as unknown as Tenant;
  t.deepEqual((await books(tenant, money.invoiceId)).entries.sort(), ['receipt', 'split']);
  const { transactionId } = insurance.invoice;
  const moved = { ...SAMPLE_LINES[0]!, amountCents: 10_000 };
  await steps.database.transaction(steps.orgId, async (em) => {
    const invoice = await em.findOneOrFail(Invoice, { id: money.invoiceId });
    invoice.lines = [...linesBefore, moved, { ...tax!, amountCents: -10_000 }];
    await em.flush();
    const issuing = { id: transactionId, type: 'cancellation', terms: null } as const;
    await reclassify(em, invoice, { linesBefore, issuing, on: steps.today });
  });
  const { balances } = await books(tenant, money.invoiceId);
  // A tenth of 100.00 is ours.
  t.like(balances, { 2030: -1_000, 4010: -1_000, 1120: 1_000, 2040: -20_000 });
});

test('an invoice whose premium was credited again earns nothing when its taxes are paid, and the books agree', async (t) => {
  const steps = await prepareSteps(t);
  const [tax] = SAMPLE_LINES.filter(({ code }) => code === 'SL_TAX');
  const premium = { ...SAMPLE_LINES[0]!, amountCents: 10_000 };
  const lines = [
    premium,
    { ...tax!, amountCents: 30_000 },
    { ...premium, kind: 'credit' as const, amountCents: -10_000 },
  ];
  const money = await Money.on(steps, await insuredBy(steps), { lines, totalCents: 30_000 });
  await money.payByCheck(30_000);
  await money.finish();
  const { entries } = await books(steps as unknown as Tenant, money.invoiceId);
  t.deepEqual(entries.sort(), ['receipt', 'split']);
  const { results } = await steps.database.forOrg(steps.orgId, (em) =>
    checkBooks(em, { since: null, statementFrom: null }),
  );
  const ofSplits = results.filter(({ name }) => name === 'invoice_split');
  t.deepEqual(
    ofSplits.map(({ found }) => found),
    [0],
  );
});
