/**
 * A policy's next term: renewed, or cancelled before it begins. `term-rows.ts` writes it. Contract 3.2.
 */

import type { EntityManager } from '@mikro-orm/postgresql';
import type { RenewOutcome, RenewPayload } from '../../contracts/policy.ts';
import type { DaContract } from '../../db/entities/authority/da-contract.ts';
import { Policy } from '../../db/entities/policy/policy.ts';
import { newId } from '../../db/ids.ts';
import { addRow, writeNewRows } from '../../db/new-rows.ts';
import { writeAudit } from '../../db/queries/platform/audit.ts';
import { nextInvoiceNumbers, nextPolicyNumber } from '../../db/queries/platform/counters.ts';
import { writeEvent } from '../../db/queries/platform/events.ts';
import { lockPolicy } from '../../db/queries/policy/policies.ts';
import { auditedChanges } from '../../domain/audit.ts';
import { ensureWithinAuthority } from '../../domain/authority/authority.ts';
import { type AgreedFigures, ensureAgreed, figuresInDollars } from '../../domain/authority/referral.ts';
import { withConditions } from '../../domain/authority/standing-approval.ts';
import { yearOf } from '../../domain/dates.ts';
import { toDollars } from '../../domain/money.ts';
import { nextPolicyStatus } from '../../domain/policy/operations.ts';
import { statusAtBind } from '../../domain/policy/policy.ts';
import { conditionsOf } from '../../plans/authority/cleared-flags.ts';
import { type Judge, judgeOf, judgePlanned } from '../../plans/authority/own-authority.ts';
import { plannedFacts, policyFacts, unpricedRenewalFacts } from '../../plans/authority/resource-facts.ts';
import { planNotTaken } from '../../plans/policy/cancellation-plan.ts';
import { newTermOutcome, policyOutcome } from '../../plans/policy/policy-outcome.ts';
import { figuresReferred, priceRenewal, type RenewalPlan, renewalTerm } from '../../plans/renewal/renewal-plan.ts';
import { openRenewalOf } from '../../plans/renewal/term-chain.ts';
import { auditOf } from '../audit.ts';
import { type LockedAuthority, lockAuthority, takeAuthority } from '../authority/authority-use.ts';
import { referring } from '../authority/policy-authority.ts';
import type { Deps } from '../context.ts';
import { keepNonRenewalNotice } from '../insight/nonrenewal-notices.ts';
import { lockPolicyUsage } from '../money-locks.ts';
import { type PolicyStep, policyCommand } from '../policy/policy-command.ts';
import { type PersistedChange, type PolicyChange, persistChange } from '../policy/policy-rows.ts';
import { startingTerm } from '../policy/starting-term.ts';
import { persistCreation, persistTerm } from '../policy/term-rows.ts';
import { screenInsured } from '../submission/screened-insured.ts';

/**
 * Issues a policy's next term. Beyond the authority it is refused and opens a referral.
 * @throws DomainError forbidden, invalid_state_transition, already_exists, not_ready, outside_policy_term,
 * delegated_authority_exceeded
 */
export const renewPolicy = (deps: Deps) =>
  renewing<RenewOutcome>(deps, async ({ em, policy, day }, issued) => ({
    ...(await policyOutcome(em, policy, day)),
    ...issued,
    refundIds: [],
  }));

/** Like renewPolicy, for a batch, which reports to no policy workflow: the old term's state is not read. */
export const renewInBatch = (deps: Deps) => renewing<IssuedRenewal>(deps, (_step, issued) => Promise.resolve(issued));

/** The next term, and the transaction that issued it. */
type IssuedRenewal = Pick<RenewOutcome, 'renewal' | 'transactionId'>;

function renewing<R extends IssuedRenewal>(
  deps: Deps,
  outcomeOf: (step: PolicyStep<RenewPayload>, issued: IssuedRenewal) => Promise<R>,
) {
  const renewRows = policyCommand<RenewPayload, R>(deps, 'renewPolicy', async (step) =>
    outcomeOf(step, await renew(deps, step, null)),
  );
  return startingTerm<RenewPayload, R>(deps, ({ renewal }) => renewal, referring(deps, 'renew', renewRows));
}

/**
 * Renews a locked policy. `agreed` are the figures it must produce if it was referred and approved.
 * @throws DomainError as renewPolicy does, and quote_expired
 */
export async function renew(
  deps: Deps,
  step: PolicyStep<RenewPayload>,
  agreed: AgreedFigures | null,
): Promise<IssuedRenewal> {
  const { em, command, policy, day, lenders, conditions = [] } = step;
  const { today } = day;
  const term = await renewalTerm(em, policy, command.payload, today);
  const sanctionsHit = await isListed(em, deps, command.payload.changes.insuredName ?? policy.insuredName);
  const { lineOfBusiness, state } = policy;
  const authority = await lockAuthority(em, { effectiveDate: term.effectiveDate, lineOfBusiness, state });
  const judge = await judgeOf(em, command, 'policy:renew', lenders);
  judge(unpricedRenewalFacts(policy));
  // Flags are judged under the lock: two renewals cannot both use the last of the authority.
  const plan = await priceRenewal(em, policy, command.payload, { term, today, sanctionsHit, authority });
  const figures = figuresReferred(plan);
  ensureWithinAuthority(plan.daFlags, { requested: figuresInDollars(figures) });
  ensureAgreed(agreed, figures);
  judgePlanned(judge, plannedFacts(policy, plan), figures);
  const kept = withConditions(await conditionsOf(em, plan.daFlags), conditions);
  return issueRenewal(deps, { ...step, conditions: kept }, plan, authority);
}

type EndedNextTerm = Required<Pick<PersistedChange, 'refundIds' | 'endedTermId'>>;
const NO_TERM_ENDED: EndedNextTerm = { refundIds: [], endedTermId: null };

/**
 * Flat-cancels the pending next term when the policy before it is cancelled or lapses; does nothing for any other
 * change. The step that ends a locked policy calls it in its transaction, once it holds the locks of `money-locks.ts`.
 * @param judge checks the sender of a cancellation against the next term too, even if the end is announced for a later
 * day; a due step has no sender
 * @returns the reserved refunds, and the next term that ended
 * @throws DomainError forbidden
 */
export async function flatCancelNextTerm(
  em: EntityManager,
  deps: Deps,
  { origin, requestedBy, policy, day, plan }: Pick<PolicyChange, 'origin' | 'requestedBy' | 'policy' | 'day' | 'plan'>,
  judge: Judge = () => null,
): Promise<EndedNextTerm> {
  if (plan.type !== 'cancellation' || policy.renewalPolicyId === null) return NO_TERM_ENDED;
  const nextId = await openRenewalOf(em, policy.id);
  const next = nextId === null ? null : await lockPolicy(em, nextId);
  if (next === null) return NO_TERM_ENDED;
  judge(policyFacts(next));
  if (plan.isScheduled) return NO_TERM_ENDED;
  const usage = await lockPolicyUsage(em, next);
  // A late step may find the next term begun: it never followed on, so it is taken back in full on any day.
  const flat = await planNotTaken(em, next, day.today);
  const given = await persistChange(em, deps, {
    ...{ origin, policy: next, usage, day, plan: flat, action: 'policy:cancel' },
    ...(requestedBy === undefined ? {} : { requestedBy }),
  });
  await writeNewRows(em);
  policy.renewalPolicyId = null;
  return { refundIds: given.refundIds, endedTermId: next.id };
}

/** The sanctions list may have grown since the last term. */
async function isListed(em: EntityManager, deps: Deps, insuredName: string): Promise<boolean> {
  return (await screenInsured(em, deps, insuredName)).length > 0;
}

/** Writes the next term. Counters are locked last, because every bind in the series waits for them. */
async function issueRenewal(
  deps: Deps,
  { em, command, policy, day, conditions = [] }: PolicyStep<RenewPayload>,
  plan: RenewalPlan,
  authority: LockedAuthority,
): Promise<IssuedRenewal> {
  const crossing = await takeAuthority(em, authority, plan.premiumChangeCents);
  const nextId = newId('policy');
  const before = { status: policy.status, renewalPolicyId: policy.renewalPolicyId };
  policy.status = nextPolicyStatus(policy, 'renew', day.today);
  policy.renewalPolicyId = nextId;
  await em.flush();

  const { lineOfBusiness: line, state } = policy;
  const invoiceNumbers = await nextInvoiceNumbers(em, yearOf(day.today), plan.installments.length);
  const policyNumber = await nextPolicyNumber(em, { line, state, year: yearOf(plan.effectiveDate) });
  const at = new Date(deps.now());
  const facts = { policy, plan, id: nextId, policyNumber, at, today: day.today, authority, conditions };
  const next = nextTermRow(em, facts);
  const transactionId = persistTerm(em, {
    policy: next,
    type: 'renewal',
    changes: { ...plan.changes },
    before: { ...plan.before },
    ...{ origin: command, day, at, invoiceNumbers },
    commission: plan.commission,
    daFlags: plan.daFlags,
    triage: plan.triage,
    environment: deps.environment,
  });
  const { environment } = deps;
  await keepNonRenewalNotice(em, policy, { environment, today: day.today, actorId: command.actor.id, transactionId });
  const after = { status: policy.status, renewalPolicyId: nextId };
  writeAudit(em, auditOf(command, 'policy:renew', 'policy', auditedChanges(before, after)));
  persistCreation(em, command, next);
  writeEvent(em, 'policy.renewed', renewedData(next), at);
  if (crossing !== null) writeEvent(em, 'da.limit_approaching', crossing, at);
  return { transactionId, renewal: newTermOutcome(em, next, day) };
}

interface NextTerm {
  policy: Policy;
  plan: RenewalPlan;
  id: string;
  policyNumber: string;
  at: Date;
  today: string;
  authority: { contract: DaContract | null };
  /** The conditions of its approval, and of earlier approvals that clear its flags. */
  conditions: readonly string[];
}

/** The next term carries over the final terms of the old one, with its own dates, price, rates and authority. */
function nextTermRow(em: EntityManager, term: NextTerm): Policy {
  const { policy, plan, id, policyNumber, at, today, authority, conditions } = term;
  const { submissionId, producerId, insuredId, insuredEmail, insuredPhone, naicsCode, state, lineOfBusiness } = policy;
  const { contactAddress, installmentPlan, usdotNumber } = policy;
  const { effectiveDate, expirationDate, rateTableId, inputs } = plan;
  return addRow(em, Policy, {
    ...{ id, policyNumber, effectiveDate, expirationDate },
    ...{ submissionId, producerId, insuredId, insuredEmail, insuredPhone, naicsCode, state, lineOfBusiness },
    ...{ contactAddress, installmentPlan, usdotNumber, rateTableId },
    ...plan.after,
    status: statusAtBind({ effectiveDate, expirationDate }, today),
    conditions: [...conditions],
    renewalOf: policy.id,
    daContractId: authority.contract?.id ?? null,
    daYear: authority.contract && plan.daYear,
    ratingInputs: { ...inputs.rating },
    surplusLinesRates: { ...inputs.surplusLinesRates },
    boundAt: at,
  });
}

function renewedData({ id, policyNumber, grossPremiumCents, effectiveDate, renewalOf }: Policy) {
  return { policyId: id, policyNumber, grossPremium: toDollars(grossPremiumCents), effectiveDate, renewalOf };
}
