// Claim money in tests: a claim with reserves, its payments, the carrier's deposits, and the balances of the books.
import { checkBooks } from '../../../db/queries/billing/reconciliation/run.ts';
import type { TestClient } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { bodyOf } from '../../support/house.ts';
import type { Platform } from '../../support/run-platform.ts';
import type { Covered } from './claim-calls.ts';

/** A claim under investigation, with both kinds of reserve. */
export async function reservedClaim({ file, supervisor }: Covered, cause = 'Slip and fall') {
  const { id } = bodyOf(await file({ cause }), 201);
  const path = `/v1/claims/${id}`;
  bodyOf(await supervisor.post(`${path}/investigate`, { adjusterId: 'usr_adjuster' }));
  bodyOf(await supervisor.post(`${path}/reserves`, { indemnity: 10_000, expense: 2000, reason: 'Estimate.' }), 201);
  return { id, path };
}

export const paymentsOf = async (client: TestClient, path: string) => bodyOf(await client.get(`${path}/payments`)).data;

export const isPaid = (client: TestClient, path: string, count: number) =>
  eventually(
    async () => {
      const payments = await paymentsOf(client, path);
      return payments.filter(({ status }: { status: string }) => status === 'paid').length === count && payments;
    },
    { what: `${count} payments to be made` },
  );

/** Account balances, in dollars. */
export async function balances({ house }: Covered): Promise<Record<string, number>> {
  const { data } = bodyOf(await house.as('billing_admin').get('/v1/ledger/accounts'));
  return Object.fromEntries(
    data.map(({ account, balance }: { account: number; balance: number }) => [account, balance]),
  );
}

/** Names the reconciliation checks with findings. */
export const found = ({ database }: Platform, orgId: string) =>
  database.forOrg(orgId, async (em) => {
    const { results } = await checkBooks(em, { since: null, statementFrom: null });
    return results.filter((result) => result.found > 0).map(({ name }) => name);
  });

export const deposit = ({ house }: Covered, amount: number, reference: string) =>
  house.as('billing_admin').post('/v1/loss-funds/deposits', { carrier: 'Default Carrier', amount, reference });
