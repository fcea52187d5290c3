// Policies: current and past state, history, and the contact on file. Spec 4.4, Contract 3.2.
import { z } from 'zod';
import type { Policy } from '../../../db/entities/policy/policy.ts';
import { invoicesOfPolicy } from '../../../db/queries/billing/invoices.ts';
import { findPolicyWithBilling, type PolicyWithBilling } from '../../../db/queries/billing/void-invoices.ts';
import { forgetUndeliverable } from '../../../db/queries/delivery/sent-mails.ts';
import { pageWithin } from '../../../db/queries/pages.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import { findPolicy, listPolicies, lockPolicy, policyTransactions } from '../../../db/queries/policy/policies.ts';
import { auditedChanges } from '../../../domain/audit.ts';
import type { BusinessDate } from '../../../domain/dates.ts';
import { may, visibility } from '../../../domain/permissions.ts';
import { policyFacts } from '../../../plans/authority/resource-facts.ts';
import { shownTransactions } from '../../../plans/policy/transaction-effects.ts';
import { allow, type Resource } from '../../spine/access.ts';
import { entityTag, reply } from '../../spine/reply.ts';
import { type OrganizationDatabase, route } from '../../spine/route.ts';
import { idParam, pageQuery, pageToWire } from '../../spine/schemas.ts';
import { invoicesWithPayments } from '../billing/invoices.ts';
import { invoiceToWire } from '../billing/invoices.wire.ts';
import { ensurePhoneNumber } from '../phone-number.ts';
import { present } from '../rows.ts';
import { flagsInSight, sightOf } from '../submission/sight.ts';
import {
  PolicyContactSchema,
  PolicyDetailQuery,
  PolicyDetailSchema,
  PolicyListQuery,
  PolicyPageSchema,
  PolicySchema,
  type PolicyWire,
  TimelineSchema,
} from './policies.schemas.ts';
import { policyToWire, transactionToWire } from './policies.wire.ts';
import { policyAsOf, showBilled, showPolicies, showPolicy, unchanging, willChange } from './shown-policies.ts';

const TAG = 'Policies';
const params = z.strictObject({ id: idParam('policy') });

export const policyResource: Resource<Policy> = {
  name: 'policy',
  load: findPolicy,
  facts: policyFacts,
  version: ({ version }) => version,
};

/** For responses that show the policy. */
export const billedPolicy: Resource<PolicyWithBilling> = {
  name: 'policy',
  load: findPolicyWithBilling,
  facts: ({ policy, claimAdjusterIds }) => ({ ...policyFacts(policy), claimAdjusterIds }),
  version: ({ policy }) => policy.version,
};

const listPoliciesRoute = route({
  method: 'get',
  path: '/policies',
  operationId: 'listPolicies',
  tag: TAG,
  spec: '4.4, Contract 3.2',
  summary: 'List policies',
  description:
    'A producer sees the policies of their own agencies; everybody else sees those of the organization. Filter by status (`delinquent` and `non_renewed` too), line, state, producer or the text in `q`.',
  access: allow('policy:read'),
  query: PolicyListQuery,
  response: { status: 200, body: PolicyPageSchema },
  errors: [],
  handler: async ({ query, actor, org, db }) => {
    const { limit, cursor, sort, ...filter } = query;
    const seen = { visibility: visibility(actor, 'policy:read'), ...filter };
    return db.read(async (em) => {
      const { data, nextCursor } = await listPolicies(em, seen, org.today, { limit, cursor, sort });
      return { data: await showPolicies(em, data, org.today), nextCursor };
    });
  },
});

const getPolicy = route({
  method: 'get',
  path: '/policies/:id',
  operationId: 'getPolicy',
  tag: TAG,
  spec: '4.4, Contract 3.2',
  summary: 'Read a policy, as it stands or as of a date',
  description:
    'Without `asOf` the response is the policy as it stands today; with it, the terms that applied on that day. `expand=invoices` adds its invoices.',
  access: allow('policy:read', billedPolicy),
  params,
  query: PolicyDetailQuery,
  response: { status: 200, body: PolicyDetailSchema },
  errors: ['outside_policy_term'],
  handler: async ({ row, query: { asOf, expand }, actor, org: { today }, db }) => {
    const { id, orgId, producerId } = row.policy;
    const shown = await shownOn(row, asOf, today, db);
    if (expand === undefined) return shown;
    if (!may(actor, 'invoice:read', { orgId, producerId })) return { ...shown, invoices: null };
    return db.read(async (em) => {
      const invoices = await invoicesWithPayments(em, await invoicesOfPolicy(em, id));
      return { ...shown, invoices: invoices.map((billed) => invoiceToWire(billed, today)) };
    });
  },
});

const getTimeline = route({
  method: 'get',
  path: '/policies/:id/timeline',
  operationId: 'getPolicyTimeline',
  tag: TAG,
  spec: '4.4, Contract 3.2',
  summary: 'Read the transactions of a policy, oldest first',
  description:
    'Each transaction carries its effective date, its change of premium and its status. Reversed transactions stay in the list, so that the premium adds up.',
  access: allow('policy:read', billedPolicy),
  params,
  query: z.strictObject(pageQuery),
  response: { status: 200, body: TimelineSchema },
  errors: [],
  handler: async ({ row: { policy }, query, actor, org, db }) => {
    return db.read(async (em) => {
      const stack = await policyTransactions(em, policy.id);
      const page = pageWithin(stack, query);
      const shown = await shownTransactions(em, policy, { stack, rows: page.data, today: org.today });
      const sight = await sightOf(em, actor, page.data);
      return pageToWire({ ...page, data: shown }, (each) => {
        const transaction = transactionToWire(each);
        return { ...transaction, daFlags: flagsInSight(each.row.daFlags, sight) };
      });
    });
  },
});

const changeContact = route({
  method: 'patch',
  path: '/policies/:id',
  operationId: 'changePolicyContact',
  tag: TAG,
  spec: 'Contract 3.2',
  summary: 'Change the contact on file',
  description:
    'The e-mail address and the phone number are not terms of the policy, so this issues no endorsement. After a bounce, e-mail to an address resumes once somebody enters it here.',
  access: allow('policy:update', policyResource),
  params,
  body: PolicyContactSchema,
  response: { status: 200, body: PolicySchema },
  errors: [],
  handler: ({ row: { id }, body, actor, requestId, org, db, ensureUnchanged }) =>
    db.transaction(async (em) => {
      const policy = present(await lockPolicy(em, id));
      ensureUnchanged(policy);
      ensurePhoneNumber('insuredPhone', body.insuredPhone, policy.insuredPhone);
      const changes = auditedChanges(contactOf(policy), { ...contactOf(policy), ...body });
      em.assign(policy, body);
      // A person who enters an address confirms that it accepts mail, even if it had stopped.
      if (body.insuredEmail !== undefined) await forgetUndeliverable(em, body.insuredEmail);
      writeAudit(em, {
        actor,
        action: 'policy:update',
        entityType: 'policy',
        entityId: id,
        requestId,
        changes,
      });
      await em.flush();
      return reply({ body: await showPolicy(em, policy, org.today), etag: entityTag(id, policy.version) });
    }),
});

export const policyRoutes = [listPoliciesRoute, getPolicy, getTimeline, changeContact];

/** Returns a policy as of today, or as it was on a day. @throws DomainError outside_policy_term */
async function shownOn(
  { policy, claimAdjusterIds: _, ...billed }: PolicyWithBilling,
  asOf: BusinessDate | undefined,
  today: BusinessDate,
  db: OrganizationDatabase,
): Promise<PolicyWire> {
  if (asOf === undefined) {
    if (!willChange(policy, billed, today)) return policyToWire(unchanging(policy), billed, today);
    return db.read(async (em) => present((await showBilled(em, [{ policy, billed }], today))[0] ?? null));
  }
  const transactions = await db.read((em) => policyTransactions(em, policy.id));
  // The amount due on another day is not known.
  const known = asOf === today ? billed : { ...billed, owedSince: null };
  return policyToWire(policyAsOf(policy, transactions, asOf), known, today);
}

function contactOf({ insuredEmail, insuredPhone }: Policy) {
  return { insuredEmail, insuredPhone };
}
