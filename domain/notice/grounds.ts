// The grounds of a cancellation or a non-renewal, as the insured reads them in the document and in the e-mail.
import type { CancellationReason } from '../policy/cancellation-words.ts';
import type { TransactionFacts } from '../policy/transaction.ts';

const REASONS: Readonly<Record<CancellationReason, string>> = {
  non_payment: 'Non-payment of premium.',
  insured_request: 'At the request of the insured.',
  underwriting: 'The risk no longer meets our underwriting guidelines.',
  misrepresentation: 'Misrepresentation of the risk.',
  fraud: 'Fraud.',
  increase_in_hazard: 'An increase in the hazard insured against.',
  loss_of_reinsurance: 'Loss of reinsurance for this risk.',
  rewrite: 'The policy has been rewritten.',
  flat_not_taken: 'The policy was not taken.',
  sold_out_of_business: 'The business was sold or closed.',
};

/** Null if no grounds are needed. Those of a non-renewal are free text, kept as entered. */
export function groundsText({ type, changes }: TransactionFacts): string | null {
  if (type === 'cancellation') return REASONS[changes.reason];
  return type === 'non_renewal' ? changes.reason : null;
}
