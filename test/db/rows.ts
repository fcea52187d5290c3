// Rows for the database tests: complete enough to be stored, with figures that do not matter.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { TestFn } from 'ava';
import { Invoice } from '../../db/entities/billing/invoice.ts';
import { Insured } from '../../db/entities/policy/insured.ts';
import { Policy } from '../../db/entities/policy/policy.ts';
import { PolicyTransaction } from '../../db/entities/policy/policy-transaction.ts';
import { Submission } from '../../db/entities/submission/submission.ts';
import { newId } from '../../db/ids.ts';
import { connectDatabase, type Database } from '../../db/orm.ts';
import { createOrganization } from '../../db/queries/platform/new-organization.ts';
import { silentLogger } from '../support/logger.ts';
import { createTestDatabase, type TestDatabase } from '../support/servers/database.ts';

export interface DatabaseContext {
  urls: TestDatabase;
  database: Database;
  /** An organization with default settings. */
  orgId: string;
}

/** Gives a file's tests a database with one organization. */
export function withDatabase(test: TestFn<DatabaseContext>, poolSize = 10): void {
  let context: DatabaseContext;
  test.before('a database', async (t) => {
    const urls = await createTestDatabase(t);
    const database = await connectDatabase({ ...urls, poolSize, logger: silentLogger });
    context = { urls, database, orgId: await addOrganization(database) };
  });
  test.beforeEach((t) => {
    t.context = context;
  });
  test.after.always(() => context?.database.close());
}

export async function addOrganization(database: Database, name = 'An organization'): Promise<string> {
  const id = newId('organization');
  await database.transaction(id, (em) => createOrganization(em, { id, name }));
  return id;
}

const COMPLETE = {
  insuredName: 'Blue Door Diner LLC',
  insuredNameNormalized: 'blue door diner',
  naicsCode: '722511',
  annualRevenueCents: 100_000_000,
  requestedLimitCents: 100_000_000,
  effectiveDate: '2026-03-01',
  state: 'TX',
  lineOfBusiness: 'GL',
};

export function aSubmission(em: EntityManager, given: Partial<Submission> = {}): Submission {
  const row = { id: newId('submission'), status: 'triaged' as const, createdBy: 'usr_test', ...COMPLETE, ...given };
  return em.create(Submission, row, { persist: true });
}

let numbered = 0;

export function aPolicy(em: EntityManager, given: Partial<Policy> = {}): Policy {
  numbered += 1;
  const insured = em.create(Insured, { name: 'Blue Door Diner LLC', nameNormalized: 'blue door diner' });
  const row = {
    id: newId('policy'),
    policyNumber: `GL-TX-2020-${String(numbered).padStart(6, '0')}`,
    status: 'active' as const,
    insuredId: insured.id,
    insuredName: insured.name,
    naicsCode: '722511',
    state: 'TX',
    lineOfBusiness: 'GL',
    limitCents: 100_000_000,
    aggregateLimitCents: 200_000_000,
    deductibleCents: 0,
    annualRevenueCents: 100_000_000,
    effectiveDate: '2026-03-01',
    expirationDate: '2027-03-01',
    grossPremiumCents: 399_000,
    fees: [],
    taxes: [],
    totalDueCents: 399_000,
    installmentPlan: 'PAY_IN_FULL',
    ratingInputs: {} as Policy['ratingInputs'],
    surplusLinesRates: {} as Policy['surplusLinesRates'],
    boundAt: new Date(),
    ...given,
  };
  return em.create(Policy, row, { persist: true });
}

export function aTransaction(em: EntityManager, policyId: string): PolicyTransaction {
  const row = {
    policyId,
    sequence: 1,
    type: 'new_business' as const,
    effectiveDate: '2026-03-01',
    issuedAt: new Date(),
    issuedOn: '2026-03-01',
    premiumChangeCents: 399_000,
    feeChangeCents: 0,
    taxChangeCents: 0,
    totalChangeCents: 399_000,
    grossPremiumAfterCents: 399_000,
    before: null,
    after: null,
    actor: { kind: 'user' as const, id: 'usr_test', role: 'underwriter' as const },
  };
  return em.create(PolicyTransaction, row, { persist: true });
}

export function anInvoice(em: EntityManager, of: PolicyTransaction, given: Partial<Invoice> = {}): Invoice {
  numbered += 1;
  const row = {
    id: newId('invoice'),
    invoiceNumber: `INV-2020-${String(numbered).padStart(6, '0')}`,
    policyId: of.policyId,
    transactionId: of.id,
    insuredName: 'Blue Door Diner LLC',
    installmentNumber: 1,
    installmentCount: 1,
    issueDate: '2026-03-01',
    dueDate: '2026-03-01',
    lines: [],
    totalCents: 10_000,
    ...given,
  };
  return em.create(Invoice, row, { persist: true });
}
