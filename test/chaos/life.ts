// One insured's random life: submitted and withdrawn, or quoted, bound, paid, changed, refunded, cancelled,
// reinstated, with a loss. Every step is legal at its point, so none may be refused.
import { eventually } from '../support/eventually.ts';
import { testToday } from '../support/fixed/today.ts';
import { EFFECTIVE_DATE } from '../support/house.ts';
import type { TestProviders } from '../support/servers/providers.ts';
import type { Dice } from './dice.ts';
import type { PatientClient } from './patient-client.ts';

const PLANS = ['PAY_IN_FULL', 'SEMI_ANNUAL_2', 'QUARTERLY_4', 'MONTHLY_10'] as const;
const REFUND_DOLLARS = 10;
/** Long enough for several accidents in a row. */
const PAYMENT_MS = 360_000;

export interface LifeOptions {
  client: PatientClient;
  dice: Dice;
  processor: TestProviders['processor'];
  insuredName: string;
}

/** Lives a life to its end. @throws WrongAnswer when a step gets an answer that it must not get */
export async function live(options: LifeOptions): Promise<void> {
  const { client, dice, insuredName } = options;
  const isInForce = dice.percent(40);
  const effectiveDate = isInForce ? testToday() : EFFECTIVE_DATE;
  const submission = await client.command('/v1/submissions', { ...risk(insuredName), effectiveDate });
  const path = `/v1/submissions/${submission.id}`;
  if (dice.percent(8)) return client.command(`${path}/withdraw`, undefined, 200);
  await client.command(`${path}/quote`, undefined);
  if (dice.percent(8)) return client.command(`${path}/decline`, { reason: 'Outside of our appetite.' }, 200);
  const { policyId } = await client.command(`${path}/bind`, { installmentPlan: dice.pick(PLANS) });
  await payFirstInvoice(options, policyId);
  const isCovered = await changePolicy(options, `/v1/policies/${policyId}`, effectiveDate);
  if (isInForce && isCovered && dice.percent(60)) await suffer(options, policyId);
}

function risk(insuredName: string): Record<string, unknown> {
  return {
    ...{ insuredName, naicsCode: '722511', state: 'TX', lineOfBusiness: 'GL' },
    ...{ annualRevenue: 1_000_000, requestedLimit: 1_000_000, lossesLast5Years: 1 },
  };
}

async function payFirstInvoice({ client, dice, processor }: LifeOptions, policyId: string): Promise<void> {
  if (dice.percent(15)) return;
  const { data } = await client.read(`/v1/invoices?policyId=${policyId}`);
  const [{ id, invoiceNumber, balance }] = data.filter(
    ({ installmentNumber }: { installmentNumber: number }) => installmentNumber === 1,
  );
  const path = `/v1/invoices/${id}`;
  if (dice.percent(40)) {
    const { paymentIntentId } = await client.command(`${path}/payment-intent`, {});
    processor.pay(paymentIntentId);
    // If a change came first, the money would have no invoice, which an operator would have to decide.
    await untilPaid(client, path);
  } else if (dice.percent(30)) {
    const half = Math.floor(balance * 50) / 100;
    const rest = Math.round((balance - half) * 100) / 100;
    await client.command(`${path}/pay`, check(half, `${invoiceNumber} first half`));
    await client.command(`${path}/pay`, check(rest, `${invoiceNumber} second half`));
  } else {
    await client.command(`${path}/pay`, check(balance, invoiceNumber));
  }
  if (!dice.percent(40)) return;
  await client.command(`${path}/refund`, { amount: REFUND_DOLLARS, reason: 'Paid too much.' });
}

async function untilPaid(client: PatientClient, path: string): Promise<void> {
  const isPaid = async () => (await client.read(path)).status === 'paid';
  await eventually(isPaid, { what: `${path} to be paid`, withinMs: PAYMENT_MS });
}

const check = (amount: number, what: string) => ({ amount, method: 'check', reference: `Check for ${what}` });

/** Returns whether the policy still stands. */
async function changePolicy({ client, dice }: LifeOptions, path: string, effectiveDate: string): Promise<boolean> {
  if (dice.percent(50)) {
    const changes = { annualRevenue: dice.percent(50) ? 1_200_000 : 900_000 };
    await client.command(`${path}/endorse`, { effectiveDate, changes, reason: 'Other revenue.' });
  }
  if (!dice.percent(35)) return true;
  await client.command(`${path}/cancel`, { effectiveDate, reason: 'insured_request' });
  if (!dice.percent(50)) return false;
  await client.command(`${path}/reinstate`, { effectiveDate, reason: 'Stays after all.' });
  return true;
}

/** A loss of today: filed, investigated, reserved, and perhaps denied. */
async function suffer({ client, dice }: LifeOptions, policyId: string): Promise<void> {
  const loss = { lossDate: testToday(), description: 'A guest fell on the wet floor.', cause: 'Slip and fall' };
  const { id } = await client.command('/v1/claims', { policyId, ...loss, claimant: { name: 'Ada Guest' } });
  const path = `/v1/claims/${id}`;
  await client.command(`${path}/investigate`, {}, 200);
  const reserves = { indemnity: 1_000 * (1 + dice.below(20)), expense: 500 };
  await client.command(`${path}/reserves`, { ...reserves, reason: 'First estimate.' });
  if (dice.percent(30)) await client.command(`${path}/deny`, { reason: 'Excluded.' }, 200);
}
