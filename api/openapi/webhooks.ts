// The `webhooks` of the OpenAPI document: what receivers are sent, and how they respond. Spec 6.1, 6.2.
import type { SchemaComponents } from './components.ts';
import { CATALOGUED_EVENTS } from './event-catalogue.ts';

const header = (name: string, description: string, required = true) => ({
  ...{ name, in: 'header', required, description },
  schema: { type: 'string' },
});

const HEADERS = [
  header('X-Service-Signature', '`sha256=` and the hex HMAC-SHA256 of the raw body, keyed with the secret as text.'),
  header('X-Service-Signature-Previous', 'The same with the previous secret, for 24 hours after a rotation.', false),
  header('X-Service-Event', 'The type of the event.'),
  header('X-Service-Delivery', 'The UUID of the delivery.'),
  header('webhook-id', 'The id of the event, as Standard Webhooks names it.'),
  header('webhook-timestamp', 'When it was sent, in seconds since 1970.'),
  header('webhook-signature', 'Signatures of id, timestamp and body, as Standard Webhooks describes them.'),
];

const RESPONSES = {
  '2XX': { description: 'Accepted. Any other answer is a failure and is not tried again; a redirect is not followed.' },
};

const DESCRIPTION =
  'The event is sent once: answer within 10 seconds and do the work afterwards. Keep its `id`, and ignore an event ' +
  'whose `id` you already have: a redelivery carries the same one.';

/** Describes every kind of event, and adds its shape to the components. */
export function webhooksOf(components: SchemaComponents): Record<string, object> {
  const described = CATALOGUED_EVENTS.map(({ type, summary, envelope, example }) => {
    const content = { 'application/json': { schema: components.of(envelope, 'output'), example } };
    const post = {
      operationId: operationIdOf(type),
      summary,
      description: DESCRIPTION,
      tags: ['Webhooks'],
      security: [],
      parameters: HEADERS,
      responses: RESPONSES,
    };
    return [type, { post: { ...post, requestBody: { required: true, content } } }] as const;
  });
  return Object.fromEntries(described);
}

/** `policy.cancellation_scheduled` → `onPolicyCancellationScheduled`, the name of the receiver's handler. */
function operationIdOf(type: string): string {
  const words = type.split(/[._]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `on${words.join('')}`;
}
