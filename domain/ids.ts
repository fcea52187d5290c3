// Identifier prefixes and shape checks: `<prefix>_<26 base32 characters of a UUID>` (TypeID). Creating an identifier
// needs randomness and happens elsewhere. Contract 1.

/** Entity name → identifier prefix. Contract 1; no endpoint addresses the last group by id. */
export const ID_PREFIXES = {
  organization: 'org',
  user: 'usr',
  session: 'ses',
  apiKey: 'key',
  submission: 'sub',
  quote: 'quo',
  policy: 'pol',
  policyTransaction: 'ptx',
  invoice: 'inv',
  payment: 'pay',
  refund: 'ref',
  disbursement: 'dsb',
  claim: 'clm',
  claimNote: 'cln',
  claimEntry: 'cle',
  claimPayment: 'cpm',
  claimRecovery: 'crv',
  payeeHold: 'phd',
  lossFundDeposit: 'lfd',
  reserve: 'rsv',
  settlement: 'stl',
  attachment: 'att',
  document: 'doc',
  documentTemplate: 'dtp',
  certificate: 'coi',
  producer: 'prd',
  appointment: 'apt',
  producerTerm: 'pct',
  dealRoom: 'drm',
  message: 'msg',
  referral: 'rfl',
  delegation: 'dlg',
  flag: 'flg',
  webhookSubscription: 'whs',
  webhookDelivery: 'whd',
  event: 'evt',
  envelope: 'env',
  insured: 'ins',
  pushToken: 'ptk',
  pushNotice: 'psn',
  request: 'req',
  commissionRecord: 'cmr',
  ledgerEntry: 'led',
  journal: 'jnl',
  ledgerPeriod: 'lpd',
  remittance: 'rmt',
  payout: 'pyo',
  transfer: 'trf',
  trustShortfall: 'tsf',
  daContract: 'dac',
  batch: 'bat',
  filing: 'fil',
  calendarFeed: 'cal',
  audit: 'aud',
  relation: 'rel',
  rateTable: 'rtb',
  commissionSchedule: 'csc',
  daUsage: 'dau',
  surplusLinesRate: 'slr',
  sanctionsEntry: 'snc',
  sanctionsClearance: 'scl',
  idempotencyRecord: 'idm',
  counter: 'ctr',
  billingHold: 'bhd',
  paymentIntent: 'pin',
  autopay: 'apy',
  autopaySetup: 'aps',
  ledgerLine: 'lln',
  invoiceAdjustment: 'iad',
  trustReconciliation: 'trc',
  cardStatementLine: 'csl',
  cardPayout: 'cpo',
  bankStatement: 'bks',
  bankLine: 'bkl',
  bankMatch: 'bkm',
  cardPayoutLine: 'cpl',
  sentMail: 'sml',
  bordereau: 'bdx',
} as const;

export type IdKind = keyof typeof ID_PREFIXES;

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
// 26 characters hold 130 bits, so the first one may not exceed 7.
const SUFFIX = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a value has the shape of an identifier with that prefix (`'sub'`, not `'submission'`). Contract 1. */
export function isId(value: unknown, prefix: string): value is string {
  if (typeof value !== 'string' || !value.startsWith(`${prefix}_`)) return false;
  return SUFFIX.test(value.slice(prefix.length + 1));
}

/** Whether a value is a UUID in its usual text form, of any version. */
export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && UUID.test(value);
}

/**
 * Reads an organization id: an `org_…` TypeID or its UUID form. Returns the TypeID, or null for anything else.
 * Contract 1 "Organization id".
 */
export function organizationIdFrom(value: unknown): string | null {
  if (isId(value, ID_PREFIXES.organization)) return value;
  if (!isUuid(value)) return null;
  return `${ID_PREFIXES.organization}_${suffixOf(BigInt(`0x${value.replaceAll('-', '')}`))}`;
}

/**
 * Returns the UUID form of an organization's TypeID.
 * @throws TypeError for a malformed id, which is a programming error.
 */
export function organizationUuid(orgId: string): string {
  if (!isId(orgId, ID_PREFIXES.organization)) throw new TypeError('organizationUuid needs an org_ TypeID');
  return uuidOf(orgId);
}

/** Returns the UUID form of a well-formed TypeID of any kind. */
export function uuidOf(id: string): string {
  let bits = 0n;
  for (const char of id.slice(id.lastIndexOf('_') + 1)) bits = (bits << 5n) | BigInt(ALPHABET.indexOf(char));
  const hex = bits.toString(16).padStart(32, '0');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

function suffixOf(bits: bigint): string {
  let text = '';
  for (let rest = bits, i = 0; i < 26; i += 1, rest >>= 5n) text = ALPHABET.charAt(Number(rest & 31n)) + text;
  return text;
}
