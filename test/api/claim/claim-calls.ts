// Calls shared by the tests of claims.
import { addDays } from '../../../domain/dates.ts';
import type { TestClient, TestResponse } from '../../support/client.ts';
import { testToday } from '../../support/fixed/today.ts';
import type { Platform } from '../../support/run-platform.ts';
import { type Insured, insured, pay } from '../policy/policy-calls.ts';

const TODAY = testToday();

/** A policy in force, and the people who handle its claims. */
export interface Covered extends Insured {
  supervisor: TestClient;
  /** The business date. */
  today: string;
  file: (changes?: object, by?: TestClient) => Promise<TestResponse>;
}

/** Binds a policy that begins today: a loss today is covered, and no clock has to move. */
export async function covered(platform: Platform, changes = {}): Promise<Covered> {
  return coveredOn(await insured(platform, 'PAY_IN_FULL', { effectiveDate: TODAY, ...changes }), TODAY);
}

/** Binds a policy, pays it and lets a month of its term pass. */
export async function coveredForAMonth(platform: Platform): Promise<Covered> {
  const policy = await insured(platform);
  await pay(policy);
  const today = addDays(policy.effectiveDate, 30);
  await policy.advance(today);
  return coveredOn(policy, today);
}

function coveredOn(policy: Insured, today: string): Covered {
  const supervisor = policy.house.as('claims_supervisor');
  const file: Covered['file'] = (changes = {}, by = supervisor) =>
    by.post('/v1/claims', { ...notice(policy.policyId, today), ...changes });
  return { ...policy, supervisor, today, file };
}

/** A first notice of loss. */
export function notice(policyId: string, lossDate: string) {
  return {
    ...{ policyId, lossDate, description: 'A guest fell on the wet floor.', cause: 'Slip and fall' },
    ...{ reportedBy: 'The manager', lossLocation: 'Austin', estimatedAmount: 5000 },
    claimant: { name: 'Ada Guest', email: 'ada@example.com' },
  };
}
