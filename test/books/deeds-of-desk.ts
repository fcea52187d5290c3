// What an operations desk does about one insured: writes off what nobody will pay, keeps a refund that is owed by
// check, withdraws a non-renewal, and changes terms other than the revenue.
import { addDays, maxDate } from '../../domain/dates.ts';
import type { Insured } from './insured.ts';

/** Writes off a past-due bill, or what is left of one that was paid in part. */
export async function writeOff(insured: Insured): Promise<void> {
  const late = (await insured.invoices()).filter(({ status, balance }) => status === 'past_due' && balance > 0);
  if (late.length === 0) return;
  const inPart = late.filter(({ paidAmount }) => paidAmount > 0);
  const { id } = insured.dice.pick(inPart.length > 0 ? inPart : late);
  await insured.desk.send(`/invoices/${id}/write-off`, { reason: 'Never.' });
}

/** Money owed by check stays with the policy as unapplied cash. */
export async function keepRefund(insured: Insured): Promise<void> {
  const { dice, desk } = insured;
  const owed = [];
  for (const { id } of await insured.policies()) {
    const { data } = await desk.read(`/disbursements?policyId=${id}`);
    owed.push(...data.filter(({ status }: { status: string }) => ['pending', 'stopped'].includes(status)));
  }
  if (owed.length === 0) return;
  await desk.send(`/disbursements/${dice.pick(owed).id}/cancel`, { reason: 'Keep it for the next bill.' });
}

export async function withdrawNonRenewal(insured: Insured): Promise<void> {
  const terms = (await insured.policies()).filter(({ statuses }) => statuses.includes('non_renewed'));
  if (terms.length === 0) return;
  await insured.desk.remove(`/policies/${insured.dice.pick(terms).id}/non-renew`);
}

/** Another limit or deductible changes the premium; a name or an address does not. */
export async function endorseTerms(insured: Insured): Promise<void> {
  const { dice, desk, today } = insured;
  const policy = await insured.policy();
  const changes = dice.pick([
    { requestedLimit: dice.pick([500_000, 1_000_000, 1_500_000, 2_000_000]) },
    { deductible: dice.pick([0, 1_000, 2_500, 5_000, 10_000]) },
    { additionalInsureds: [{ name: `Landlord ${dice.below(1_000)}` }] },
    {
      insuredAddress: {
        line1: `${1 + dice.below(900)} Main St`,
        city: 'Springfield',
        state: policy.state,
        postalCode: '75001',
      },
    },
  ]);
  const isToday = policy.effectiveDate <= today && today < policy.expirationDate && dice.percent(60);
  const effectiveDate = isToday ? today : insured.drawDay(policy);
  await desk.send(`/policies/${policy.id}/endorse`, { effectiveDate, changes, reason: 'Terms.' });
}

/** Reasons of the insured, who may go today; and those of the carrier, who gives notice or rescinds. */
const OWN_REASONS = ['insured_request', 'rewrite', 'sold_out_of_business'] as const;
const CARRIER_REASONS = ['underwriting', 'increase_in_hazard', 'loss_of_reinsurance', 'misrepresentation'] as const;
const LONG_NOTICE_DAYS = 95;

export async function cancelForReason(insured: Insured): Promise<void> {
  const { dice, desk, today } = insured;
  const policy = await insured.policy();
  const isRescinded = dice.percent(10);
  const byCarrier = dice.percent(40);
  const day = addDays(today, byCarrier ? LONG_NOTICE_DAYS : dice.below(20) - 10);
  const later = maxDate(day, policy.effectiveDate);
  if (later >= policy.expirationDate) return;
  const rescission = { effectiveDate: policy.effectiveDate, reason: 'fraud', source: 'carrier', method: 'flat' };
  const reason = dice.pick(byCarrier ? CARRIER_REASONS : OWN_REASONS);
  await desk.send(`/policies/${policy.id}/cancel`, isRescinded ? rescission : { effectiveDate: later, reason });
}
