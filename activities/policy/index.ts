// The activities of this slice, by name.
import type { Deps } from '../context.ts';
import { takeCancellationEffect } from './cancellation-day.ts';
import { changePaymentPlan } from './payment-plans.ts';
import { activatePolicy, expirePolicy, readPolicy } from './policies.ts';
import { auditPolicy } from './policy-audits.ts';
import { cancelPolicy, endorsePolicy, reinstatePolicy, voidEndorsement } from './policy-changes.ts';
import { answerPolicyReferral, decidePolicyReferral, openPolicyReferral } from './policy-referrals.ts';
import { wakeTerm } from './starting-term.ts';

export const policyActivities = (deps: Deps) => ({
  activatePolicy: activatePolicy(deps),
  expirePolicy: expirePolicy(deps),
  readPolicy: readPolicy(deps),
  endorsePolicy: endorsePolicy(deps),
  voidEndorsement: voidEndorsement(deps),
  cancelPolicy: cancelPolicy(deps),
  takeCancellationEffect: takeCancellationEffect(deps),
  reinstatePolicy: reinstatePolicy(deps),
  auditPolicy: auditPolicy(deps),
  changePaymentPlan: changePaymentPlan(deps),
  wakeTerm: wakeTerm(deps),
  openPolicyReferral: openPolicyReferral(deps),
  decidePolicyReferral: decidePolicyReferral(deps),
  answerPolicyReferral: answerPolicyReferral(deps),
});
