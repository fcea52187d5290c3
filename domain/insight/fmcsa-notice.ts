// The notice that ends an MCS-90 or a BMC-91X: FMCSA must have it 30 days before coverage of a registered motor carrier
// ends, counted from its receipt (49 CFR 387.15, 387.313(d)); until then the insurer answers to the public, whatever
// notice the insured had. Domain facts 5.3.
import { addDays, type BusinessDate, maxDate } from '../dates.ts';
import { isMotorCarrier } from '../document/mcs90.ts';

export const FMCSA_NOTICE = 'fmcsa_notice';

/** Days from the receipt of the notice to the end of the duty to the public. */
const FMCSA_NOTICE_DAYS = 30;

/** A term, as far as its end goes. */
interface EndingTerm {
  lineOfBusiness: string;
  usdotNumber: string | null;
  expirationDate: BusinessDate;
  cancellation: { effectiveDate: BusinessDate } | null;
  nonRenewal: object | null;
}

/**
 * The day on which coverage of a motor carrier ends, by a cancellation that has been announced or has taken effect, or
 * by notice of non-renewal; null while nobody has ended it, and for other policies.
 */
export function motorCoverageEndsOn(term: EndingTerm): BusinessDate | null {
  if (!isMotorCarrier(term)) return null;
  if (term.cancellation !== null) return term.cancellation.effectiveDate;
  return term.nonRenewal === null ? null : term.expirationDate;
}

/**
 * The last day on which FMCSA may receive the notice of an end that is decided today; today where that day has passed,
 * since every day that it waits is one more of liability. Null for a term that is taken back before it began.
 */
export function fmcsaNoticeDue(
  { endsOn, effectiveDate }: { endsOn: BusinessDate; effectiveDate: BusinessDate },
  today: BusinessDate,
): BusinessDate | null {
  if (endsOn <= effectiveDate && today < effectiveDate) return null;
  return maxDate(today, addDays(endsOn, -FMCSA_NOTICE_DAYS));
}
