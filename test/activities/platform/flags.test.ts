// Every platform flag changes behavior. The table lists each of them: a flag without an effect is no flag.
import test, { type ExecutionContext } from 'ava';
import { putFlagOverride } from '../../../db/queries/platform/flags.ts';
import { addDays } from '../../../domain/dates.ts';
import { FLAG_KEYS, type FlagKey } from '../../../domain/platform/flags.ts';
import { startLanguageModel } from '../../../stand-ins/language-model/server.ts';
import { bodyOf, newHouse } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import { InsuredLife } from '../policy/insured-life.ts';
import { inForce, renew } from '../renewal/renewal-steps.ts';
import { prepareSteps, type Steps } from '../steps.ts';

/** A behavior with the flag set, and the same without it. */
interface Effect {
  when: (t: ExecutionContext, value: boolean) => Promise<unknown>;
  off: unknown;
  on: unknown;
}

const set = (steps: Steps, key: FlagKey, value: boolean) =>
  steps.database.transaction(steps.orgId, (em) => putFlagOverride(em, key, value));

const EFFECTS: Record<FlagKey, Effect> = {
  auto_renewal: {
    when: async (t, value) => {
      const steps = await prepareSteps(t);
      await inForce(steps, { daysLeft: 60 });
      await set(steps, 'auto_renewal', value);
      const opened = await steps.activities.openDailyRenewals({ orgId: steps.orgId, workflowId: 'renewals/daily' });
      return opened?.matched ?? null;
    },
    off: null,
    on: 1,
  },
  language_model: {
    when: async (t, value) => {
      const apiKey = 'sk-ant-key-of-the-tests-0123456789';
      const model = await startLanguageModel({ apiKey });
      t.teardown(() => model.close());
      const variables = { AI_PROVIDER: 'anthropic', AI_API_KEY: apiKey, AI_BASE_URL: model.url, AI_MODEL: 'model-1' };
      const admin = (await newHouse(await startCheckedPlatform(t, { worker: false, variables }))).as('org_admin');
      bodyOf(await admin.put('/v1/flags/language_model', { value }), 200);
      const contentBase64 = Buffer.from('Invoice number: 1042\nAmount due: $1,250.00\n').toString('base64');
      const bill = { contentBase64, fileName: 'bill.txt', contentType: 'text/plain' };
      bodyOf(await admin.post('/v1/documents/ingest', bill), 201);
      return model.calls.length;
    },
    off: 0,
    on: 1,
  },
  refund_approval: {
    when: async (t, value) => {
      const life = await InsuredLife.begin(t);
      await set(life.steps, 'refund_approval', value);
      await life.pay(1);
      life.passTo(146);
      const { refundIds } = await life.cancel(146);
      return (await life.refunds()).find(({ id }) => refundIds.includes(id))?.status;
    },
    off: 'pending',
    on: 'pending_approval',
  },
  renewal_requires_payment: {
    when: async (t, value) => {
      const steps = await prepareSteps(t);
      const { orgId, activities } = steps;
      const id = await inForce(steps, { daysLeft: 60 });
      const { policyId, effectiveDate } = (await renew(steps, id)).renewal;
      await set(steps, 'renewal_requires_payment', value);
      steps.passDays(60);
      await activities.expirePolicy({ orgId, entityId: id, today: effectiveDate });
      await activities.activatePolicy({ orgId, entityId: policyId, today: effectiveDate });
      const step = (day: number) => {
        const today = addDays(effectiveDate, day);
        return activities.takeDelinquencyStep({ orgId, entityId: policyId, today });
      };
      steps.passDays(1);
      await step(1);
      steps.passDays(10);
      return (await step(11)).status === 'cancelled';
    },
    off: false,
    on: true,
  },
};

for (const key of FLAG_KEYS) {
  test(`the flag ${key} changes what happens`, async (t) => {
    const { when, off, on } = EFFECTS[key];
    t.deepEqual(await when(t, false), off, 'off');
    t.deepEqual(await when(t, true), on, 'on');
  });
}
