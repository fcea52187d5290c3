// Submissions: create, complete, end, read. Quote and bind are in quotes.ts. Spec 4.4, Contract 3.1.
import type { EntityManager } from '@mikro-orm/postgresql';
import { z } from 'zod';
import type { Submission } from '../../../db/entities/submission/submission.ts';
import { newId } from '../../../db/ids.ts';
import { referralIdsOf } from '../../../db/queries/authority/referrals.ts';
import { findProducer } from '../../../db/queries/distribution/producers.ts';
import {
  findSubmission,
  latestQuote,
  latestQuotes,
  listSubmissions,
} from '../../../db/queries/submission/submissions.ts';
import { startOfDayMs } from '../../../domain/business-day.ts';
import { addDays, type BusinessDate } from '../../../domain/dates.ts';
import { ensureSells } from '../../../domain/distribution/producer.ts';
import { validationError } from '../../../domain/errors.ts';
import { FILE_MAX_BYTES } from '../../../domain/limits.ts';
import { type Actor, ensureMay, producerOfNewSubmission, visibility } from '../../../domain/permissions.ts';
import { nextSubmissionStatus } from '../../../domain/submission/submission.ts';
import { submissionFacts } from '../../../plans/authority/resource-facts.ts';
import { allow, type Resource } from '../../spine/access.ts';
import { entityTag, type Reply, reply } from '../../spine/reply.ts';
import { route } from '../../spine/route.ts';
import { idParam, pageToWire } from '../../spine/schemas.ts';
import { ensurePhoneNumber } from '../phone-number.ts';
import { ensureBeforeCommand, ensureOpen, present } from '../rows.ts';
import { INTAKE_DEADLINE_MS, PDF, takeForm } from './form-intake.ts';
import { sightOf } from './sight.ts';
import {
  DeclineSchema,
  SubmissionChangesSchema,
  SubmissionCreateSchema,
  SubmissionDetailSchema,
  SubmissionListQuery,
  SubmissionPageSchema,
  WithdrawSchema,
} from './submissions.schemas.ts';
import {
  quotedSubmissionToWire,
  submissionChanges,
  submissionDetailToWire,
  submissionFields,
  submissionToWire,
} from './submissions.wire.ts';

const TAG = 'Submissions';
const params = z.strictObject({ id: idParam('submission') });

export const submissionResource: Resource<Submission> = {
  name: 'submission',
  load: findSubmission,
  facts: submissionFacts,
  version: ({ version }) => version,
};

const createSubmission = route({
  method: 'post',
  path: '/submissions',
  operationId: 'createSubmission',
  tag: TAG,
  spec: '4.4, Contract 3.1',
  summary: 'Submit a risk',
  description:
    'The response already has the triage. A likely duplicate is accepted and named in `clearance`. You can also send an ACORD 125 as a PDF, by itself or as the part `file` of a form: `intake` shows where each value was found, and `missingFields` lists the fields that the form leaves blank. If the form gives no limit, 1,000,000 is assumed until you confirm it.',
  access: allow('submission:create'),
  file: { maxBytes: FILE_MAX_BYTES, inPlaceOfJson: { contentTypes: [PDF] } },
  body: SubmissionCreateSchema,
  response: { status: 201, body: SubmissionDetailSchema },
  errors: ['not_ready', 'unreadable_document'],
  deadlineMs: INTAKE_DEADLINE_MS,
  handler: async ({ body, file, actor, org, db, lifecycle, command, deps }) => {
    const producerId = producerOfNew(actor, file === null ? body.producerId : undefined);
    await db.read((em) => ensureProducer(em, actor, producerId));
    ensureMay(actor, 'submission:create', { orgId: org.id, producerId });
    // A form is stored before the command is carried out, so a producer who may not place business is refused first.
    await ensureBeforeCommand({ db, command }, (em) => ensurePlacesBusiness(em, producerId));
    const id = newId('submission', command.seedUuid);
    const fields =
      file === null
        ? submissionFields(body, producerId)
        : { ...(await takeForm(file, { id, actor, org, db, deps, seedUuid: command.seedUuid })), producerId };
    await lifecycle.createSubmission(command(fields, id));
    return db.read((em) => submissionReply(em, id, { actor, today: org.today }));
  },
});

const listSubmissionsRoute = route({
  method: 'get',
  path: '/submissions',
  operationId: 'listSubmissions',
  tag: TAG,
  spec: '4.4, Contract 3.1',
  summary: 'List submissions',
  description:
    'A producer sees the submissions of their own agencies; everybody else sees those of the organization. With `expand=quote` each row carries its latest quote.',
  access: allow('submission:read'),
  query: SubmissionListQuery,
  response: { status: 200, body: SubmissionPageSchema },
  errors: [],
  handler: async ({ query, actor, org, db }) => {
    const { createdFrom, createdTo, limit, cursor, sort, expand, ...filter } = query;
    const created = {
      createdFrom: createdFrom ? startOfDay(createdFrom) : undefined,
      createdBefore: createdTo ? startOfDay(addDays(createdTo, 1)) : undefined,
    };
    const seen = { visibility: visibility(actor, 'submission:read'), ...filter, ...created };
    return db.read(async (em) => {
      const page = await listSubmissions(em, seen, { limit, cursor, sort });
      const quotes = expand === undefined ? null : await latestQuotes(em, page.data);
      const sight = await sightOf(em, actor, [...page.data, ...(quotes?.values() ?? [])]);
      if (quotes === null) return pageToWire(page, (each) => submissionToWire(each, sight));
      return pageToWire(page, (submission) => {
        const quote = quotes.get(submission.id) ?? null;
        return quotedSubmissionToWire({ submission, quote }, org.today, sight);
      });
    });
  },
});

const getSubmission = route({
  method: 'get',
  path: '/submissions/:id',
  operationId: 'getSubmission',
  tag: TAG,
  spec: '4.4, Contract 3.1',
  summary: 'Read a submission with its triage and its latest quote',
  description:
    'It shows what the insured stated, the triage score with its factors, and the latest quote if there is one. The `ETag` of the response goes into `If-Match` when you correct the submission.',
  access: allow('submission:read', submissionResource),
  params,
  response: { status: 200, body: SubmissionDetailSchema },
  errors: [],
  handler: ({ row, actor, org, db }) => db.read((em) => submissionDetail(em, row, { actor, today: org.today })),
});

const correctSubmission = route({
  method: 'patch',
  path: '/submissions/:id',
  operationId: 'correctSubmission',
  tag: TAG,
  spec: 'Contract 3.1',
  summary: 'Complete or correct a submission while it is open',
  description:
    'A correction that affects triage, rating or authority supersedes the quote. A submission that is bound or has ended is not changed; the call returns 422.',
  access: allow('submission:update', submissionResource),
  params,
  body: SubmissionChangesSchema,
  response: { status: 200, body: SubmissionDetailSchema },
  errors: ['invalid_state_transition', 'not_ready'],
  handler: async ({ row, body, actor, org, db, lifecycle, command }) => {
    ensurePhoneNumber('insuredPhone', body.insuredPhone, row.insuredPhone);
    await db.read((em) => ensureProducer(em, actor, body.producerId ?? null));
    await ensureOpen(row, { db, command }, () => nextSubmissionStatus(row.status, 'correct'));
    await lifecycle.correctSubmission(command(submissionChanges(body), row.id));
    return db.read((em) => submissionReply(em, row.id, { actor, today: org.today }));
  },
});

const withdrawSubmission = route({
  method: 'post',
  path: '/submissions/:id/withdraw',
  operationId: 'withdrawSubmission',
  tag: TAG,
  spec: 'Contract 3.1',
  summary: 'Withdraw a submission',
  description:
    'Record that the insured or the producer no longer wants a quote. A submission that is bound or has ended is not changed; the call returns 422.',
  access: allow('submission:withdraw', submissionResource),
  params,
  body: WithdrawSchema,
  response: { status: 200, body: SubmissionDetailSchema },
  errors: ['invalid_state_transition'],
  handler: async ({ row, body, actor, org, db, lifecycle, command }) => {
    await ensureOpen(row, { db, command }, () => nextSubmissionStatus(row.status, 'withdraw'));
    await lifecycle.withdrawSubmission(command(body, row.id));
    return db.read((em) => submissionReply(em, row.id, { actor, today: org.today }));
  },
});

const declineSubmission = route({
  method: 'post',
  path: '/submissions/:id/decline',
  operationId: 'declineSubmission',
  tag: TAG,
  spec: 'Contract 3.1',
  summary: 'Decline a submission',
  description:
    'Record that you will not write the risk. A submission that is bound or has ended is not changed; the call returns 422.',
  access: allow('submission:decline', submissionResource),
  params,
  body: DeclineSchema,
  response: { status: 200, body: SubmissionDetailSchema },
  errors: ['invalid_state_transition'],
  handler: async ({ row, body, actor, org, db, lifecycle, command }) => {
    await ensureOpen(row, { db, command }, () => nextSubmissionStatus(row.status, 'decline'));
    await lifecycle.declineSubmission(command(body, row.id));
    return db.read((em) => submissionReply(em, row.id, { actor, today: org.today }));
  },
});

export const submissionRoutes = [
  createSubmission,
  listSubmissionsRoute,
  getSubmission,
  correctSubmission,
  withdrawSubmission,
  declineSubmission,
];

interface Reading {
  actor: Actor;
  today: BusinessDate;
}

async function submissionDetail(em: EntityManager, submission: Submission, { actor, today }: Reading) {
  const quote = await latestQuote(em, submission.id);
  const referralIds = await referralIdsOf(em, submission.id);
  const sight = await sightOf(em, actor, [submission, quote]);
  return submissionDetailToWire({ submission, quote, referralIds }, today, sight);
}

/** The submission after a step, with the tag of its new version. */
async function submissionReply(em: EntityManager, id: string, reading: Reading): Promise<Reply> {
  const submission = present(await findSubmission(em, id));
  const body = await submissionDetail(em, submission, reading);
  return reply({ body, etag: entityTag(id, submission.version) });
}

/** @throws DomainError validation_failed, rule required, if a member of several producers names none */
function producerOfNew(actor: Actor, requested: string | undefined): string | null {
  const producerId = producerOfNewSubmission(actor, requested);
  if (producerId !== null || actor.role !== 'producer' || actor.producerIds.length < 2) return producerId;
  throw validationError(
    'producerId',
    'required',
    'You belong to several producers. Send producerId to say which one submits the risk.',
  );
}

/**
 * Rejects a producer that does not exist or that a producer caller does not belong to: both look the same.
 * @throws DomainError validation_failed, rule unknown_reference
 */
async function ensureProducer(em: EntityManager, actor: Actor, producerId: string | null): Promise<void> {
  if (producerId === null) return;
  const isSeen = actor.role !== 'producer' || actor.producerIds.includes(producerId);
  if (isSeen && (await findProducer(em, producerId))) return;
  throw validationError('producerId', 'unknown_reference', 'There is no such producer.');
}

/** @throws DomainError not_ready for a producer who is suspended or terminated */
async function ensurePlacesBusiness(em: EntityManager, producerId: string | null): Promise<void> {
  const producer = producerId === null ? null : await findProducer(em, producerId);
  if (producer) ensureSells(producer.status);
}

/** Instants are real time regardless of the test clock, so the filter uses UTC days. */
function startOfDay(date: BusinessDate): Date {
  return new Date(startOfDayMs(date, 0));
}
