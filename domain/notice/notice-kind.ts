// The occasions for a notice to the insured.
const NOTICE_KINDS = [
  'past_due',
  'notice',
  'move',
  'withdraw',
  'rescind',
  'lapse',
  'not_taken',
  'cancellation',
  'cancellation_withdrawal',
  'reinstatement',
  'non_renewal',
  'non_renewal_withdrawal',
  'autopay_upcoming',
  'autopay_failed',
  'autopay_suspended',
] as const;

export type NoticeKind = (typeof NOTICE_KINDS)[number];
