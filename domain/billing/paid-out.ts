// Money that has left the trust account under a reference that the bank reports: a check or transfer to an insured, a
// remittance, a payout, or our own commission and fees. Contract 3.4 "Ledgers".
import { DomainError } from '../errors.ts';

export interface PaidOut {
  resource: 'disbursement' | 'remittance';
  id: string;
}

/**
 * Refuses a reference already used for another payment, even a stopped check.
 * @throws DomainError already_exists with the field, and the id of that payment
 */
export function ensureReferenceIsFree(paid: PaidOut | null, field: string): void {
  if (paid === null) return;
  const { resource, id } = paid;
  const details = { resource, [`${resource}Id`]: id, field };
  throw new DomainError('already_exists', 'Another payment has already been made under this reference.', details);
}
