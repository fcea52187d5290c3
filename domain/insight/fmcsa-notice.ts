// The notice that ends an MCS-90 or a BMC-91X: FMCSA must receive it 30 days before coverage of a registered motor
// carrier ends (49 CFR 387.15, 387.313(d)); until then the insurer is liable to the public, whatever notice the
// insured had. Domain facts 5.3.
import { addDays, type BusinessDate, maxDate } from '../dates.ts';
import { isMotorCarrier } from '../document/mcs90.ts';

export const FMCSA_NOTICE = 'fmcsa_notice';

/** Days from receipt of the notice to the end of liability to the public. */
const FMCSA_NOTICE_DAYS = 30;

/** The facts about the end of a term. */
interface EndingTerm {
  lineOfBusiness: string;
  usdotNumber: string | null;
  expirationDate: BusinessDate;
  cancellation: { effectiveDate: BusinessDate } | null;
  nonRenewal: object | null;
}

/**
 * The day on which a motor carrier's coverage ends, through a cancellation announced or in effect, or notice of
 * non-renewal; null if there is neither, and for other policies.
 */
export function motorCoverageEndsOn(term: EndingTerm): BusinessDate | null {
  if (!isMotorCarrier(term)) return null;
  if (term.cancellation !== null) return term.cancellation.effectiveDate;
  return term.nonRenewal === null ? null : term.expirationDate;
}

/**
 * The last day for FMCSA to receive notice of an end decided today; today if that day has passed, since every day of
 * delay adds a day of liability. Null for a term cancelled before it began.
 */
export function fmcsaNoticeDue(
  { endsOn, effectiveDate }: { endsOn: BusinessDate; effectiveDate: BusinessDate },
  today: BusinessDate,
): BusinessDate | null {
  if (endsOn <= effectiveDate && today < effectiveDate) return null;
  return maxDate(today, addDays(endsOn, -FMCSA_NOTICE_DAYS));
}
