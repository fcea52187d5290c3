// No step trusts an earlier check by its command's sender: each judges the actor itself. Contract 2 "Permissions".
import test from 'ava';
import type { Command } from '../../../contracts/machinery/command.ts';
import { Relation } from '../../../db/entities/access/relation.ts';
import { newId } from '../../../db/ids.ts';
import { commandResult } from '../../../db/queries/platform/commands.ts';
import { addDays } from '../../../domain/dates.ts';
import { judgeOf } from '../../../plans/authority/own-authority.ts';
import { prepareSteps, refused, type Steps } from '../steps.ts';

const SUBMISSION_STEPS = {
  createSubmission: 'submission:create',
  correctSubmission: 'submission:update',
  quoteSubmission: 'submission:quote',
  bindPolicy: 'submission:bind',
  withdrawSubmission: 'submission:withdraw',
  declineSubmission: 'submission:decline',
};

const POLICY_STEPS = {
  endorsePolicy: 'policy:endorse',
  voidEndorsement: 'policy:endorse',
  cancelPolicy: 'policy:cancel',
  reinstatePolicy: 'policy:reinstate',
  renewPolicy: 'policy:renew',
  nonRenewPolicy: 'policy:non_renew',
  withdrawNonRenewal: 'policy:non_renew',
};

/** For all steps together; each step reads the parts that it knows. */
const PAYLOAD = {
  ...{ installmentPlan: 'PAY_IN_FULL', quoteId: null, reason: 'insured_request', source: null, method: null },
  ...{ effectiveDate: null, changes: {} },
};

/** A producer user who belongs to no producer may do none of this. */
function asStranger<P>(command: Command<P>): Command<P> {
  return { ...command, actor: { kind: 'user', id: newId('user'), role: 'producer' } };
}

async function refusesStranger(steps: Steps, step: string, entityId: string) {
  const command = asStranger(steps.command(entityId, step.endsWith('Submission') ? {} : PAYLOAD));
  const run = (steps.activities as unknown as Record<string, (command: object) => Promise<unknown>>)[step];
  if (run === undefined) throw new Error(`There is no step ${step}`);
  return {
    answer: run(command),
    kept: () => steps.database.forOrg(steps.orgId, (em) => commandResult(em, command.commandId)),
  };
}

for (const [step, permission] of Object.entries(SUBMISSION_STEPS)) {
  test(`${step} refuses actors without permission, whatever let the command through`, async (t) => {
    const steps = await prepareSteps(t);
    const entityId = step === 'createSubmission' ? newId('submission') : await steps.quoted();
    const { answer, kept } = await refusesStranger(steps, step, entityId);
    t.deepEqual(await refused(t, answer, 'forbidden'), { permission });
    t.is(await kept(), null);
  });
}

for (const [step, permission] of Object.entries(POLICY_STEPS)) {
  test(`${step} refuses actors without permission, whatever let the command through`, async (t) => {
    const steps = await prepareSteps(t);
    const submissionId = await steps.quoted();
    const bind = { installmentPlan: 'PAY_IN_FULL', quoteId: null } as const;
    const { policyId } = await steps.activities.bindPolicy(steps.command(submissionId, bind));
    // The next term can be bound from 90 days before expiration.
    steps.passDays(300);
    await steps.activities.activatePolicy({ orgId: steps.orgId, entityId: policyId, today: addDays(steps.today, 300) });
    const { answer, kept } = await refusesStranger(steps, step, policyId);
    t.deepEqual(await refused(t, answer, 'forbidden'), { permission });
    t.is(await kept(), null);
  });
}

test('relations are read only for the roles they limit', async (t) => {
  const { database, orgId } = await prepareSteps(t);
  const reads = async (kind: 'user' | 'api_key' | 'machine', role: 'producer' | 'underwriter' | 'org_admin') => {
    let count = 0;
    await database.transaction(orgId, async (em) => {
      const find = em.find.bind(em);
      em.find = ((entity: unknown, ...rest: unknown[]) => {
        if (entity === Relation) count += 1;
        return (find as (...all: unknown[]) => unknown)(entity, ...rest);
      }) as typeof em.find;
      await judgeOf(em, { actor: { kind, id: newId('user'), role }, orgId }, 'submission:quote');
    });
    return count;
  };
  t.is(await reads('user', 'producer'), 1);
  t.is(await reads('user', 'underwriter'), 1);
  t.is(await reads('user', 'org_admin'), 0);
  t.is(await reads('api_key', 'org_admin'), 0);
  t.is(await reads('machine', 'org_admin'), 0);
});
