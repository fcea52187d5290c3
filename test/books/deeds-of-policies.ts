// What happens to a policy: it is endorsed, cancelled, reinstated, renewed, audited, and mistakes are reversed.
import { addDays, daysBetween } from '../../domain/dates.ts';
import type { Insured, PolicySeen } from './insured.ts';

export const PLANS = ['PAY_IN_FULL', 'SEMI_ANNUAL_2', 'QUARTERLY_4', 'MONTHLY_10'] as const;

/** Enough notice for every state. */
const LONG_NOTICE_DAYS = 95;
const RENEWAL_OPENS_DAYS = 90;

export async function endorse(insured: Insured): Promise<void> {
  const policy = await insured.policy();
  const { dice, desk } = insured;
  const annualRevenue = Math.max(
    50_000,
    Math.round(policy.annualRevenue * (0.6 + dice.below(80) / 100)) + dice.below(99),
  );
  const effectiveDate = dice.percent(60) && isInTerm(policy, insured.today) ? insured.today : insured.drawDay(policy);
  const toRenewal = policy.renewalPolicyId !== null && dice.percent(50) ? { applyToRenewal: true } : {};
  const body = { effectiveDate, changes: { annualRevenue }, reason: 'Revenue.', ...toRenewal };
  await desk.send(`/policies/${policy.id}/endorse`, body);
}

/** Rebills the rest of a term on another plan. */
export async function changePlan(insured: Insured): Promise<void> {
  const { id } = await insured.policy();
  await insured.desk.send(`/policies/${id}/payment-plan`, { installmentPlan: insured.dice.pick(PLANS) });
}

export async function voidEndorsement(insured: Insured): Promise<void> {
  const { id } = await insured.policy();
  const { data } = await insured.desk.read(`/policies/${id}/timeline`);
  const issued = data.filter(
    (each: { type: string; status: string; reverses?: string | null }) =>
      each.type === 'endorsement' && each.status === 'issued' && !each.reverses,
  );
  if (issued.length === 0) return;
  const transaction = insured.dice.pick<{ id: string }>(issued);
  await insured.desk.send(`/policies/${id}/transactions/${transaction.id}/void`, { reason: 'A mistake.' });
}

/** Cancels immediately, schedules a cancellation, or moves its date. */
export async function cancel(insured: Insured): Promise<void> {
  const policy = await insured.policy();
  const { dice, desk, today } = insured;
  const ahead = dice.percent(50) ? 0 : 1 + dice.below(90);
  const byCarrier = dice.percent(30);
  const wanted = addDays(today, byCarrier ? LONG_NOTICE_DAYS : ahead);
  const isFlat = dice.percent(12);
  const day = latest(wanted, policy.effectiveDate);
  const effectiveDate = isFlat ? policy.effectiveDate : day;
  if (effectiveDate >= policy.expirationDate) return;
  const method = byCarrier || dice.percent(30) ? ({ method: 'pro_rata' } as const) : {};
  const reason = byCarrier ? 'misrepresentation' : 'insured_request';
  const body = isFlat ? { reason: 'flat_not_taken', method: 'flat' } : { reason, ...method };
  await desk.send(`/policies/${policy.id}/cancel`, { effectiveDate, ...body });
}

/** Cancels for nonpayment where anything is past due. */
export async function cancelForDebt(insured: Insured): Promise<void> {
  const policy = await insured.policy();
  const effectiveDate = addDays(insured.today, 20 + insured.dice.below(20));
  if (effectiveDate >= policy.expirationDate || effectiveDate < policy.effectiveDate) return;
  await insured.desk.send(`/policies/${policy.id}/cancel`, { effectiveDate, reason: 'non_payment' });
}

/** Reinstates without a gap, with one, or rescinds a scheduled cancellation. */
export async function reinstate(insured: Insured): Promise<void> {
  const terms = await insured.policies();
  const ended = terms.filter(({ status }) => ['cancelled', 'lapsed', 'pending_cancellation'].includes(status));
  if (ended.length === 0) return;
  const { id, status, cancellation } = insured.dice.pick(ended);
  const hasGap = status !== 'pending_cancellation' && insured.dice.percent(40);
  const isOver = cancellation !== null && cancellation.effectiveDate <= insured.today;
  await insured.desk.send(`/policies/${id}/reinstate`, hasGap && isOver ? { effectiveDate: insured.today } : {});
}

export async function renew(insured: Insured): Promise<void> {
  const { id } = (await insured.policies()).at(-1) as PolicySeen;
  await insured.desk.send(`/policies/${id}/renew`, {});
}

/** Renews the last term once its renewal may be bound, contract 3.2 "renew", where no daily run has done so. */
export async function renewInTime(insured: Insured): Promise<void> {
  const { id, status, expirationDate } = (await insured.policies()).at(-1) as PolicySeen;
  const daysLeft = daysBetween(insured.today, expirationDate);
  if (status === 'active' && daysLeft <= RENEWAL_OPENS_DAYS) await insured.desk.send(`/policies/${id}/renew`, {});
}

export async function nonRenew(insured: Insured): Promise<void> {
  const { id } = await insured.policy();
  await insured.desk.send(`/policies/${id}/non-renew`, { reason: 'Underwriting.' });
}

export async function audit(insured: Insured): Promise<void> {
  const [policy] = await insured.policies();
  if (policy === undefined || policy.expirationDate > insured.today) return;
  const actualRevenue = Math.round(policy.annualRevenue * (0.5 + insured.dice.below(120) / 100));
  await insured.desk.send(`/policies/${policy.id}/audit`, { actualRevenue });
}

function latest(one: string, other: string): string {
  return [one, other].sort()[1] as string;
}

function isInTerm({ effectiveDate, expirationDate }: PolicySeen, day: string): boolean {
  return effectiveDate <= day && day < expirationDate;
}
