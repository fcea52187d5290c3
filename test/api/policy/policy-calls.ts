// Calls shared by the tests of policy changes, and the arithmetic that they expect.
import { daysBetween } from '../../../domain/dates.ts';
import type { TestClient, TestResponse } from '../../support/client.ts';
import { bodyOf, bound, type House, newHouse } from '../../support/house.ts';
import type { Platform } from '../../support/run-platform.ts';

/** A policy of 3,990.00 premium, 195.00 fee, 202.97 tax and 1.67 stamping, in an organization of its own. */
export interface Insured {
  house: House;
  client: TestClient;
  policyId: string;
  path: string;
  effectiveDate: string;
  expirationDate: string;
  invoices: { id: string; total: number }[];
  /** Moves the business date; resolves when everything due has happened. */
  advance: (advanceTo: string) => Promise<void>;
  read: (query?: Record<string, string>) => ReturnType<typeof bodyOf>;
  timeline: () => ReturnType<typeof bodyOf>;
  /** One of the changes: `endorse`, `cancel`, … */
  change: (name: string, body?: object, query?: Record<string, string>) => Promise<TestResponse>;
}

/** Binds a policy that begins in ten days. */
export async function insured(platform: Platform, plan = 'PAY_IN_FULL', changes = {}): Promise<Insured> {
  const house = await newHouse(platform);
  const client = house.as('underwriter');
  const { policyId, effectiveDate, expirationDate, invoices } = await bound(client, changes, plan);
  const path = `/v1/policies/${policyId}`;
  return {
    ...{ house, client, policyId, path, effectiveDate, expirationDate, invoices },
    advance: async (advanceTo) => bodyOf(await house.as('org_admin').post('/v1/test-clock', { advanceTo })),
    read: async (query = {}) => bodyOf(await client.get(path, { query })),
    timeline: async () => bodyOf(await client.get(`${path}/timeline`)).data,
    change: (name, body = {}, query = {}) => client.post(`${path}/${name}`, body, { query }),
  };
}

/** Pays the first invoice in full by check. */
export async function pay({ house, invoices }: Insured): Promise<void> {
  const [{ id, total }] = invoices as [{ id: string; total: number }];
  const body = { amount: total, method: 'check', reference: `Check ${id}` };
  bodyOf(await house.as('billing_admin').post(`/v1/invoices/${id}/pay`, body), 201);
}

/** An amount for the days of the term from a given day on, to the cent. */
export function proRata(dollars: number, { effectiveDate, expirationDate }: Insured, from: string): number {
  const share = daysBetween(from, expirationDate) / daysBetween(effectiveDate, expirationDate);
  return cents(dollars * share);
}

/** Rounds to the cent. */
export function cents(dollars: number): number {
  return Math.round(dollars * 100) / 100;
}

/** Texas taxes on a premium and the fee of 195.00: 4.85 percent and 0.04 percent, each to the cent. */
export function taxesOn(premium: number): number {
  return cents(cents((premium + 195) * 0.0485) + cents((premium + 195) * 0.0004));
}

/** The figures and facts of a transaction that a preview shares with the call itself. */
export function figures(body: Record<string, unknown>): Record<string, unknown> {
  const {
    id: _id,
    documentId: _document,
    issuedAt: _at,
    createdAt: _created,
    updatedAt: _updated,
    preview: _preview,
    invoices,
    ...rest
  } = body;
  const { policyId: _policy, renewalPolicyId: _next, policyNumber: _number, ...figures } = rest;
  const billed = (invoices as { dueDate: string; total: number; change: number }[]).map((invoice) => {
    const { dueDate, total, change } = invoice;
    return [dueDate, total, change];
  });
  return { ...figures, invoices: billed };
}
