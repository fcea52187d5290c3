// The shapes of the audit log on the wire. Contract 3.7 "Audit".
import { z } from 'zod';
import {
  actorId,
  businessText,
  idReference,
  instant,
  isoDate,
  longText,
  pageQuery,
  pageSchema,
  recordId,
  requestReference,
} from '../../spine/schemas.ts';

const hash = z.string().meta({ description: 'SHA-256 in hex.', pattern: '^[0-9a-f]{64}$' });

const AuditEntrySchema = z
  .strictObject({
    id: idReference('audit'),
    orgId: idReference('organization'),
    at: instant,
    actor: z.strictObject({
      kind: z.string().meta({ description: '`user`, `api_key` or `machine`.' }),
      id: actorId,
      role: z.string().meta({ description: 'The role of the actor. It is `none` when no credential was valid.' }),
    }),
    action: z.string().meta({ description: 'The action, as `<resource>:<verb>`.', examples: ['submission:bind'] }),
    entity: z.strictObject({ type: z.string(), id: recordId.nullable() }),
    requestId: requestReference
      .nullable()
      .meta({ description: 'The id of the request. It is null when a date caused the action.' }),
    changes: z.array(
      z.strictObject({
        field: z.string(),
        before: z.unknown().meta({
          description: 'The value before. It is null when there was none; `withheld` replaces personal data.',
        }),
        after: z.unknown(),
      }),
    ),
    sealed: z
      .boolean()
      .meta({ description: 'Whether the entry is already in the hash chain. Sealing takes a few seconds.' }),
    seal: z
      .strictObject({ sequence: z.int(), hash, sealedAt: instant })
      .optional()
      .meta({ description: 'The seal that covers the entry; absent until it is sealed.' }),
  })
  .meta({ id: 'AuditEntry' });

export const AuditPageSchema = pageSchema('AuditEntry', AuditEntrySchema);

export const AuditListQuery = z.strictObject({
  ...pageQuery,
  actor: longText.optional().meta({ description: 'The id of a user or an API key, or `machine`.' }),
  entity: businessText.optional().meta({ description: 'The id of an entity, or a kind of entity such as `policy`.' }),
  requestId: requestReference
    .optional()
    .meta({ description: 'Only entries of this request: the `requestId` of its answer.' }),
  from: isoDate.optional().meta({ description: 'The first day, in UTC.' }),
  to: isoDate.optional().meta({ description: 'The last day, in UTC.' }),
});

export type AuditEntryWire = z.output<typeof AuditEntrySchema>;
