// What an insured's devices are notified of: everything, until they mute a kind. Contract 3.7 "Portal", Decision 0122.
import { z } from 'zod';
import type { Insured } from '../../../db/entities/policy/insured.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import { findPolicy } from '../../../db/queries/policy/policies.ts';
import { findInsured, lockInsured } from '../../../db/queries/portal/profiles.ts';
import { auditedChanges } from '../../../domain/audit.ts';
import type { PushKind } from '../../../domain/portal/push.ts';
import { allow } from '../../spine/access.ts';
import { entityTag, type Reply, reply } from '../../spine/reply.ts';
import { route } from '../../spine/route.ts';
import { notFound } from '../../spine/validation.ts';
import { PORTAL } from './own-rows.ts';

/** Field on the wire → kind. */
const FIELDS = {
  paymentDue: 'payment_due',
  paymentFailed: 'payment_failed',
  claimMoved: 'claim_moved',
  documentReady: 'document_ready',
} as const satisfies Record<string, PushKind>;

const shape = {
  paymentDue: z.boolean().meta({ description: 'A bill falls due within 3 days.' }),
  paymentFailed: z.boolean().meta({ description: 'A payment failed or was returned.' }),
  claimMoved: z.boolean().meta({ description: 'The status of a claim has changed.' }),
  documentReady: z.boolean().meta({ description: 'A document was made for the insured.' }),
};

const PreferencesSchema = z.strictObject(shape).meta({ id: 'PushPreferences' });
const ChangeSchema = z
  .strictObject(shape)
  .partial()
  .meta({ id: 'PushPreferencesChange', description: 'Fields that you leave out stay as they are.' });

const path = '/portal/push-preferences';

const readPreferences = route({
  ...PORTAL,
  isTagged: true,
  method: 'get',
  path,
  operationId: 'getPushPreferences',
  summary: "Read the insured's notification preferences",
  description: 'Each preference switches one kind of notification on or off. Change them with PUT.',
  access: allow('portal:use'),
  response: { status: 200, body: PreferencesSchema },
  errors: ['not_found'],
  handler: async ({ actor, db }) =>
    db.read(async (em) => {
      const policy = await findPolicy(em, actor.id);
      if (policy === null) throw notFound('policy');
      return preferencesReply(await findInsured(em, policy.insuredId));
    }),
});

const changePreferences = route({
  ...PORTAL,
  isTagged: true,
  method: 'put',
  path,
  operationId: 'changePushPreferences',
  summary: "Change the insured's notification preferences",
  description:
    'It applies to every device of the insured, and to notifications not sent yet. What you leave out keeps its setting.',
  access: allow('portal:use'),
  body: ChangeSchema,
  response: { status: 200, body: PreferencesSchema },
  errors: ['not_found', 'precondition_failed'],
  handler: ({ body, actor, requestId, db, ensureUnchanged }) =>
    db.transaction(async (em) => {
      const policy = await findPolicy(em, actor.id);
      if (policy === null) throw notFound('policy');
      const insured = await lockInsured(em, policy.insuredId);
      ensureUnchanged(insured);
      const before = preferencesOf(insured);
      const after = { ...before, ...body };
      insured.mutedPushes = Object.entries(FIELDS).flatMap(([field, kind]) =>
        after[field as keyof typeof FIELDS] ? [] : [kind],
      );
      const about = { action: 'push_preferences:update', entityType: 'insured', entityId: insured.id };
      writeAudit(em, { ...about, actor, requestId, changes: auditedChanges(before, after) });
      await em.flush();
      return preferencesReply(insured);
    }),
});

export const pushPreferenceRoutes = [readPreferences, changePreferences];

function preferencesOf({ mutedPushes }: Pick<Insured, 'mutedPushes'>): z.output<typeof PreferencesSchema> {
  const wants = Object.entries(FIELDS).map(([field, kind]) => [field, !mutedPushes.includes(kind)]);
  return Object.fromEntries(wants) as z.output<typeof PreferencesSchema>;
}

function preferencesReply(insured: Insured): Reply {
  return reply({ body: preferencesOf(insured), etag: entityTag(insured.id, insured.version) });
}
