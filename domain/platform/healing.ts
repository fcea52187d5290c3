// The kinds of rows whose workflow healing looks for.

/** In the order in which they are checked. */
export const EXPECTED_KINDS = [
  'submission',
  'policy',
  'claim',
  'appointment',
  'envelope',
  'claim_payment',
  'batch',
  'bordereau',
  'trust_run',
  'payment',
  'refund',
  'attempt_cancellation',
  'notice',
] as const;
export type ExpectedKind = (typeof EXPECTED_KINDS)[number];
