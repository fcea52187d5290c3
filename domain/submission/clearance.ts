// Clearance: the same risk submitted twice, perhaps through two producers. A likely duplicate is flagged, never
// refused. Contract 3.1 "A likely duplicate".
import { addDays, type BusinessDate, daysBetween } from '../dates.ts';
import { CLEARANCE_WINDOW_DAYS } from '../limits.ts';
import { withoutInvisible } from '../text.ts';

/** The facts that two submissions are compared by; a missing fact never matches. */
export interface ClearanceFacts {
  insuredName: string | null;
  state: string | null;
  lineOfBusiness: string | null;
  effectiveDate: BusinessDate | null;
}

// Words for a business's legal form, which do not identify it.
const LEGAL_FORMS = new Set([
  ...['inc', 'incorporated', 'corp', 'corporation', 'co', 'company', 'companies', 'llc', 'llp', 'lllp', 'lp', 'ltd'],
  ...['limited', 'plc', 'pllc', 'pc', 'pa', 'the', 'dba'],
]);

/**
 * Reduces a business name to its identifying part: lower case, without accents, invisible characters, punctuation or
 * legal form, `&` as "and", single spaces. A name made only of legal forms keeps them; one without letters or digits
 * becomes ''.
 */
export function normalizeName(name: string): string {
  const words = withoutInvisible(name.normalize('NFKD'))
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('&', ' and ')
    .replace(/(?<=\p{L})[.'’](?=\p{L})/gu, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  const telling = words.filter((word) => !LEGAL_FORMS.has(word));
  return (telling.length > 0 ? telling : words).join(' ');
}

/**
 * Returns the range of effective dates, both included, within which another submission of the same risk is a likely
 * duplicate.
 */
export function clearanceWindow(effectiveDate: BusinessDate): { from: BusinessDate; to: BusinessDate } {
  return { from: addDays(effectiveDate, -CLEARANCE_WINDOW_DAYS), to: addDays(effectiveDate, CLEARANCE_WINDOW_DAYS) };
}

/**
 * Whether two submissions are likely the same risk: the same normalized name, state and line of business, with
 * effective dates at most 30 days apart.
 */
export function isLikelyDuplicate(a: ClearanceFacts, b: ClearanceFacts): boolean {
  if (a.insuredName === null || b.insuredName === null || a.effectiveDate === null || b.effectiveDate === null) {
    return false;
  }
  if (a.state === null || a.state !== b.state) return false;
  if (a.lineOfBusiness === null || a.lineOfBusiness !== b.lineOfBusiness) return false;
  if (Math.abs(daysBetween(a.effectiveDate, b.effectiveDate)) > CLEARANCE_WINDOW_DAYS) return false;
  const name = normalizeName(a.insuredName);
  return name !== '' && name === normalizeName(b.insuredName);
}
