// The commission agreed with one producer, in place of the line's schedule. A version is added, never changed.
import { z } from 'zod';
import type { ProducerTerm } from '../../../db/entities/distribution/producer-term.ts';
import { addProducerTerm, producerTermsOn } from '../../../db/queries/distribution/producer-terms.ts';
import { lockProducer } from '../../../db/queries/distribution/producers.ts';
import { pageWithin } from '../../../db/queries/pages.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import { commissionScheduleOn } from '../../../db/queries/submission/rates.ts';
import { auditedChanges } from '../../../domain/audit.ts';
import { leavesCarrierItsPart, SHARES_MAX } from '../../../domain/billing/commission.ts';
import { validationError } from '../../../domain/errors.ts';
import { allow } from '../../spine/access.ts';
import { route } from '../../spine/route.ts';
import {
  actorId,
  idParam,
  idReference,
  instant,
  isoDate,
  lineOfBusiness,
  pageQuery,
  pageSchema,
  pageToWire,
} from '../../spine/schemas.ts';
import { instantToWire } from '../billing/charges.wire.ts';
import { commissionShare, sharesAbove } from '../billing/commission-schedules.schemas.ts';
import { present } from '../rows.ts';
import { producerOfPath } from './producers.ts';

const facts = { tag: 'Producers', spec: 'Contract 3.7', errors: [], path: '/producers/:id/commission-terms' } as const;
const params = z.strictObject({ id: idParam('producer') });

const agentRate = commissionShare
  .nullable()
  .meta({ description: 'Share of gross premium. Null: the schedule of the line applies again.', examples: ['0.14'] });

const TermSchema = z
  .strictObject({
    id: idReference('producerTerm'),
    orgId: idReference('organization'),
    producerId: idReference('producer'),
    lineOfBusiness: z.string(),
    effectiveFrom: isoDate,
    agentRate,
    createdBy: actorId,
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'ProducerCommissionTerm' });

const listTerms = route({
  ...facts,
  method: 'get',
  operationId: 'listProducerCommissionTerms',
  summary: "List a producer's agreed commissions, one for each line",
  description:
    'A term replaces the tiers of the commission schedule for this producer and line. Choose the day with `asOf`; the default is today.',
  access: allow('commission_terms:read', producerOfPath),
  params,
  query: z.strictObject({
    ...pageQuery,
    asOf: isoDate.optional().meta({ description: 'The terms in force on this date. Default: today.' }),
  }),
  response: { status: 200, body: pageSchema('ProducerCommissionTerm', TermSchema) },
  handler: async ({ row, query: { asOf, ...page }, org, db }) =>
    pageToWire(pageWithin(await db.read((em) => producerTermsOn(em, row.id, asOf ?? org.today)), page), termToWire),
});

const putTerm = route({
  ...facts,
  method: 'put',
  operationId: 'putProducerCommissionTerm',
  summary: "Set a producer's commission for a line",
  description:
    'It applies to transactions issued on or after its first day. Transactions already issued keep their rates.',
  access: allow('commission_terms:write', producerOfPath),
  params,
  body: z
    .strictObject({
      lineOfBusiness,
      agentRate,
      effectiveFrom: isoDate.optional().meta({ description: 'The first day: today or later. Default: today.' }),
    })
    .meta({ id: 'ProducerCommissionTermWrite' }),
  response: { status: 200, body: TermSchema },
  handler: ({ row: { id: producerId }, body, actor, org, requestId, db }) =>
    db.transaction(async (em) => {
      const { lineOfBusiness: line, agentRate: rate, effectiveFrom = org.today } = body;
      if (effectiveFrom < org.today) {
        throw validationError('effectiveFrom', 'min', `effectiveFrom must not be before today, ${org.today}.`);
      }
      present(await lockProducer(em, producerId));
      const schedule = await commissionScheduleOn(em, line, effectiveFrom);
      ensureCarrierKeepsItsPart(rate, schedule?.schedule.mgaRate ?? '0');
      const inForce = await producerTermsOn(em, producerId, effectiveFrom);
      const before = inForce.find((each) => each.lineOfBusiness === line)?.agentRate ?? null;
      const term = addProducerTerm(em, {
        ...{ producerId, lineOfBusiness: line, effectiveFrom, agentRate: rate, createdBy: actor.id },
      });
      const changes = auditedChanges({ agentRate: before }, { agentRate: rate, lineOfBusiness: line, effectiveFrom });
      const about = { entityType: 'producer', entityId: producerId, requestId, changes };
      writeAudit(em, { actor, action: 'commission_terms:write', ...about });
      return termToWire(term);
    }),
});

export const commissionTermRoutes = [listTerms, putTerm];

/** @throws DomainError validation_failed for a rate that leaves the carrier less than half the premium */
function ensureCarrierKeepsItsPart(rate: string | null, mgaRate: string): void {
  if (rate === null || leavesCarrierItsPart(rate, mgaRate)) return;
  const what = `agentRate and the managing general agent's rate (${mgaRate}) together`;
  throw validationError('agentRate', 'max', sharesAbove(what), { max: SHARES_MAX });
}

function termToWire(term: ProducerTerm): z.output<typeof TermSchema> {
  const { id, orgId, producerId, lineOfBusiness: line, effectiveFrom, agentRate: rate, createdBy } = term;
  return {
    ...{ id, orgId, producerId, lineOfBusiness: line, effectiveFrom, agentRate: rate, createdBy },
    createdAt: instantToWire(term.createdAt),
    updatedAt: instantToWire(term.updatedAt),
  };
}
