// Identity inquiries: the verifier asks a producer who they are. Its event makes the producer active. Spec 6.5.

import { z } from 'zod';
import type { Producer } from '../../../db/entities/distribution/producer.ts';
import { lockProducer } from '../../../db/queries/distribution/producers.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import { ensureUnverified } from '../../../domain/distribution/producer.ts';
import type { IdentityVerifier, StartedInquiry } from '../../../providers/ports.ts';
import { allow } from '../../spine/access.ts';
import { route } from '../../spine/route.ts';
import { externalId, idParam, idReference } from '../../spine/schemas.ts';
import { producerOfPath } from '../distribution/producers.ts';
import { present } from '../rows.ts';

const InquirySchema = z
  .strictObject({
    producerId: idReference('producer'),
    inquiryId: externalId,
    url: z
      .string()
      .nullable()
      .meta({ description: 'The address where the producer verifies their identity. It needs no credential.' }),
  })
  .meta({ id: 'IdentityInquiry' });

const startInquiry = route({
  method: 'post',
  path: '/producers/:id/identity-inquiry',
  operationId: 'startIdentityInquiry',
  tag: 'Producers',
  spec: '6.5',
  summary: 'Start an identity inquiry at the verifier',
  description:
    'The producer becomes active when the verifier reports that the inquiry is completed. If an inquiry is already open, it continues, and the response has a new link to it.',
  access: allow('producer:update', producerOfPath),
  params: z.strictObject({ id: idParam('producer') }),
  response: { status: 201, body: InquirySchema },
  errors: ['invalid_state_transition'],
  secretFields: ['url'],
  handler: async ({ row, actor, requestId, db, command, deps }) => {
    ensureUnverified(row);
    const { inquiryId, url } = await inquiryAbout(row, command.seedUuid, deps.identityVerifier);
    if (inquiryId === row.identity?.inquiryId) return { producerId: row.id, inquiryId, url };
    await db.transaction(async (em) => {
      const producer = present(await lockProducer(em, row.id));
      // The verifier may have been faster.
      if (producer.identity?.completedAt || producer.identity?.inquiryId === inquiryId) return;
      producer.identity = { inquiryId, completedAt: null };
      const changes = { inquiryId };
      const entity = { entityType: 'producer', entityId: producer.id };
      writeAudit(em, { actor, action: 'producer:start_inquiry', ...entity, requestId, changes });
      await em.flush();
    });
    return { producerId: row.id, inquiryId, url };
  },
});

export const identityInquiryRoutes = [startInquiry];

/**
 * Continues the open inquiry, or starts one. Simultaneous callers start the same one: its key names the producer and
 * the previous inquiry.
 */
async function inquiryAbout(
  { id: producerId, identity }: Pick<Producer, 'id' | 'identity'>,
  callKey: string,
  verifier: IdentityVerifier,
): Promise<StartedInquiry> {
  const inquiryId = identity?.inquiryId ?? null;
  const open = inquiryId && (await verifier.continueInquiry({ idempotencyKey: callKey, inquiryId }));
  return open || verifier.startInquiry({ idempotencyKey: `${producerId}-${inquiryId ?? 'first'}`, producerId });
}
