// The outcomes of a notice that was due, and which notices the law requires. Contract 3.2 "Delinquency".

export const NOTICE_OUTCOMES = ['sent', 'no_address', 'undeliverable'] as const;

/** `undeliverable`: earlier mail to the address came back or brought a complaint. Only `sent` went out. */
export type NoticeOutcome = (typeof NOTICE_OUTCOMES)[number];

/** Notices that start a statutory period: cancellation, for non-payment or not, and non-renewal. */
const REQUIRED: ReadonlySet<string> = new Set(['notice', 'cancellation', 'non_renewal']);

/** Whether a notice of this kind must reach the insured, by post if e-mail does not. Domain facts 6.1. */
export function isRequiredNotice(kind: string): boolean {
  return REQUIRED.has(kind);
}
