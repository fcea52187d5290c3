// The shapes of webhook subscriptions and their deliveries on the wire. Spec 2.8, 4.8, Contract 3.6.
import { z } from 'zod';
import { DELIVERY_STATUSES } from '../../../domain/delivery/delivery.ts';
import { SUBSCRIPTION_STATUSES } from '../../../domain/delivery/subscription.ts';
import { EVENT_TYPES, SUBSCRIBABLE_EVENTS } from '../../../domain/events.ts';
import { WEBHOOK_SECRET_OVERLAP_HOURS, WEBHOOK_URL_MAX_CHARACTERS } from '../../../domain/limits.ts';
import { idReference, instant, longText, pageQuery, pageSchema, sentInstant } from '../../spine/schemas.ts';

const url = z
  .string()
  .trim()
  .min(1)
  .max(WEBHOOK_URL_MAX_CHARACTERS)
  .refine((value) => /^[^\s\p{Cc}\p{Cs}]*$/u.test(value), {
    error: 'A URL must not contain blanks or control characters.',
    params: { rule: 'format' },
  })
  .meta({
    description:
      'An https address that leads to the public internet, on port 443 or from 1024 on. Outside production, http is allowed to this machine.',
    examples: ['https://hooks.example.com/bindery'],
  });

const events = z
  .array(z.enum(SUBSCRIBABLE_EVENTS as [string, ...string[]]))
  .min(1)
  .max(SUBSCRIBABLE_EVENTS.length)
  .meta({
    description: 'Names of events. `*` stands for all of them, and `claim.opened` for `claim.filed`.',
    examples: [['policy.bound', 'invoice.paid']],
  });

export const WebhookCreateSchema = z
  .strictObject({ url, events, description: longText.nullable().default(null) })
  .meta({ id: 'WebhookCreate' });

export const WebhookChangesSchema = z
  .strictObject({ url: url.optional(), events: events.optional(), description: longText.nullable().optional() })
  .refine((changes) => Object.keys(changes).length > 0, {
    error: 'Name at least one field to change.',
    params: { rule: 'no_change' },
  })
  .meta({ id: 'WebhookChanges', minProperties: 1 });

const webhookFields = {
  id: idReference('webhookSubscription'),
  orgId: idReference('organization'),
  url: z.string(),
  events: z.array(z.string()),
  description: z.string().nullable(),
  active: z.boolean().meta({ description: 'False while the webhook is paused, and after its deletion.' }),
  status: z.enum(SUBSCRIPTION_STATUSES),
  previousSecretExpiresAt: instant.nullable().meta({
    description: 'The time until which the previous secret also signs. Null when there is none.',
  }),
  version: z.int(),
  createdAt: instant,
  updatedAt: instant,
};

const secret = z
  .string()
  .meta({
    description: 'The key of the signatures, 64 characters that are used as text. It is shown only once.',
    examples: ['9f0c…'],
  })
  .optional();

export const WebhookSchema = z.strictObject(webhookFields).meta({ id: 'Webhook' });
export const WebhookPageSchema = pageSchema('Webhook', WebhookSchema);
export const CreatedWebhookSchema = z.strictObject({ secret, ...webhookFields }).meta({
  id: 'CreatedWebhook',
  description: `A webhook with a new secret. After a rotation, the previous secret also signs for ${WEBHOOK_SECRET_OVERLAP_HOURS} hours.`,
});

export const WebhookListQuery = z.strictObject({
  ...pageQuery,
  status: z.enum(SUBSCRIPTION_STATUSES).optional(),
});

const deliveryError = z.string().meta({
  description: 'Why it was not delivered: `http_status`, `redirect`, `timeout`, `connection_refused` and others.',
});

const attemptFields = {
  statusCode: z.int().nullable().meta({ description: "The receiver's status. It is null when there was no answer." }),
  latencyMs: z.int().nullable(),
};

export const WebhookTestSchema = z
  .strictObject({
    delivered: z.boolean().meta({ description: 'Whether the receiver answered with a 2xx status.' }),
    ...attemptFields,
    deliveryId: idReference('webhookDelivery'),
    error: deliveryError.optional(),
  })
  .meta({ id: 'WebhookTest' });

export const WebhookDeliverySchema = z
  .strictObject({
    id: idReference('webhookDelivery'),
    uuid: z.string().meta({ description: 'The same id as a UUID, as in `X-Service-Delivery`.' }),
    orgId: idReference('organization'),
    webhookId: idReference('webhookSubscription'),
    eventId: idReference('event'),
    eventType: z.enum(EVENT_TYPES),
    status: z.enum(DELIVERY_STATUSES).meta({
      description:
        '`pending` waits, `sending` is under way, `unknown`: the sender stopped before your response arrived, so you may have received it.',
    }),
    ...attemptFields,
    response: z.string().nullable().meta({ description: 'The first 2 KiB of the response.' }),
    error: deliveryError.nullable(),
    redeliveryOf: z.string().nullable().meta({ description: 'The delivery that this one repeats.' }),
    attemptedAt: instant.nullable(),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'WebhookDelivery' });
export const WebhookDeliveryPageSchema = pageSchema('WebhookDelivery', WebhookDeliverySchema);

const when = (description: string) => sentInstant.optional().meta({ description });

export const WebhookDeliveryListQuery = z.strictObject({
  ...pageQuery,
  status: z.enum(DELIVERY_STATUSES).optional(),
  eventType: z.enum(EVENT_TYPES).optional(),
  eventId: idReference('event').optional(),
  from: when('Only deliveries created at this instant or later.'),
  to: when('Only deliveries created at this instant or earlier.'),
});

export type WebhookWire = z.output<typeof WebhookSchema>;
export type WebhookDeliveryWire = z.output<typeof WebhookDeliverySchema>;
