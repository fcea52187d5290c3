// Settles an organization's loss fund: the carrier pays what is missing, an operator retries what waits. Then the
// fund, the ledger and the model must agree.
import { connectTemporal } from '../../api/engine/temporal.ts';
import { checkBooks } from '../../db/queries/billing/reconciliation/run.ts';
import { trustFigures } from '../../db/queries/billing/trust.ts';
import { trustFindings } from '../../domain/billing/ledger/trust.ts';
import { listWaiting, retryWaiting } from '../../scripts/ops/waiting.ts';
import type { PatientClient } from '../chaos/patient-client.ts';
import { Rows } from '../faults/bind.ts';
import type { Surroundings } from '../faults/dying-workers.ts';
import { eventually } from '../support/eventually.ts';
import type { ClaimModel } from './claim-model.ts';

const CARRIER = 'Default Carrier';
/** Long enough for several deaths of the workers. */
const REST_MS = 300_000;

/** A carrier's deposit, in cents. */
export async function deposit(admin: PatientClient, cents: number, reference: string): Promise<number> {
  await admin.command('/v1/loss-funds/deposits', { carrier: CARRIER, amount: cents / 100, reference });
  return cents;
}

/** Pays everything that waits. Returns the deposit needed, in cents. */
export async function bringToRest({ platform, database }: Surroundings, admin: PatientClient, orgId: string) {
  const rows = new Rows(database.ownerUrl);
  const { client, close } = await connectTemporal(platform.config);
  try {
    const { pending, balance } = await waitingFor(rows, orgId);
    const deposited = pending > balance ? await deposit(admin, pending - balance, 'The rest') : 0;
    await eventually(
      async () => {
        await retryWaiting(client, 'claims', orgId);
        return (await waitingFor(rows, orgId)).pending === 0 && (await listWaiting(client, orgId)).length === 0;
      },
      { what: 'every payment to be made', withinMs: REST_MS },
    );
    return deposited;
  } finally {
    await close();
  }
}

async function waitingFor(rows: Rows, orgId: string): Promise<{ pending: number; balance: number }> {
  const [row] = await rows.query<{ pending: string; balance: string }>(WAITING, [orgId]);
  return { pending: Number(row?.pending), balance: Number(row?.balance) };
}

const WAITING = `select coalesce(sum(amount_cents), 0) as pending,
    (select coalesce(sum(balance_cents), 0) from loss_funds where org_id = $1) as balance
  from claim_payments where org_id = $1 and status = 'pending'`;

/** What is wrong with the claims' money, one sentence each; `depositedCents` is what carriers have paid in. */
export async function fundFindings(
  { orm }: Surroundings,
  admin: PatientClient,
  { orgId, claims, depositedCents }: { orgId: string; claims: readonly ClaimModel[]; depositedCents: number },
): Promise<string[]> {
  const { data: accounts } = await admin.read('/v1/ledger/accounts');
  const balanceOf = (number: number) =>
    Math.round(accounts.find(({ account }: { account: number }) => account === number).balance * 100);
  const { data: funds } = await admin.read('/v1/loss-funds');
  const [cash, due, held] = [balanceOf(1020), balanceOf(1200), balanceOf(2080)];
  const sum = (of: (claim: ClaimModel) => number) => claims.reduce((total, claim) => total + of(claim), 0);
  const paid = sum((claim) => claim.paid + claim.expensePaid);
  const expected = depositedCents + sum(({ recovered }) => recovered) - paid;
  const findings: string[] = [];
  if (cash !== expected) findings.push(`1020 holds ${cash}, and must hold ${expected}`);
  if (cash + due !== held) findings.push(`1020 ${cash} and 1200 ${due} are not 2080 ${held}`);
  const fund = funds.map(({ balance, requested }: Record<string, number>) => [balance, requested]);
  if (JSON.stringify(fund) !== JSON.stringify([[cash / 100, due / 100]]))
    findings.push(`1020 ${cash}, 1200 ${due}, and the fund says ${JSON.stringify(funds)}`);
  const { results } = await orm.forOrg(orgId, (em) => checkBooks(em, { since: null, statementFrom: null }));
  const wrong = trustFindings(await orm.forOrg(orgId, trustFigures));
  const ofBooks = [...wrong, ...results.flatMap((result) => result.findings)];
  return [...findings, ...ofBooks.map((finding) => JSON.stringify(finding))];
}
