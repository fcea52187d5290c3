// Policy changes: endorse, cancel, reinstate, renew, give notice of non-renewal. `preview` shows the plan that the
// workflow's step would carry out, and writes nothing. Spec 4.4, Contract 1 "preview", 3.2.
import type { EntityManager } from '@mikro-orm/postgresql';
import { z } from 'zod';
import type { Command } from '../../../contracts/machinery/command.ts';
import type { EndorsePayload, NonRenewPayload, PolicyChangeOutcome } from '../../../contracts/policy.ts';
import type { Policy } from '../../../db/entities/policy/policy.ts';
import { invoicesOfPolicy } from '../../../db/queries/billing/invoices.ts';
import { findPolicy, transactionInStack } from '../../../db/queries/policy/policies.ts';
import type { BusinessDate } from '../../../domain/dates.ts';
import { DomainError } from '../../../domain/errors.ts';
import { type Action, type Actor, actorRef, ensureMay } from '../../../domain/permissions.ts';
import type { PolicyAction } from '../../../domain/policy/policy.ts';
import type { TermChanges } from '../../../domain/policy/transaction.ts';
import { plannedFacts, policyFacts, unpricedRenewalFacts } from '../../../plans/authority/resource-facts.ts';
import { planCancellation } from '../../../plans/policy/cancellation-plan.ts';
import type { ChangePlan } from '../../../plans/policy/change-plan.ts';
import { planEndorsement } from '../../../plans/policy/endorsement-plan.ts';
import { carries, ensureNextTerm, nextTermOf, planForNextTerm } from '../../../plans/policy/next-term-plan.ts';
import { planReinstatement } from '../../../plans/policy/reinstatement-plan.ts';
import { ensureRowAllows } from '../../../plans/policy/row-moves.ts';
import { shownTransactions } from '../../../plans/policy/transaction-effects.ts';
import { planVoid } from '../../../plans/policy/void-plan.ts';
import { planNonRenewal } from '../../../plans/renewal/non-renewal-plan.ts';
import { planRenewal } from '../../../plans/renewal/renewal-plan.ts';
import { allow } from '../../spine/access.ts';
import { entityTag, type Reply, reply } from '../../spine/reply.ts';
import { type CallOrganization, type CommandBuilder, type OrganizationDatabase, route } from '../../spine/route.ts';
import { idParam } from '../../spine/schemas.ts';
import { ensureBeforeCommand, present } from '../rows.ts';
import { PolicySchema, PolicyTransactionSchema, type PolicyTransactionWire } from './policies.schemas.ts';
import { policyResource } from './policies.ts';
import { transactionToWire } from './policies.wire.ts';
import {
  CancelSchema,
  ChangeQuery,
  EndorsementPreviewSchema,
  EndorsementSchema,
  EndorseSchema,
  NonRenewedPolicySchema,
  NonRenewSchema,
  ReinstateSchema,
  RenewalPreviewSchema,
  RenewalSchema,
  RenewSchema,
  TransactionPreviewSchema,
  VoidEndorsementSchema,
} from './policy-changes.schemas.ts';
import { changePreviewToWire, renewalPreviewToWire, renewalToWire, termChanges } from './policy-changes.wire.ts';
import { showPolicy } from './shown-policies.ts';

const TAG = 'Policies';
const SPEC = '4.4, Contract 3.2';
const params = z.strictObject({ id: idParam('policy') });
const PREVIEW = { description: 'The preview. Nothing was written.', exampleName: 'preview' };

/** Shared by every command on a policy. */
const policyCommand = { method: 'post', tag: TAG, spec: SPEC, params } as const;

/** Also shared by every change of a term. */
export const termChange = {
  ...policyCommand,
  query: ChangeQuery,
  response: { status: 201, body: PolicyTransactionSchema },
  alternates: [{ status: 200, body: TransactionPreviewSchema, ...PREVIEW }],
} as const;

const endorsePolicy = route({
  ...termChange,
  path: '/policies/:id/endorse',
  operationId: 'endorsePolicy',
  summary: 'Endorse a policy: change its terms as of a date',
  description:
    'Re-rates the policy with the tables of its term, pro rata by days. Additional premium is spread equally over the installments that are not yet due, with the tax on the first of them; if none is left, it is billed on a separate invoice. Return premium reduces the last unpaid installments, and the rest is refunded, less any earlier refund that was not for a policy change. If a later endorsement already exists, it is reversed and applied again (`reapplied`). A next term that is already bound stays as it is unless `applyToRenewal` is true; then both terms change or neither does (`not_ready` without a next term). An endorsement above the authority only opens a referral.',
  access: allow('policy:endorse', policyResource),
  body: EndorseSchema,
  response: { status: 201, body: EndorsementSchema },
  alternates: [{ status: 200, body: EndorsementPreviewSchema, ...PREVIEW }],
  errors: ['outside_policy_term', 'not_ready', 'delegated_authority_exceeded', 'invalid_state_transition'],
  handler: ({ body: { effectiveDate, changes, reason = null, applyToRenewal = false }, lifecycle, ...call }) => {
    const payload = { effectiveDate, changes: termChanges(changes), reason, applyToRenewal };
    const plan: Plan = (em, policy, today) => planEndorsement(em, policy, payload, today);
    let renewalTransactionId: string | null = null;
    const carryOut = async (command: Command) => {
      const outcome = await lifecycle.endorsePolicy({ ...command, payload });
      renewalTransactionId = outcome.renewalTransactionId ?? null;
      return outcome;
    };
    const { actor, org } = call;
    return change(call, {
      ...{ permission: 'policy:endorse', action: 'endorse', plan, carryOut },
      alsoPreviews: (em, policy) => previewNextTerm(em, policy, payload, { actor, today: org.today }),
      alsoAnswers: async (em, policy) => {
        const next = await nextTermOf(em, policy);
        const changed = next && renewalTransactionId;
        const renewalTransaction = changed ? await readTransaction(em, next, changed, org.today) : null;
        return { ...offerOf(next, payload.changes), renewalTransaction };
      },
    });
  },
});

const voidEndorsement = route({
  ...termChange,
  path: '/policies/:id/transactions/:transactionId/void',
  params: z.strictObject({ id: idParam('policy'), transactionId: idParam('policyTransaction') }),
  operationId: 'voidEndorsement',
  summary: 'Void an endorsement that was issued by mistake',
  description:
    'Reverses the endorsement with a new transaction of type `endorsement` whose `reverses` names it, and applies later endorsements again (`reapplied`). The original becomes `reversed`. Additional premium comes off the invoices that billed it. If those are paid, it comes off the last unpaid installments, and the rest is refunded. Return premium is billed again. The policy must be in force or not yet begun, and an endorsement can be voided only once. The restored terms must be within the authority.',
  access: allow('policy:endorse', policyResource),
  body: VoidEndorsementSchema,
  errors: ['not_ready', 'delegated_authority_exceeded', 'invalid_state_transition'],
  handler: ({ body: { reason }, params: { transactionId }, lifecycle, ...call }) => {
    const payload = { transactionId, reason };
    const plan: Plan = (em, policy, today) => planVoid(em, policy, payload, today);
    const carryOut = (command: Command) => lifecycle.voidEndorsement({ ...command, payload });
    return change(call, { permission: 'policy:endorse', action: 'void', plan, carryOut });
  },
});

const cancelPolicy = route({
  ...termChange,
  path: '/policies/:id/cancel',
  operationId: 'cancelPolicy',
  summary: 'Cancel a policy as of a date',
  description:
    'A future date makes the policy `pending_cancellation`; money moves on that date. A second call replaces a scheduled cancellation, for example to move its date. The carrier must give the notice that the state requires. The insured may backdate by up to 30 days. `non_payment` requires a past-due balance (otherwise `not_ready` with the blocker `NOTHING_PAST_DUE`); paying all of it before the date rescinds the cancellation.',
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
    'Before the cancellation takes effect, no money moves. Without a gap in coverage, the premium is restored to the cent, and any amount actually refunded is billed again. With a gap, the days without coverage are not charged. A name on the sanctions list must be cleared before coverage comes back.',
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
    "Possible from 90 days before expiration to 30 days after. The next term is rated with today's tables. A renewal above the authority, or above your own, only opens a referral.",
  access: allow('policy:renew', { ...policyResource, facts: unpricedRenewalFacts }),
  query: ChangeQuery,
  body: RenewSchema,
  response: { status: 201, body: RenewalSchema },
  alternates: [{ status: 200, body: RenewalPreviewSchema, ...PREVIEW }],
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
    await ensureBeforeCommand({ db, command }, (em) => ensureRowAllows(em, row, 'renew', org.today));
    const { transactionId, renewal } = await lifecycle.renewPolicy(command(payload, row.id));
    return db.read(async (em) => {
      const next = present(await findPolicy(em, renewal.policyId));
      const body = renewalToWire(await readTransaction(em, next, transactionId, org.today), next);
      return reply({ body, etag: tagOf(present(await findPolicy(em, row.id))) });
    });
  },
});

/** Shared by giving and withdrawing notice of non-renewal. */
const nonRenewal = {
  path: '/policies/:id/non-renew',
  access: allow('policy:non_renew', policyResource),
  response: { status: 200, body: PolicySchema },
} as const;

const nonRenewPolicy = route({
  ...{ ...policyCommand, ...nonRenewal },
  operationId: 'nonRenewPolicy',
  summary: 'Give notice that a policy will not be renewed',
  description:
    'The policy then ends on its expiration date. The state says how early the notice must be given. With `preview=true`, the response shows the policy as it would be; nothing is written and no notice goes out.',
  query: ChangeQuery,
  response: { status: 200, body: NonRenewedPolicySchema },
  body: NonRenewSchema,
  errors: ['notice_period_not_met', 'already_exists', 'invalid_state_transition'],
  handler: async ({ row, body, query, org, db, lifecycle, command }) => {
    if (query.preview) return db.read((em) => previewNonRenewal(em, row, body, org.today));
    await ensureBeforeCommand({ db, command }, (em) => ensureRowAllows(em, row, 'non_renew', org.today));
    await lifecycle.nonRenewPolicy(command(body, row.id));
    return shownNow(db, row.id, org.today);
  },
});

const withdrawNonRenewal = route({
  ...{ ...policyCommand, ...nonRenewal },
  method: 'delete',
  operationId: 'withdrawNonRenewal',
  summary: 'Withdraw the notice of non-renewal',
  description: 'The policy can then be renewed again, by hand or by a batch. A repeated call changes nothing.',
  errors: ['invalid_state_transition'],
  handler: async ({ row, org, db, lifecycle, command }) => {
    const hasNotice = () => db.read(async (em) => present(await findPolicy(em, row.id)).nonRenewal !== null);
    const withdraw = async () => {
      await ensureBeforeCommand({ db, command }, (em) => ensureRowAllows(em, row, 'withdraw_non_renewal', org.today));
      await lifecycle.withdrawNonRenewal(command({}, row.id));
    };
    // The later of two simultaneous calls is refused even though the notice is gone, as it should be.
    if (row.nonRenewal !== null)
      await withdraw().catch(async (error: unknown) => {
        const isRefused = error instanceof DomainError && error.code === 'invalid_state_transition';
        if (!isRefused || (await hasNotice())) throw error;
      });
    return shownNow(db, row.id, org.today);
  },
});

export const policyChangeRoutes = [
  endorsePolicy,
  voidEndorsement,
  cancelPolicy,
  reinstatePolicy,
  renewPolicy,
  nonRenewPolicy,
  withdrawNonRenewal,
];

async function previewNonRenewal(em: EntityManager, policy: Policy, { reason }: NonRenewPayload, today: BusinessDate) {
  await planNonRenewal(em, policy, { reason }, today);
  const announced = { ...policy, nonRenewal: { reason, noticeDate: today } } as Policy;
  return { ...(await showPolicy(em, announced, today)), preview: true as const };
}

function shownNow(db: OrganizationDatabase, policyId: string, today: BusinessDate): Promise<Reply> {
  return db.read(async (em) => {
    const policy = present(await findPolicy(em, policyId));
    return reply({ body: await showPolicy(em, policy, today), etag: tagOf(policy) });
  });
}

/** The parts of a call shared by all changes. */
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
  /** What the policy's state must allow; null if only the plan decides. */
  action: PolicyAction | null;
  plan: Plan;
  /** Sends the command; the one passed in has no payload. */
  carryOut: (command: Command) => Promise<PolicyChangeOutcome>;
  /** Additional body fields, for a preview and for the response. */
  alsoPreviews?: (em: EntityManager, policy: Policy) => Promise<object>;
  alsoAnswers?: (em: EntityManager, policy: Readonly<Policy>) => Promise<object>;
}

/** Shows what a change would do, or makes it and responds with its transaction and the policy's new tag. */
export async function change(call: Call, wanted: Change): Promise<Reply> {
  const { permission, action, plan, carryOut, alsoPreviews, alsoAnswers } = wanted;
  const { row, query, actor, org, db, command } = call;
  if (query.preview) {
    const { planned, invoices, next, also } = await db.read(async (em) => {
      if (action !== null) await ensureRowAllows(em, row, action, org.today);
      return {
        planned: await plan(em, row, org.today),
        invoices: await invoicesOfPolicy(em, row.id),
        next: action === 'cancel' ? await nextTermOf(em, row) : null,
        also: await alsoPreviews?.(em, row),
      };
    });
    ensureMay(actor, permission, plannedFacts(row, planned));
    if (next !== null) ensureMay(actor, permission, policyFacts(next));
    const preview = changePreviewToWire(row, { plan: planned, invoices, actor: actorRef(actor) });
    return reply({ status: 200, body: { ...preview, ...also } });
  }
  await ensureBeforeCommand({ db, command }, (em) =>
    action === null ? plan(em, row, org.today) : ensureRowAllows(em, row, action, org.today),
  );
  const { transactionId } = await carryOut(command({}, row.id));
  return db.read(async (em) => {
    const policy = present(await findPolicy(em, row.id));
    const body = await readTransaction(em, policy, transactionId, org.today);
    return reply({ body: { ...body, ...(await alsoAnswers?.(em, policy)) }, etag: tagOf(policy) });
  });
}

/** What an endorsement says about the next term: that it exists, and whether it has the same terms. */
function offerOf(next: Readonly<Policy> | null, changes: TermChanges) {
  return { renewalPolicyId: next?.id ?? null, renewalCarriesChange: next && carries(next, changes) };
}

/** Shows what an endorsement would do to the next term, if it is to be applied there. */
async function previewNextTerm(
  em: EntityManager,
  policy: Policy,
  payload: EndorsePayload,
  { actor, today }: { actor: Actor; today: BusinessDate },
) {
  const next = await nextTermOf(em, policy);
  const offer = offerOf(next, payload.changes);
  if (payload.applyToRenewal !== true) return { ...offer, renewalTransaction: null };
  const pending = ensureNextTerm(next);
  ensureMay(actor, 'policy:endorse', policyFacts(pending));
  const plan = await planForNextTerm(em, pending, payload, today);
  if (plan === null) return { ...offer, renewalTransaction: null };
  ensureMay(actor, 'policy:endorse', plannedFacts(pending, plan));
  const invoices = await invoicesOfPolicy(em, pending.id);
  const renewalTransaction = changePreviewToWire(pending, { plan, invoices, actor: actorRef(actor) });
  return { ...offer, renewalCarriesChange: true, renewalTransaction };
}

async function readTransaction(
  em: EntityManager,
  policy: Policy,
  transactionId: string,
  today: BusinessDate,
): Promise<PolicyTransactionWire> {
  const stack = await transactionInStack(em, policy.id, transactionId);
  const row = present(stack.find(({ id }) => id === transactionId) ?? null);
  const [shown = null] = await shownTransactions(em, policy, { stack, rows: [row], today });
  return transactionToWire(present(shown));
}

function tagOf({ id, version }: Policy): string {
  return entityTag(id, version);
}
