// The devices on which an insured wants notifications. A device belongs to the last insured who registered it. Spec
// 4.14, Contract 3.7 "Portal".
import { z } from 'zod';
import { findPolicy } from '../../../db/queries/policy/policies.ts';
import { registerPushToken } from '../../../db/queries/portal/push-tokens.ts';
import { PUSH_PLATFORMS, PUSH_TOKEN_MAX_CHARACTERS } from '../../../domain/portal/push.ts';
import { allow } from '../../spine/access.ts';
import { route } from '../../spine/route.ts';
import { idReference, instant } from '../../spine/schemas.ts';
import { notFound } from '../../spine/validation.ts';
import { instantToWire } from '../billing/charges.wire.ts';
import { PORTAL } from './own-rows.ts';

const device = {
  token: z
    .string()
    .max(PUSH_TOKEN_MAX_CHARACTERS)
    .regex(/^[\x21-\x7e]+$/, 'A push token must have only visible ASCII characters.')
    .meta({ description: 'The token of the device at the push service.' }),
  platform: z.enum(PUSH_PLATFORMS),
};

const registerDevice = route({
  ...PORTAL,
  method: 'post',
  path: '/portal/push-tokens',
  operationId: 'registerPushToken',
  summary: 'Register a device for notifications',
  description:
    'A device that is registered again keeps its id. A device registered to another insured is moved to this one.',
  access: allow('portal:use'),
  body: z.strictObject(device).meta({ id: 'PushTokenInput' }),
  response: {
    status: 201,
    body: z
      .strictObject({
        id: idReference('pushToken'),
        orgId: idReference('organization'),
        ...device,
        createdAt: instant,
        updatedAt: instant,
      })
      .meta({ id: 'PushToken' }),
  },
  errors: ['not_found'],
  secretFields: ['token'],
  handler: ({ body: { token, platform }, actor, db }) =>
    db.answer(async (em) => {
      const policy = await findPolicy(em, actor.id);
      if (policy === null) throw notFound('policy');
      const { id, orgId, createdAt, updatedAt } = await registerPushToken(em, {
        ...{ insuredId: policy.insuredId, token, platform },
      });
      return { id, orgId, token, platform, createdAt: instantToWire(createdAt), updatedAt: instantToWire(updatedAt) };
    }),
});

export const pushTokenRoutes = [registerDevice];
