/**
 * A policy's term: it starts on its effective date and expires on its expiration date. A change of the policy is one more
 * `accept` here, one more date is one more line in `nextDue`; the rows are the truth and activities write them.
 */
import { continueAsNew, proxyLocalActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/create-activities.ts';
import type { CarriedPolicy, PolicyWorkflowInput } from './contracts.ts';
import { type DueStep, Entity } from './entity.ts';
import { ONE_TRANSACTION } from './options.ts';

type PolicyState = Omit<CarriedPolicy, 'recentCommandIds'>;

const activities = proxyLocalActivities<Activities>(ONE_TRANSACTION);

export async function policyWorkflow({ orgId, policyId, carried }: PolicyWorkflowInput): Promise<void> {
  const policy: Entity<PolicyState> = new Entity<PolicyState>(
    {
      load: () => activities.readPolicy({ orgId, entityId: policyId }),
      nextDue: (state) => nextDue(state),
      isOver: ({ status }) => status === 'expired' || status === 'renewed',
    },
    carried,
  );
  const onDay = () => ({ orgId, entityId: policyId, today: policy.clock.today() });
  const nextDue = ({ status, effectiveDate, expirationDate }: PolicyState): DueStep<PolicyState> | null => {
    switch (status) {
      case 'pending':
        return { on: effectiveDate, what: 'starts', run: () => activities.activatePolicy(onDay()) };
      case 'active':
        return { on: expirationDate, what: 'expires', run: () => activities.expirePolicy(onDay()) };
      default:
        return null;
    }
  };

  const end = await policy.serve();
  if (end === 'continue' && policy.state) {
    const { policyNumber, status, effectiveDate, expirationDate, clockOffsetDays } = policy.state;
    await continueAsNew<typeof policyWorkflow>({
      orgId,
      policyId,
      carried: {
        policyNumber,
        status,
        effectiveDate,
        expirationDate,
        clockOffsetDays,
        recentCommandIds: policy.recentCommandIds,
      },
    });
  }
}
