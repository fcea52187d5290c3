// The words of a cancellation: its reasons, its sources, and the methods of returning premium. Contract 3.2.

export const CANCELLATION_REASONS = [
  'non_payment',
  'insured_request',
  'underwriting',
  'misrepresentation',
  'fraud',
  'increase_in_hazard',
  'loss_of_reinsurance',
  'rewrite',
  'flat_not_taken',
  'sold_out_of_business',
] as const;
export type CancellationReason = (typeof CANCELLATION_REASONS)[number];

export const CANCELLATION_SOURCES = ['insured', 'carrier'] as const;
export type CancellationSource = (typeof CANCELLATION_SOURCES)[number];

export const CANCELLATION_METHODS = ['pro_rata', 'short_rate', 'flat'] as const;
export type CancellationMethod = (typeof CANCELLATION_METHODS)[number];
