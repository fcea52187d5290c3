// A remittance run: producers are paid their commission, the state its tax filing by filing and its stamping fees, the
// carrier its premium, and we our own share. One person prepares the remittances and another approves them, while
// workers are killed. Afterwards everyone must have been paid once, and the books must balance.
import { Appointment } from '../../db/entities/distribution/appointment.ts';
import { Producer } from '../../db/entities/distribution/producer.ts';
import { newId } from '../../db/ids.ts';
import type { PatientClient } from '../chaos/patient-client.ts';
import { inTurns } from '../chaos/turns.ts';
import { onDyingWorkers, type Surroundings } from '../faults/dying-workers.ts';
import type { TestClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { testToday } from '../support/fixed/today.ts';
import { bodyOf, bound } from '../support/house.ts';
import { signToken } from '../support/tokens.ts';
import { type Earner, type PaidTown, payoutFindings } from './account.ts';

/** The published rate of the first tier of GL, in thousandths: 12.5 percent. */
const AGENT_RATE = 125;
/** Each producer sells a different risk, so that no two are owed the same. */
const REVENUE = { first: 600_000, step: 1_000 };
const AT_A_TIME = 8;
const LONGEST_MS = 900_000;
const REMITTANCES = '/v1/remittances';
/** What else the trust owes from these policies. */
const OTHERS = [
  [REMITTANCES, { kind: 'stamping', state: 'TX' }],
  [REMITTANCES, { carrier: 'Default Carrier' }],
  ['/v1/ledger/transfers', {}],
] as const;

export interface PayoutsOptions {
  producers: number;
  /** How many workers are killed, one after another, while the payouts are made. */
  kills: number;
  dataDir: string;
  report: (line: string) => void;
}

export interface PayoutsReport {
  killed: number;
  /** Duration of the run: from the first payout prepared to the last one approved. */
  seconds: number;
  /** Commands that were resent because their outcome was unknown, and were answered with the first outcome. */
  replayed: number;
  paid: number;
  findings: string[];
}

type Town = Surroundings & PaidTown;

/** Runs it on the servers that the environment names; stops whatever it started. */
export async function runPayouts({ producers, kills, dataDir, report }: PayoutsOptions): Promise<PayoutsReport> {
  // A payout and a filing for each producer, and the three at the end, take two commands each.
  const answersBetween = Math.ceil((2 * (2 * producers + OTHERS.length)) / (kills + 1));
  const { result, killed } = await onDyingWorkers({ title: 'payouts', answersBetween, dataDir }, async (around) => {
    const town = await found(around);
    const earners = await earn(town, producers, report);
    report(`${producers} producers are owed ${earners.reduce((sum, { cents }) => sum + cents, 0) / 100} dollars`);
    const run = await payOut(town, earners, report);
    await around.calm();
    return { ...run, findings: await payoutFindings(town, earners) };
  });
  return { ...result, killed, paid: producers };
}

async function found(around: Surroundings): Promise<Town> {
  const { platform } = around;
  const { id: orgId } = bodyOf(
    await platform.machine.post('/v1/organizations', { name: 'Payouts', tier: 'enterprise' }),
    201,
  );
  return { ...around, orgId, as: (role) => platform.as({ role, org: orgId }) };
}

/** Every producer sells a policy that is paid in full and shared out. */
async function earn(town: Town, producers: number, report: (line: string) => void): Promise<Earner[]> {
  const ids = Array.from({ length: producers }, () => newId('producer'));
  await town.orm.transaction(town.orgId, async (em) => {
    for (const [n, id] of ids.entries()) {
      em.create(Producer, { id, name: `Agency ${n}`, status: 'active' }, { persist: true });
      const scope = { producerId: id, state: 'TX', lineOfBusiness: 'GL', carrier: 'Default Carrier' } as const;
      em.create(Appointment, { ...scope, status: 'active' }, { persist: true });
    }
  });
  const [underwriter, billing] = [await town.as('underwriter'), await town.as('billing_admin')];
  let sold = 0;
  const earners = await inTurns(AT_A_TIME, [...ids.entries()], async ([n, producerId]) => {
    const annualRevenue = REVENUE.first + n * REVENUE.step;
    const { policyId, invoices, grossPremium } = await bound(underwriter, { producerId, annualRevenue });
    const [{ id, total }] = invoices;
    const check = { amount: total, method: 'check', reference: `Check ${n}` };
    bodyOf(await billing.post(`/v1/invoices/${id}/pay`, check), 201);
    sold += 1;
    if (sold % 50 === 0) report(`${sold} policies are paid`);
    return { producerId, policyId, cents: Math.round((Math.round(grossPremium * 100) * AGENT_RATE) / 1_000) };
  });
  const owed = earners.reduce((sum, { cents }) => sum + cents, 0);
  await eventually(async () => (await owedToAgents(billing)) === owed, {
    ...{ what: `${owed} cents to be owed to producers`, withinMs: LONGEST_MS },
  });
  return earners;
}

async function owedToAgents(client: TestClient): Promise<number> {
  const { data } = bodyOf(await client.get('/v1/ledger/accounts'));
  const account = (data as { account: number; balance: number }[]).find((row) => row.account === 2020);
  return Math.round((account?.balance ?? 0) * 100);
}

async function payOut(town: Town, earners: readonly Earner[], report: (line: string) => void) {
  const { machine, platform, orgId } = town;
  const person = (role: string) => machine.within(() => signToken(platform.config, { role, org: orgId, sub: role }));
  const [preparing, approving] = [person('finance_analyst'), person('billing_admin')];
  const startedAt = performance.now();
  let [done, replayed] = [0, 0];
  const command = async (client: PatientClient, path: string, body: object, expected: number) => {
    const { status, body: answer, isReplay } = await client.send(path, body);
    if (status !== expected) throw new Error(`${path}: ${status} ${JSON.stringify(answer)}`);
    if (isReplay) replayed += 1;
    return answer;
  };
  const through = testToday();
  const remit = async (path: string, body: object) => {
    const { id } = await command(preparing, path, { ...body, through }, 201);
    await command(approving, `${path}/${id}/approve`, {}, 200);
    done += 1;
    if (done % 50 === 0) report(`${done} remittances are approved`);
  };
  await inTurns(AT_A_TIME, earners, ({ producerId }) => remit('/v1/commissions/payouts', { producerId }));
  const filings = await filingsOf(town, earners);
  await inTurns(AT_A_TIME, filings, (filingId) => remit(REMITTANCES, { kind: 'tax', filingId }));
  await inTurns(AT_A_TIME, OTHERS, ([path, body]) => remit(path, body));
  return { replayed, seconds: (performance.now() - startedAt) / 1_000 };
}

/** The tax report of each policy, through which the tax is paid. */
async function filingsOf(town: Town, earners: readonly Earner[]): Promise<string[]> {
  const compliance = await town.as('compliance_officer');
  return inTurns(AT_A_TIME, earners, async ({ policyId }) => {
    const { data } = bodyOf(
      await compliance.get('/v1/compliance/filings', { query: { policyId, kind: 'sl_tax_payment' } }),
    );
    return data[0].id as string;
  });
}
