// An insured's autopay in the policyholder portal. Decision 0165, Contract 3.7 "Portal".
import { findPolicy } from '../../../db/queries/policy/policies.ts';
import { allow } from '../../spine/access.ts';
import { type OrganizationDatabase, route } from '../../spine/route.ts';
import { notFound } from '../../spine/validation.ts';
import { AutopaySchema, AutopaySetupInputSchema, AutopaySetupSchema } from '../billing/autopay/autopay.wire.ts';
import { beginSetup, readAutopay, switchOff } from '../billing/autopay/setup.ts';
import { PORTAL } from './own-rows.ts';

const facts = { ...PORTAL, path: '/portal/autopay', access: allow('portal:use') } as const;

const getAutopay = route({
  ...facts,
  method: 'get',
  operationId: 'getPortalAutopay',
  summary: "Read the insured's autopay",
  description:
    'It shows the card that is charged, the terms that the insured agreed to, and the terms to show before they enter a card. No full card number is kept: only the processor has it.',
  response: { status: 200, body: AutopaySchema },
  errors: ['not_found'],
  handler: async ({ actor, db }) => readAutopay({ policy: await ownPolicyOf(db, actor.id), db }),
});

const setUpAutopay = route({
  ...facts,
  method: 'post',
  operationId: 'setUpPortalAutopay',
  summary: 'Set up autopay',
  description:
    'Show the terms first, and send their version. With the client secret, the browser or app sends the card to the processor; autopay is active as soon as the processor has confirmed the card.',
  body: AutopaySetupInputSchema,
  response: { status: 201, body: AutopaySetupSchema },
  errors: ['not_found', 'payment_declined'],
  secretFields: ['clientSecret'],
  handler: async ({ body, actor, requestId, db, deps }) => {
    const policy = await ownPolicyOf(db, actor.id);
    return beginSetup({ policy, actor, requestId, db, deps }, body.termsVersion);
  },
});

const switchAutopayOff = route({
  ...facts,
  method: 'delete',
  operationId: 'deletePortalAutopay',
  summary: 'Switch off autopay',
  description:
    'No further bill is charged, and the card is removed at the processor. A charge that is already under way is not cancelled. A repeated call changes nothing.',
  response: { status: 204, body: null },
  errors: ['not_found'],
  handler: async ({ actor, requestId, db, deps }) => {
    await switchOff({ policy: await ownPolicyOf(db, actor.id), actor, requestId, db, deps });
    return null;
  },
});

export const portalAutopayRoutes = [getAutopay, setUpAutopay, switchAutopayOff];

async function ownPolicyOf(db: OrganizationDatabase, policyId: string) {
  const policy = await db.read((em) => findPolicy(em, policyId));
  if (policy === null) throw notFound('policy');
  return policy;
}
