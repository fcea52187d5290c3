// What changes a policy: endorse, cancel, reinstate, renew, announce that it will not be renewed. With `preview` the
// same plan is shown that the workflow's step would carry out, and nothing is written. Spec 4.4, Contract 1 "preview",
// 3.2.
import type { EntityManager } from '@mikro-orm/postgresql';
import { z } from 'zod';
import type { Command } from '../../../contracts/command.ts';
import type { PolicyChangeOutcome } from '../../../contracts/policy.ts';
import type { Policy } from '../../../db/entities/policy/policy.ts';
import { invoicesOfPolicy } from '../../../db/queries/billing/invoices.ts';
import { billingSummary } from '../../../db/queries/billing/void-invoices.ts';
import { findPolicy, policyTransactions } from '../../../db/queries/policy/policies.ts';
import type { BusinessDate } from '../../../domain/dates.ts';
import { type Action, type Actor, actorRef, ensureMay } from '../../../domain/permissions.ts';
import { POLICY_TRANSITIONS, type PolicyAction } from '../../../domain/policy/policy.ts';
import { transactionStatuses } from '../../../domain/policy/stack.ts';
import { nextState } from '../../../domain/transition.ts';
import { plannedFacts, policyFacts } from '../../../plans/authority/resource-facts.ts';
import { planCancellation } from '../../../plans/policy/cancellation-plan.ts';
import type { ChangePlan } from '../../../plans/policy/change-plan.ts';
import { planEndorsement } from '../../../plans/policy/endorsement-plan.ts';
import { planReinstatement } from '../../../plans/policy/reinstatement-plan.ts';
import { planRenewal } from '../../../plans/renewal/renewal-plan.ts';
import { openRenewalOf } from '../../../plans/renewal/term-chain.ts';
import { allow } from '../../spine/access.ts';
import { entityTag, type Reply, reply } from '../../spine/reply.ts';
import { type CallOrganization, type CommandBuilder, type OrganizationDatabase, route } from '../../spine/route.ts';
import { idParam } from '../../spine/schemas.ts';
import { ensureAllowed, present } from '../rows.ts';
import { PolicySchema, PolicyTransactionSchema, type PolicyTransactionWire } from './policies.schemas.ts';
import { policyResource } from './policies.ts';
import { policyToWire, transactionToWire } from './policies.wire.ts';
import {
  CancelSchema,
  ChangeQuery,
  EndorseSchema,
  NonRenewSchema,
  ReinstateSchema,
  RenewalPreviewSchema,
  RenewalSchema,
  RenewSchema,
  TransactionPreviewSchema,
} from './policy-changes.schemas.ts';
import { changePreviewToWire, renewalPreviewToWire, renewalToWire, termChanges } from './policy-changes.wire.ts';

const TAG = 'Policies';
const SPEC = '4.4, Contract 3.2';
const params = z.strictObject({ id: idParam('policy') });
const PREVIEW = 'The preview. Nothing was written.';

/** What every command on a policy has in common. */
const policyCommand = { method: 'post', tag: TAG, spec: SPEC, params } as const;

/** What every change of a term has in common besides. */
export const termChange = {
  ...policyCommand,
  query: ChangeQuery,
  response: { status: 201, body: PolicyTransactionSchema },
  alternates: [{ status: 200, body: TransactionPreviewSchema, description: PREVIEW }],
} as const;

const endorsePolicy = route({
  ...termChange,
  path: '/policies/:id/endorse',
  operationId: 'endorsePolicy',
  summary: 'Change the terms of a policy from a date on',
  description:
    'Re-rates the policy by its own tables, pro rata by days. Additional premium is spread equally over the installments that are not yet due, with the tax on the first of them, or billed on an invoice of its own when none is left; return premium reduces the last of them, and the rest is refunded. An endorsement effective before a later one applies the later one again. Above the authority, only a referral is written.',
  access: allow('policy:endorse', policyResource),
  body: EndorseSchema,
  errors: ['outside_policy_term', 'delegated_authority_exceeded', 'invalid_state_transition'],
  handler: ({ body: { effectiveDate, changes, reason = null }, lifecycle, ...call }) => {
    const payload = { effectiveDate, changes: termChanges(changes), reason };
    const plan: Plan = (em, policy, today) => planEndorsement(em, policy, payload, today);
    const carryOut = (command: Command) => lifecycle.endorsePolicy({ ...command, payload });
    return change(call, { permission: 'policy:endorse', action: 'endorse', plan, carryOut });
  },
});

const cancelPolicy = route({
  ...termChange,
  path: '/policies/:id/cancel',
  operationId: 'cancelPolicy',
  summary: 'Cancel a policy as of a date',
  description:
    'A future date makes the policy `pending_cancellation`, and money moves on that date. The carrier must give the notice that the state requires; the insured may backdate by 30 days. `non_payment` needs something past due, else `not_ready` with the blocker `NOTHING_PAST_DUE`, and paying all of it before the date rescinds the cancellation.',
  access: allow('policy:cancel', policyResource),
  body: CancelSchema,
  errors: ['outside_policy_term', 'notice_period_not_met', 'not_ready', 'invalid_state_transition'],
  handler: ({ body: { source = null, method = null, ...body }, lifecycle, ...call }) => {
    const payload = { ...body, source, method };
    const plan: Plan = (em, policy, today) => planCancellation(em, policy, payload, today);
    const carryOut = (command: Command) => lifecycle.cancelPolicy({ ...command, payload });
    return change(call, { permission: 'policy:cancel', action: 'cancel', plan, carryOut });
  },
});

const reinstatePolicy = route({
  ...termChange,
  path: '/policies/:id/reinstate',
  operationId: 'reinstatePolicy',
  summary: 'Reinstate a cancelled policy',
  description:
    'Before the cancellation takes effect, no money moves. Without a gap the premium is restored to the cent, and what was actually refunded is billed again; with a gap, the days without coverage are not charged.',
  access: allow('policy:reinstate', policyResource),
  body: ReinstateSchema,
  errors: ['outside_policy_term', 'not_ready', 'delegated_authority_exceeded', 'invalid_state_transition'],
  handler: ({ body: { effectiveDate = null, reason = null }, lifecycle, ...call }) => {
    const payload = { effectiveDate, reason };
    const plan: Plan = (em, policy, today) => planReinstatement(em, policy, payload, today);
    const carryOut = (command: Command) => lifecycle.reinstatePolicy({ ...command, payload });
    return change(call, { permission: 'policy:reinstate', action: 'reinstate', plan, carryOut });
  },
});

const renewPolicy = route({
  ...policyCommand,
  path: '/policies/:id/renew',
  operationId: 'renewPolicy',
  summary: 'Bind the next term of a policy',
  description:
    "From 90 days before expiration to 30 days after, rated by today's tables. Above the authority, only a referral is written.",
  access: allow('policy:renew', policyResource),
  query: ChangeQuery,
  body: RenewSchema,
  response: { status: 201, body: RenewalSchema },
  alternates: [{ status: 200, body: RenewalPreviewSchema, description: PREVIEW }],
  errors: [
    'already_exists',
    'not_ready',
    'outside_policy_term',
    'delegated_authority_exceeded',
    'invalid_state_transition',
  ],
  handler: async ({ body: { effectiveDate = null, changes = {} }, row, query, actor, org, db, lifecycle, command }) => {
    const payload = { effectiveDate, changes: termChanges(changes) };
    if (query.preview) {
      const plan = await db.read((em) => planRenewal(em, row, payload, org.today));
      ensureMay(actor, 'policy:renew', plannedFacts(row, plan));
      return reply({ status: 200, body: renewalPreviewToWire(row, plan, actorRef(actor)) });
    }
    await ensureAllowed({ db, command }, () => nextState(POLICY_TRANSITIONS, 'policy', row.status, 'renew'));
    const { transactionId, renewal } = await lifecycle.renewPolicy(command(payload, row.id));
    return db.read(async (em) => {
      const next = present(await findPolicy(em, renewal.policyId));
      const body = renewalToWire(await readTransaction(em, next, transactionId, org.today), next);
      return reply({ body, etag: tagOf(present(await findPolicy(em, row.id))) });
    });
  },
});

const nonRenewPolicy = route({
  ...policyCommand,
  path: '/policies/:id/non-renew',
  operationId: 'nonRenewPolicy',
  summary: 'Give notice that a policy will not be renewed',
  access: allow('policy:non_renew', policyResource),
  body: NonRenewSchema,
  response: { status: 200, body: PolicySchema },
  errors: ['notice_period_not_met', 'already_exists', 'invalid_state_transition'],
  handler: async ({ row, body, org, db, lifecycle, command }) => {
    await ensureAllowed({ db, command }, () => nextState(POLICY_TRANSITIONS, 'policy', row.status, 'non_renew'));
    await lifecycle.nonRenewPolicy(command(body, row.id));
    return db.read(async (em) => {
      const policy = present(await findPolicy(em, row.id));
      const billed = await billingSummary(em, row.id);
      return reply({ body: policyToWire(policy, billed, org.today), etag: tagOf(policy) });
    });
  },
});

export const policyChangeRoutes = [endorsePolicy, cancelPolicy, reinstatePolicy, renewPolicy, nonRenewPolicy];

/** The parts of a call that all changes share. */
interface Call {
  row: Policy;
  query: { preview: boolean };
  actor: Actor;
  org: CallOrganization;
  db: OrganizationDatabase;
  command: CommandBuilder;
}

export type Plan = (em: EntityManager, policy: Policy, today: BusinessDate) => Promise<ChangePlan>;

interface Change {
  permission: Action;
  /** What the policy's state must allow; null where the plan alone decides. */
  action: PolicyAction | null;
  plan: Plan;
  /** Sends the command, which is given without its payload. */
  carryOut: (command: Command) => Promise<PolicyChangeOutcome>;
}

/**
 * Shows what a change would do, or makes it and answers its transaction with the policy's new tag.
 */
export async function change(call: Call, { permission, action, plan, carryOut }: Change): Promise<Reply> {
  const { row, query, actor, org, db, command } = call;
  if (query.preview) {
    const [planned, next] = await db.read(async (em) => [
      await plan(em, row, org.today),
      action === 'cancel' ? await nextTermOf(em, row) : null,
    ]);
    ensureMay(actor, permission, plannedFacts(row, planned));
    if (next !== null) ensureMay(actor, permission, policyFacts(next));
    return reply({ status: 200, body: changePreviewToWire(row, planned, actorRef(actor)) });
  }
  await ensureAllowed({ db, command }, (em) =>
    action === null ? plan(em, row, org.today) : nextState(POLICY_TRANSITIONS, 'policy', row.status, action),
  );
  const { transactionId } = await carryOut(command({}, row.id));
  return db.read(async (em) => {
    const policy = present(await findPolicy(em, row.id));
    return reply({ body: await readTransaction(em, policy, transactionId, org.today), etag: tagOf(policy) });
  });
}

/** The next term that a cancellation would take with it, or null. */
async function nextTermOf(em: EntityManager, { id, renewalPolicyId }: Policy): Promise<Policy | null> {
  const nextId = renewalPolicyId && (await openRenewalOf(em, id));
  return nextId ? findPolicy(em, nextId) : null;
}

async function readTransaction(
  em: EntityManager,
  policy: Policy,
  transactionId: string,
  today: BusinessDate,
): Promise<PolicyTransactionWire> {
  const stack = await policyTransactions(em, policy.id);
  const row = present(stack.find(({ id }) => id === transactionId) ?? null);
  const status = transactionStatuses(stack, policy, today).get(transactionId) ?? 'issued';
  return transactionToWire({ row, status, invoices: await invoicesOfPolicy(em, policy.id) });
}

function tagOf({ id, version }: Policy): string {
  return entityTag(id, version);
}
