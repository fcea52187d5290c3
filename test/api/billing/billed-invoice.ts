/** A policy's invoices at a billing desk: the starting point for tests of payments, refunds and returns. */
import type { ExecutionContext } from 'ava';
import type { TestClient, TestResponse } from '../../support/client.ts';
import { bodyOf, bound, type House, newHouse } from '../../support/house.ts';
import type { Platform } from '../../support/run-platform.ts';

export interface Billed {
  house: House;
  billing: TestClient;
  policyId: string;
  /** In order of due date. */
  invoiceIds: string[];
  /** The first one. */
  invoiceId: string;
  path: string;
}

/** A bound policy of 4,389.64, unpaid: one invoice, or with MONTHLY_10 one of 798.64 and nine of 399.00. */
export async function billedOn(platform: Platform, plan = 'PAY_IN_FULL'): Promise<Billed> {
  const house = await newHouse(platform);
  const { policyId, invoices } = await bound(house.as('underwriter'), {}, plan);
  const invoiceIds: string[] = invoices.map(({ id }: { id: string }) => id);
  const [invoiceId = ''] = invoiceIds;
  const path = `/v1/invoices/${invoiceId}`;
  return { house, billing: house.as('billing_admin'), policyId, invoiceIds, invoiceId, path };
}

export async function pay(
  { billing, path }: Billed,
  amount: number,
  method = 'check',
  reference = 'Check 1',
): Promise<void> {
  bodyOf(await billing.post(`${path}/pay`, { amount, method, reference }), 201);
}

export async function refund({ billing, path }: Billed, amount?: number) {
  return bodyOf(await billing.post(`${path}/refund`, { ...(amount ? { amount } : {}), reason: 'Paid twice.' }), 201);
}

export function refused(
  t: ExecutionContext,
  answer: TestResponse,
  status: number,
  error: string,
  details?: object,
): void {
  t.is(answer.status, status, answer.text);
  t.like(answer.body, details ? { error, details } : { error });
}
