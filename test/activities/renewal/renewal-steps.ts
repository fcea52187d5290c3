// Policies due for renewal, without workflows: bound, in force, and a given number of days before expiration.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { RenewPayload } from '../../../contracts/policy.ts';
import { Policy } from '../../../db/entities/policy/policy.ts';
import { addDays, addYears, daysBetween } from '../../../domain/dates.ts';
import type { Steps } from '../steps.ts';

export const MONTHLY = { installmentPlan: 'MONTHLY_10', quoteId: null } as const;
export const AS_IT_IS: RenewPayload = { effectiveDate: null, changes: {} };
/** Quoted risks begin this many days after today. */
const DAYS_TO_START = 10;

export interface InForce {
  daysLeft?: number;
  producerId?: string | null;
}

/** Binds policies and waits until this many days before expiration; they are in force by then. */
export async function allInForce(
  steps: Steps,
  count: number,
  { daysLeft = 60, producerId = null }: InForce = {},
): Promise<string[]> {
  const start = addDays(steps.today, DAYS_TO_START);
  const ids: string[] = [];
  for (let i = 1; i <= count; i += 1) {
    const submissionId = await steps.quoted({ producerId, insuredName: `Diner ${i}` });
    const { policyId } = await steps.activities.bindPolicy(steps.command(submissionId, MONTHLY));
    await steps.activities.activatePolicy({ orgId: steps.orgId, entityId: policyId, today: start });
    ids.push(policyId);
  }
  steps.passDays(daysBetween(steps.today, addYears(start, 1)) - daysLeft);
  return ids;
}

/** Like allInForce, for a single policy. */
export async function inForce(steps: Steps, options: InForce = {}): Promise<string> {
  const [id] = await allInForce(steps, 1, options);
  if (id === undefined) throw new Error('No policy was bound');
  return id;
}

export const renew = (steps: Steps, id: string, payload = AS_IT_IS) =>
  steps.activities.renewPolicy(steps.command(id, payload));

export const read = <R>(steps: Steps, work: (em: EntityManager) => Promise<R>): Promise<R> =>
  steps.database.forOrg(steps.orgId, work);

export const policyOf = (steps: Steps, id: string) => read(steps, (em) => em.findOneOrFail(Policy, { id }));

/** Changes a policy's row without a step. */
export const change = (steps: Steps, id: string, values: Partial<Policy>) =>
  steps.database.transaction(steps.orgId, (em) => em.nativeUpdate(Policy, { id }, values));
