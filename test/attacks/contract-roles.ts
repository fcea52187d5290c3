// Who may call what, written by hand from Contract 2 and the sections it cites, independently of domain/: which secret
// vouches for which role, which role reads or writes which resource, which scope opens it to an API key. A resource is
// the first path segment below /v1.

export const ALL_ROLES = [
  'superadmin',
  'org_admin',
  'platform_operator',
  'finance_analyst',
  'compliance_officer',
  'underwriter',
  'producer',
  'claims_adjuster',
  'claims_supervisor',
  'billing_admin',
  'auditor',
  'policyholder',
] as const;
export type RoleName = (typeof ALL_ROLES)[number];

/** Secret → roles it vouches for. The machine secret and the session key vouch for no token. */
export const VOUCHED = {
  jwtSecret: ALL_ROLES.filter((role) => role !== 'producer' && role !== 'policyholder'),
  financeJwtSecret: ['finance_analyst', 'billing_admin', 'auditor'],
  complianceJwtSecret: ['compliance_officer', 'auditor'],
  carrierJwtSecret: ['org_admin', 'auditor'],
  portalJwtSecret: ['producer'],
  policyholderJwtSecret: ['policyholder'],
  apiSecret: [],
  authSecret: [],
} as const satisfies Record<string, readonly RoleName[]>;
export type SecretName = keyof typeof VOUCHED;
export const SECRET_NAMES = Object.keys(VOUCHED) as SecretName[];

/** Returns whether a secret vouches for a role. */
export function isVouched(secret: SecretName, role: RoleName): boolean {
  return (VOUCHED[secret] as readonly RoleName[]).includes(role);
}

/** A secret that vouches for a role. @throws TypeError where none does */
export function secretOf(role: RoleName): SecretName {
  const found = SECRET_NAMES.find((secret) => isVouched(secret, role));
  if (!found) throw new TypeError(`No secret vouches for ${role}`);
  return found;
}

/** A portal from Spec 5.6 and the secret of its callback. */
export const PORTAL_SECRETS = {
  admin: 'jwtSecret',
  finance: 'financeJwtSecret',
  compliance: 'complianceJwtSecret',
  carrier: 'carrierJwtSecret',
  producer: 'portalJwtSecret',
  underwriting: 'jwtSecret',
  uw: 'jwtSecret',
  policyholder: 'policyholderJwtSecret',
} as const satisfies Record<string, SecretName>;

interface Line {
  read: string;
  write: string;
}

/** Apart from the superadmin, who may do everything except use the portal. Roles are separated by spaces. */
const LINES: Readonly<Record<string, Line>> = {
  submissions: { read: 'org_admin underwriter producer auditor', write: 'org_admin underwriter producer' },
  sanctions: { read: 'org_admin compliance_officer auditor', write: 'org_admin compliance_officer' },
  policies: {
    read: 'org_admin underwriter producer claims_adjuster claims_supervisor billing_admin finance_analyst auditor',
    write: 'org_admin underwriter',
  },
  renewals: { read: 'org_admin underwriter auditor', write: 'org_admin' },
  claims: {
    read: 'org_admin claims_adjuster claims_supervisor producer auditor',
    write: 'org_admin claims_adjuster claims_supervisor',
  },
  invoices: { read: 'org_admin billing_admin finance_analyst auditor', write: 'org_admin billing_admin' },
  refunds: { read: 'org_admin billing_admin finance_analyst auditor', write: 'org_admin billing_admin' },
  disbursements: { read: 'org_admin billing_admin finance_analyst auditor', write: 'org_admin billing_admin' },
  'billing-holds': { read: 'org_admin billing_admin auditor', write: 'org_admin' },
  'loss-funds': { read: 'org_admin billing_admin finance_analyst auditor', write: 'org_admin billing_admin' },
  payments: { read: 'org_admin billing_admin finance_analyst auditor', write: 'org_admin billing_admin' },
  'unapplied-cash': { read: 'org_admin billing_admin finance_analyst auditor', write: 'org_admin billing_admin' },
  ledger: { read: 'org_admin billing_admin finance_analyst auditor', write: 'org_admin billing_admin' },
  'bank-statements': { read: 'org_admin billing_admin finance_analyst auditor', write: 'org_admin billing_admin' },
  'bank-lines': { read: 'org_admin billing_admin finance_analyst auditor', write: 'org_admin billing_admin' },
  'trust-reconciliations': {
    read: 'org_admin billing_admin finance_analyst auditor',
    write: 'org_admin billing_admin',
  },
  commissions: {
    read: 'org_admin billing_admin finance_analyst auditor',
    write: 'org_admin billing_admin finance_analyst',
  },
  remittances: {
    read: 'org_admin billing_admin finance_analyst auditor',
    write: 'org_admin billing_admin finance_analyst',
  },
  documents: {
    read: 'org_admin underwriter producer claims_adjuster claims_supervisor billing_admin finance_analyst compliance_officer auditor',
    write: 'org_admin underwriter',
  },
  coi: { read: '', write: 'org_admin underwriter' },
  certificates: {
    read: 'org_admin underwriter producer claims_adjuster claims_supervisor billing_admin finance_analyst auditor',
    write: '',
  },
  'document-templates': { read: 'org_admin underwriter auditor', write: 'org_admin' },
  esign: { read: 'org_admin underwriter auditor', write: 'org_admin underwriter' },
  envelopes: { read: 'org_admin underwriter auditor', write: 'org_admin underwriter' },
  webhooks: { read: 'org_admin', write: 'org_admin' },
  events: { read: 'org_admin auditor', write: '' },
  producers: {
    read: 'org_admin compliance_officer underwriter producer auditor',
    write: 'org_admin compliance_officer',
  },
  // Only about the caller's own rights.
  permissions: { read: '', write: ALL_ROLES.filter((role) => role !== 'policyholder').join(' ') },
  compliance: { read: 'org_admin compliance_officer auditor', write: 'org_admin compliance_officer' },
  'deal-rooms': { read: 'org_admin underwriter producer auditor', write: 'org_admin underwriter' },
  referrals: { read: 'org_admin underwriter auditor', write: 'org_admin underwriter' },
  delegations: { read: 'org_admin underwriter auditor', write: 'org_admin underwriter' },
  flags: { read: 'org_admin platform_operator auditor', write: 'org_admin' },
  analytics: { read: 'org_admin finance_analyst compliance_officer auditor', write: '' },
  bordereaux: {
    read: 'org_admin billing_admin finance_analyst compliance_officer auditor',
    write: 'org_admin billing_admin compliance_officer',
  },
  audit: { read: 'org_admin platform_operator compliance_officer auditor', write: '' },
  requests: { read: 'org_admin platform_operator compliance_officer auditor', write: '' },
  users: { read: 'org_admin auditor', write: 'org_admin' },
  'api-keys': { read: 'org_admin platform_operator', write: 'org_admin platform_operator' },
  organizations: { read: 'platform_operator', write: 'platform_operator' },
  'da-contracts': { read: 'org_admin platform_operator underwriter auditor', write: 'org_admin platform_operator' },
  'rate-tables': { read: 'org_admin platform_operator underwriter auditor', write: 'org_admin platform_operator' },
  'commission-schedules': {
    read: 'org_admin platform_operator finance_analyst auditor',
    write: 'org_admin platform_operator',
  },
  // Opens what workflows have stored, for the installation's operators.
  'temporal-codec': { read: '', write: 'platform_operator' },
  'test-clock': { read: 'org_admin platform_operator auditor', write: 'org_admin' },
  portal: { read: 'policyholder', write: 'policyholder' },
};

/** Operations that are stricter or broader than their resource's line. */
const EXCEPTIONS: readonly [operation: RegExp, roles: string][] = [
  [/^POST \/v1\/submissions\/:id\/(bind|decline)$/, 'org_admin underwriter'],
  [
    /^POST \/v1\/claims\/:id\/(assign|settle\/(approve|reject)|payments|payments\/:paymentId\/void|recoveries)$/,
    'org_admin claims_supervisor',
  ],
  [/^GET \/v1\/claims\/:id\/payee-holds$/, 'org_admin compliance_officer auditor'],
  [/^POST \/v1\/claims\/:id\/payee-holds\/:holdId\/clear$/, 'org_admin compliance_officer'],
  [/^POST \/v1\/sanctions\/screenings$/, 'org_admin compliance_officer auditor'],
  [/^POST \/v1\/policies\/:id\/payment-plan$/, 'org_admin underwriter billing_admin'],
  [/^GET \/v1\/policies\/:id\/statement$/, 'org_admin billing_admin finance_analyst auditor'],
  [/^GET \/v1\/policies\/:id\/autopay$/, 'org_admin billing_admin finance_analyst auditor'],
  [/^(POST|DELETE) \/v1\/policies\/:id\/autopay$/, 'org_admin billing_admin'],
  [/^GET \/v1\/producers\/:id\/commission-terms$/, 'org_admin finance_analyst auditor'],
  [/^PUT \/v1\/producers\/:id\/commission-terms$/, 'org_admin'],
  [/^GET \/v1\/analytics\/:orgId\/receivables$/, 'org_admin billing_admin finance_analyst compliance_officer auditor'],
  [/^GET \/v1\/producers\/:id\/statements$/, 'org_admin billing_admin finance_analyst producer auditor'],
  [/^GET \/v1\/producers\/:id\/members(\/:userId)?$/, 'org_admin compliance_officer auditor'],
  [/^(POST \/v1\/deal-rooms\/:id\/messages|PUT \/v1\/deal-rooms\/:id\/read-marker)$/, 'org_admin underwriter producer'],
  [/^(PUT|DELETE) \/v1\/organizations\/:id\/operators\/:userId$/, ''],
  [/^POST \/v1\/ledger\/journals\/:id\/(approve|reject)$/, 'org_admin'],
  [/^POST \/v1\/ledger\/periods\/:month\/reopen$/, 'org_admin'],
  [/^POST \/v1\/ledger\/transfers$/, 'org_admin billing_admin finance_analyst'],
  [
    /^POST \/v1\/(commissions\/payouts|remittances|ledger\/transfers)\/:id\/(approve|reject)$/,
    'org_admin billing_admin',
  ],
  [/^POST \/v1\/da-contracts$/, 'platform_operator'],
];

/** Resources whose scope has the same name. */
const SCOPED =
  'submissions policies claims invoices documents webhooks producers deal-rooms referrals flags analytics events renewals';
/** Resources opened by another resource's scope. */
const SCOPED_AS: Readonly<Record<string, string>> = {
  payments: 'invoices',
  'loss-funds': 'invoices',
  'unapplied-cash': 'invoices',
  ledger: 'invoices',
  refunds: 'invoices',
  disbursements: 'invoices',
  'trust-reconciliations': 'invoices',
  'bank-statements': 'invoices',
  'bank-lines': 'invoices',
  commissions: 'invoices',
  remittances: 'invoices',
  compliance: 'producers',
  sanctions: 'claims',
  delegations: 'referrals',
  bordereaux: 'analytics',
  certificates: 'policies',
  'document-templates': 'documents',
  esign: 'documents',
  envelopes: 'documents',
};
/** What keys never do, whatever their scopes: approve, decide, clear, keep the books, start their reconciliation. */
const CLOSED_TO_KEYS =
  /^DELETE \/v1\/sanctions\/.*$|^POST \/v1\/(sanctions\/clearances|.*\/(settle\/(approve|reject)|decision)|claims\/:id\/deny|claims\/:id\/(payments|payments\/.*|recoveries|payee-holds\/.*)|loss-funds\/.*|refunds\/:id\/(approve|reject)|ledger\/.*|commissions\/.*|remittances.*|delegations.*|trust-reconciliations|bank-statements.*|bank-lines.*)$/;

/** Every scope that a key may have. Contract 2 "API key". */
export const ALL_SCOPES = [
  ...words(SCOPED).flatMap((name) => [`${name}:read`, `${name}:write`]),
  'coi:generate',
  'documents:ingest',
  '*',
];

/** Returns whether the contract lets a role call an operation at all. @throws Error for a resource without a line */
export function contractAllows(role: RoleName, method: string, pattern: string): boolean {
  const resource = resourceOf(pattern);
  const line = LINES[resource];
  if (!line) throw new Error(`test/attacks/contract-roles.ts has no line for ${method} ${pattern}`);
  if (role === 'superadmin') return resource !== 'portal';
  const exception = EXCEPTIONS.find(([operation]) => operation.test(`${method} ${pattern}`));
  return words(exception?.[1] ?? (method === 'GET' ? line.read : line.write)).includes(role);
}

/** The scope that opens an operation to a key; null for one closed to all keys, even with `*`. */
export function contractScope(method: string, pattern: string): string | null {
  const resource = resourceOf(pattern);
  if (/^\/v1\/producers\/:id\/(members|commission-terms)/.test(pattern)) return null;
  if (/^\/v1\/(producers\/:id\/statements|policies\/:id\/statement)$/.test(pattern)) return 'invoices:read';
  if (pattern === '/v1/policies/:id/autopay') return `invoices:${method === 'GET' ? 'read' : 'write'}`;
  if (CLOSED_TO_KEYS.test(`${method} ${pattern}`)) return null;
  if (pattern === '/v1/sanctions/screenings') return 'claims:read';
  if (resource === 'coi') return 'coi:generate';
  if (pattern.endsWith('/documents/ingest')) return 'documents:ingest';
  const name = SCOPED_AS[resource] ?? (words(SCOPED).includes(resource) ? resource : null);
  return name && `${name}:${method === 'GET' ? 'read' : 'write'}`;
}

/** Returns whether a key's scope satisfies another one: the same scope, `write` for a `read`, or `*`. */
export function scopeOpens(scope: string, needed: string | null): boolean {
  if (needed === null) return false;
  return scope === '*' || scope === needed || scope === needed.replace(/:read$/, ':write');
}

function resourceOf(pattern: string): string {
  return pattern.split('/')[2] ?? '';
}

function words(text: string): string[] {
  return text === '' ? [] : text.split(' ');
}
