// The autopay of a policy's insured, for staff. It applies to all of the insured's policies. Decision 0165.
import { z } from 'zod';
import { allow } from '../../../spine/access.ts';
import { route } from '../../../spine/route.ts';
import { idParam } from '../../../spine/schemas.ts';
import { policyResource } from '../../policy/policies.ts';
import { AutopaySchema, AutopaySetupInputSchema, AutopaySetupSchema } from './autopay.wire.ts';
import { beginSetup, readAutopay, switchOff } from './setup.ts';

const facts = {
  path: '/policies/:id/autopay',
  tag: 'Billing',
  spec: '4.6, Contract 3.4',
  params: z.strictObject({ id: idParam('policy') }),
} as const;

const getAutopay = route({
  ...facts,
  method: 'get',
  operationId: 'getPolicyAutopay',
  summary: 'Read the autopay of the insured of a policy',
  description:
    'Autopay belongs to the insured: each bill of any of their policies is charged to their card on its due date. `suspended` means that a bill could not be charged: the insured must pay it and enter a card again.',
  access: allow('invoice:read', policyResource),
  response: { status: 200, body: AutopaySchema },
  errors: [],
  handler: ({ row: policy, db }) => readAutopay({ policy, db }),
});

const setUpAutopay = route({
  ...facts,
  method: 'post',
  operationId: 'setUpPolicyAutopay',
  summary: 'Set up autopay for the insured of a policy',
  description:
    'Call it after the insured has agreed to the terms. With the client secret, the browser sends the card to the processor; autopay is active as soon as the processor has confirmed the card. An earlier card is charged until then.',
  access: allow('invoice:collect', policyResource),
  body: AutopaySetupInputSchema,
  response: { status: 201, body: AutopaySetupSchema },
  errors: ['payment_declined'],
  secretFields: ['clientSecret'],
  handler: ({ row: policy, body, actor, requestId, db, deps }) =>
    beginSetup({ policy, actor, requestId, db, deps }, body.termsVersion),
});

const switchAutopayOff = route({
  ...facts,
  method: 'delete',
  operationId: 'deletePolicyAutopay',
  summary: 'Switch off the autopay of the insured of a policy',
  description:
    'No further bill is charged, and the card is removed at the processor. A charge that is already under way is not cancelled. A repeated call changes nothing.',
  access: allow('invoice:collect', policyResource),
  response: { status: 204, body: null },
  errors: [],
  handler: async ({ row: policy, actor, requestId, db, deps }) => {
    await switchOff({ policy, actor, requestId, db, deps });
    return null;
  },
});

export const policyAutopayRoutes = [getAutopay, setUpAutopay, switchAutopayOff];
