// What a submission leads to: quote, readiness check, bind. Spec 4.4, Contract 3.1.
import type { EntityManager } from '@mikro-orm/postgresql';
import { z } from 'zod';
import type { Submission } from '../../../db/entities/submission/submission.ts';
import { findPolicyWithInvoices } from '../../../db/queries/billing/invoices.ts';
import {
  findQuote,
  findQuotedSubmission,
  latestQuote,
  type QuotedSubmission,
} from '../../../db/queries/submission/submissions.ts';
import type { BusinessDate } from '../../../domain/dates.ts';
import { DomainError } from '../../../domain/errors.ts';
import { ensureMay } from '../../../domain/permissions.ts';
import { ensureBindable } from '../../../domain/submission/bind.ts';
import { ensureQuotable } from '../../../domain/submission/submission.ts';
import { quotedFacts, unpricedFacts } from '../../../plans/authority/resource-facts.ts';
import { bindObstacles } from '../../../plans/submission/bind-obstacles.ts';
import { prepareQuotation } from '../../../plans/submission/quotation.ts';
import { allow, type Resource } from '../../spine/access.ts';
import { reply } from '../../spine/reply.ts';
import { route } from '../../spine/route.ts';
import { idParam } from '../../spine/schemas.ts';
import { ensureOpen, present } from '../rows.ts';
import {
  BindSchema,
  BoundPolicySchema,
  QuotePreviewSchema,
  QuoteQuery,
  QuoteSchema,
  ReadinessSchema,
} from './quotes.schemas.ts';
import { boundPolicyToWire, previewToWire, quoteToWire, readinessToWire } from './quotes.wire.ts';
import { sightOf } from './sight.ts';
import { submissionResource } from './submissions.ts';

const TAG = 'Submissions';
const params = z.strictObject({ id: idParam('submission') });

/** The premium of the latest quote counts against the caller's own authority. */
const quotedSubmission: Resource<QuotedSubmission> = {
  name: 'submission',
  load: findQuotedSubmission,
  facts: ({ submission, quote }) => {
    if (quote === null) return unpricedFacts(submission);
    const { grossPremiumCents: premiumCents, daFlags: flags, approvalId } = quote;
    return quotedFacts(submission, { premiumCents, flags, approvalId });
  },
  version: ({ submission }) => submission.version,
};

/** A submission whose figures are not known yet: the price and its flags are checked once they are. */
const unpricedSubmission: Resource<Submission> = { ...submissionResource, facts: unpricedFacts };

/** Reads the facts that decide quoting a submission now: its price, as far as it can be priced. */
export async function factsToQuote(em: EntityManager, submission: Submission, today: BusinessDate) {
  try {
    const quotation = await prepareQuotation(em, submission, today);
    return quotedFacts(submission, { ...quotation, premiumCents: quotation.price.premiumCents });
  } catch (error) {
    if (error instanceof DomainError) return unpricedFacts(submission);
    throw error;
  }
}

const quoteSubmission = route({
  method: 'post',
  path: '/submissions/:id/quote',
  operationId: 'quoteSubmission',
  tag: TAG,
  spec: '4.4, Contract 3.1',
  summary: 'Rate a submission and issue a quote',
  description:
    'A refer flag opens a referral. The new quote supersedes earlier ones. With `preview`, nothing is written.',
  access: allow('submission:quote', unpricedSubmission),
  params,
  query: QuoteQuery,
  response: { status: 201, body: QuoteSchema },
  alternates: [{ status: 200, body: QuotePreviewSchema, description: 'The preview. Nothing was written.' }],
  errors: ['not_ready', 'invalid_state_transition'],
  handler: async ({ row, query, actor, org, db, lifecycle, command }) => {
    if (query.preview) {
      const quotation = await db.read((em) => prepareQuotation(em, row, org.today));
      const { premiumCents } = quotation.price;
      ensureMay(actor, 'submission:quote', quotedFacts(row, { ...quotation, premiumCents }));
      const last = await db.read((em) => latestQuote(em, row.id));
      const sight = await db.read((em) => sightOf(em, actor, [{ daFlags: quotation.flags }]));
      return reply({ status: 200, body: previewToWire(row, quotation, { last, sight }) });
    }
    await ensureOpen(row, { db, command }, () => ensureQuotable(row.status, row));
    const { quoteId } = await lifecycle.quoteSubmission(command({}, row.id));
    return db.read(async (em) => {
      const quote = present(await findQuote(em, quoteId));
      return quoteToWire(quote, org.today, await sightOf(em, actor, [quote]));
    });
  },
});

const readQuoteReadiness = route({
  method: 'get',
  path: '/submissions/:id/quote-readiness',
  operationId: 'readQuoteReadiness',
  tag: TAG,
  spec: '4.4, Contract 3.1',
  summary: 'Read the triage score and what prevents a bind',
  description:
    'It lists the missing fields and whatever else would prevent a bind today. Nothing is written, so call it as often as you like.',
  access: allow('submission:read', quotedSubmission),
  params,
  response: { status: 200, body: ReadinessSchema },
  errors: [],
  handler: async ({ row: { submission, quote }, org: { today }, db }) => {
    const obstacles = await db.read((em) => bindObstacles(em, submission, quote, today));
    return readinessToWire(submission, quote, { today, obstacles });
  },
});

const bindSubmission = route({
  method: 'post',
  path: '/submissions/:id/bind',
  operationId: 'bindSubmission',
  tag: TAG,
  spec: '4.4, Contract 3.1',
  summary: 'Bind the quote of a submission',
  description:
    'Creates the policy, its invoices and its events together or not at all. An expired quote, missing fields and flags that need an approval are refused; `GET /submissions/:id/quote-readiness` says beforehand what is missing.',
  access: allow('submission:bind', quotedSubmission),
  params,
  body: BindSchema,
  response: { status: 201, body: BoundPolicySchema },
  errors: ['not_ready', 'quote_expired', 'delegated_authority_exceeded', 'invalid_state_transition'],
  handler: async ({ row, body: { installmentPlan, quoteId = null }, org, db, lifecycle, command }) => {
    const { submission, quote } = row;
    const missing = submission.missingFields;
    const { status } = submission;
    await ensureOpen(submission, { db, command }, () => ensureBindable({ status, quote, missing, today: org.today }));
    const { policyId } = await lifecycle.bindSubmission(command({ installmentPlan, quoteId }, row.id));
    const { policy, invoices } = present(await db.read((em) => findPolicyWithInvoices(em, policyId)));
    return boundPolicyToWire(policy, invoices);
  },
});

export const quoteRoutes = [quoteSubmission, readQuoteReadiness, bindSubmission];
