// Producers: create, list, detail, change. What carriers authorize them to sell is in appointments.ts. Spec 4.10,
// Contract 3.7.
import type { EntityManager } from '@mikro-orm/postgresql';
import { z } from 'zod';
import { Producer } from '../../../db/entities/distribution/producer.ts';
import { isUniqueViolation } from '../../../db/faults.ts';
import { newId } from '../../../db/ids.ts';
import { endAppointments } from '../../../db/queries/distribution/ended-appointments.ts';
import { keepRenewals } from '../../../db/queries/distribution/producer-filings.ts';
import { isAbove } from '../../../db/queries/distribution/producer-terms.ts';
import { findProducer, listProducers, lockProducer } from '../../../db/queries/distribution/producers.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import { auditedChanges } from '../../../domain/audit.ts';
import { movedProducerStatus } from '../../../domain/distribution/producer.ts';
import { DomainError, validationError } from '../../../domain/errors.ts';
import { visibility } from '../../../domain/permissions.ts';
import { producerFacts } from '../../../plans/authority/resource-facts.ts';
import { allow, type Resource } from '../../spine/access.ts';
import { entityTag, reply } from '../../spine/reply.ts';
import { route } from '../../spine/route.ts';
import { idParam, pageToWire } from '../../spine/schemas.ts';
import { ensurePhoneNumber } from '../phone-number.ts';
import { present } from '../rows.ts';
import {
  ProducerChangesSchema,
  ProducerCreateSchema,
  ProducerListQuery,
  ProducerPageSchema,
  ProducerSchema,
} from './producers.schemas.ts';
import { auditedProducer, newProducer, producerToWire } from './producers.wire.ts';

const facts = { tag: 'Producers', spec: '4.10, Contract 3.7' } as const;
const params = z.strictObject({ id: idParam('producer') });
const entityType = 'producer';

const producerResource: Resource<Producer> = {
  name: entityType,
  load: findProducer,
  facts: producerFacts,
  version: ({ version }) => version,
};

/** The producer in a path to something else: there `If-Match` does not refer to the producer. */
export const producerOfPath: Resource<Producer> = { name: entityType, load: findProducer, facts: producerFacts };

const createProducer = route({
  ...facts,
  method: 'post',
  path: '/producers',
  operationId: 'createProducer',
  summary: 'Record a producer',
  description:
    'The national producer number must be new. A producer starts as pending and becomes active once their identity is verified; their licenses are checked at each quote and bind.',
  access: allow('producer:create'),
  body: ProducerCreateSchema,
  response: { status: 201, body: ProducerSchema },
  errors: ['already_exists'],
  handler: ({ body, actor, requestId, org, db, command, deps }) =>
    db.answer(async (em) => {
      const id = newId('producer', command.seedUuid);
      const row = newProducer(body);
      await ensureParent(em, id, row.parentId);
      const producer = em.create(Producer, { id, ...row }, { persist: true });
      await flushNumbered(em);
      await keepRenewals(em, [producer], deps.config.environment);
      const changes = auditedChanges(null, auditedProducer(row));
      writeAudit(em, { actor, action: 'producer:create', entityType, entityId: id, requestId, changes });
      return reply({ body: producerToWire(producer, org.today), etag: entityTag(id, producer.version) });
    }),
});

const listProducersRoute = route({
  ...facts,
  method: 'get',
  path: '/producers',
  operationId: 'listProducers',
  summary: 'List producers',
  description:
    'A user with the role producer sees the producers that they are a member of. `q` finds a part of the name, the e-mail address or the producer number.',
  access: allow('producer:read'),
  query: ProducerListQuery,
  response: { status: 200, body: ProducerPageSchema },
  errors: [],
  handler: async ({ query, actor, org, db }) => {
    const { limit, cursor, ...filter } = query;
    const seen = { visibility: visibility(actor, 'producer:read'), ...filter };
    const page = await db.read((em) => listProducers(em, seen, { limit, cursor }));
    return pageToWire(page, (producer) => producerToWire(producer, org.today));
  },
});

const getProducer = route({
  ...facts,
  method: 'get',
  path: '/producers/:id',
  operationId: 'getProducer',
  summary: 'Read a producer with their licenses',
  description:
    'It shows the licenses, the status and the progress of the identity check. The `ETag` of the response goes into `If-Match` when you change the producer.',
  access: allow('producer:read', producerResource),
  params,
  response: { status: 200, body: ProducerSchema },
  errors: [],
  handler: ({ row, org }) => producerToWire(row, org.today),
});

const changeProducer = route({
  ...facts,
  method: 'patch',
  path: '/producers/:id',
  operationId: 'changeProducer',
  summary: 'Change a producer',
  description:
    'A producer becomes active only when their identity has been verified. A suspended or terminated producer cannot ' +
    'place new business from that moment; policies in force are serviced, and renewals are referred. A termination ' +
    'ends the appointments too.',
  access: allow('producer:update', producerResource),
  params,
  body: ProducerChangesSchema,
  response: { status: 200, body: ProducerSchema },
  errors: ['invalid_state_transition'],
  handler: async ({ row: { id }, body, actor, requestId, org, db, ensureUnchanged, lifecycle, deps }) => {
    const { answer, ended } = await db.transaction(async (em) => {
      const producer = present(await lockProducer(em, id));
      ensureUnchanged(producer);
      ensurePhoneNumber('phone', body.phone, producer.phone);
      const before = auditedProducer(producer);
      await ensureParent(em, id, body.parentId ?? null);
      Object.assign(producer, body, { status: movedProducerStatus(producer, body.status ?? producer.status) });
      await keepRenewals(em, [producer], deps.config.environment);
      const isOver = producer.status === 'terminated';
      const ended = isOver ? await endAppointments(em, producer, { actor, requestId }) : [];
      const changes = auditedChanges(before, auditedProducer(producer));
      writeAudit(em, { actor, action: 'producer:update', entityType, entityId: id, requestId, changes });
      const answer = reply({ body: producerToWire(producer, org.today), etag: entityTag(id, producer.version) });
      return { answer, ended };
    });
    // The rows are what counts: no caller waits for the workflows.
    deps.inBackground('ending the workflows of appointments', lifecycle.endedAppointments(org.id, ended));
    return answer;
  },
});

export const producerRoutes = [createProducer, listProducersRoute, getProducer, changeProducer];

/** @throws DomainError validation_failed for a parent that does not exist or is below the producer */
async function ensureParent(em: EntityManager, id: string, parentId: string | null): Promise<void> {
  if (parentId === null) return;
  const isThere = (await findProducer(em, parentId)) !== null;
  if (isThere && !(await isAbove(em, id, parentId))) return;
  const message = isThere
    ? 'The parent cannot be the producer itself or one of its own sub-producers.'
    : 'There is no such producer.';
  throw validationError('parentId', 'unknown_reference', message);
}

/** @throws DomainError already_exists for a producer number that another producer has */
function flushNumbered(em: EntityManager): Promise<void> {
  return em.flush().catch((error: unknown) => {
    if (!isUniqueViolation(error, 'producers_npn_unique')) throw error;
    throw new DomainError('already_exists', 'A producer of the organization already has this producer number.');
  });
}
