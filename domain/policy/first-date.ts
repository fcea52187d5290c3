// The first date of a new term: until then its workflow has nothing to do.
import type { BusinessDate } from '../dates.ts';
import type { PolicyStatus } from './policy.ts';

interface NewTerm {
  status: PolicyStatus;
  effectiveDate: BusinessDate;
  expirationDate: BusinessDate;
  /** Its first delinquency step; null if nothing falls due. */
  delinquency: { on: BusinessDate } | null;
}

/** Returns the first day on which something happens to a new term without a request. */
export function firstDateOf({ status, effectiveDate, expirationDate, delinquency }: NewTerm): BusinessDate {
  const dated = status === 'pending' ? effectiveDate : expirationDate;
  return delinquency && delinquency.on < dated ? delinquency.on : dated;
}
