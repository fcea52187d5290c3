// Coarse permissions: one action per line, with the roles that may take it. The fine conditions (own producer, assigned
// claim, triage band, authority) are in permissions.ts, the API-key scopes in scopes.ts. Spec 5.8, Contract 2.

export const ROLES = [
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
export type Role = (typeof ROLES)[number];

/** Roles that only the platform grants and revokes. Their holders belong to one organization. Contract 2. */
const PLATFORM_ROLES: readonly Role[] = ['superadmin', 'platform_operator'];

/** Whether a role is one of the platform's. Contract 2. */
export function isPlatformRole(role: Role): boolean {
  return PLATFORM_ROLES.includes(role);
}

/** Short names of the roles, for the table below. */
const ADMIN = 'org_admin';
const OPERATOR = 'platform_operator';
const FINANCE = 'finance_analyst';
const COMPLIANCE = 'compliance_officer';
const UNDERWRITER = 'underwriter';
const PRODUCER = 'producer';
const ADJUSTER = 'claims_adjuster';
const SUPERVISOR = 'claims_supervisor';
const BILLING = 'billing_admin';
const AUDITOR = 'auditor';

/**
 * Action → roles. A superadmin and the machine secret may do everything except use the portal and are not listed. Spec
 * 5.8, Contract 2 "Permissions", 3.4, 3.7, 3.9, 3.10.
 */
const TABLE = {
  'submission:create': [ADMIN, UNDERWRITER, PRODUCER],
  'submission:read': [ADMIN, UNDERWRITER, PRODUCER, AUDITOR],
  'submission:update': [ADMIN, UNDERWRITER, PRODUCER],
  'submission:quote': [ADMIN, UNDERWRITER, PRODUCER],
  'submission:bind': [ADMIN, UNDERWRITER],
  'submission:withdraw': [ADMIN, UNDERWRITER, PRODUCER],
  'submission:decline': [ADMIN, UNDERWRITER],

  'policy:read': [ADMIN, UNDERWRITER, PRODUCER, ADJUSTER, SUPERVISOR, BILLING, FINANCE, AUDITOR],
  'policy:update': [ADMIN, UNDERWRITER],
  'policy:endorse': [ADMIN, UNDERWRITER],
  'policy:cancel': [ADMIN, UNDERWRITER],
  'policy:reinstate': [ADMIN, UNDERWRITER],
  'policy:renew': [ADMIN, UNDERWRITER],
  'policy:non_renew': [ADMIN, UNDERWRITER],
  'policy:audit': [ADMIN, UNDERWRITER],
  'policy:change_payment_plan': [ADMIN, UNDERWRITER, BILLING],
  'policy:issue_mcs90': [ADMIN, UNDERWRITER],
  'renewal:run': [ADMIN],
  'renewal:read': [ADMIN, UNDERWRITER, AUDITOR],
  'billing_hold:manage': [ADMIN],
  'billing_hold:read': [ADMIN, BILLING, AUDITOR],

  'claim:create': [ADMIN, ADJUSTER, SUPERVISOR],
  'claim:read': [ADMIN, ADJUSTER, SUPERVISOR, PRODUCER, AUDITOR],
  'claim:read_phi': [ADMIN, ADJUSTER, SUPERVISOR],
  'claim:investigate': [ADMIN, ADJUSTER, SUPERVISOR],
  'claim:assign': [ADMIN, SUPERVISOR],
  'claim:reserve': [ADMIN, ADJUSTER, SUPERVISOR],
  'claim:settle': [ADMIN, ADJUSTER, SUPERVISOR],
  'claim:approve': [ADMIN, SUPERVISOR],
  'claim:pay': [ADMIN, SUPERVISOR],
  'claim:deny': [ADMIN, ADJUSTER, SUPERVISOR],
  'claim:close': [ADMIN, ADJUSTER, SUPERVISOR],
  'claim:reopen': [ADMIN, ADJUSTER, SUPERVISOR],
  'claim:attach': [ADMIN, ADJUSTER, SUPERVISOR],

  'invoice:read': [ADMIN, BILLING, FINANCE, AUDITOR],
  'invoice:collect': [ADMIN, BILLING],
  'invoice:print': [ADMIN, BILLING],
  'invoice:record_payment': [ADMIN, BILLING],
  'invoice:void': [ADMIN, BILLING],
  'invoice:write_off': [ADMIN, BILLING],
  'invoice:refund': [ADMIN, BILLING],
  'refund:read': [ADMIN, BILLING, FINANCE, AUDITOR],
  'refund:approve': [ADMIN, BILLING],
  'disbursement:read': [ADMIN, BILLING, FINANCE, AUDITOR],
  'disbursement:manage': [ADMIN, BILLING],
  'loss_fund:read': [ADMIN, BILLING, FINANCE, AUDITOR],
  'loss_fund:deposit': [ADMIN, BILLING],
  'ledger:read': [ADMIN, BILLING, FINANCE, AUDITOR],
  'journal:create': [ADMIN, BILLING],
  'journal:decide': [ADMIN],
  'ledger:reconcile': [ADMIN, BILLING],
  'ledger:close': [ADMIN, BILLING],
  'ledger:reopen': [ADMIN],
  'commission:read': [ADMIN, BILLING, FINANCE, AUDITOR],
  'commission_statement:read': [ADMIN, BILLING, FINANCE, PRODUCER, AUDITOR],
  'remittance:read': [ADMIN, BILLING, FINANCE, AUDITOR],
  'remittance:prepare': [ADMIN, BILLING, FINANCE],
  'remittance:decide': [ADMIN, BILLING],

  // Each also needs the permission for the row that the document belongs to.
  'document:read': [ADMIN, UNDERWRITER, PRODUCER, ADJUSTER, SUPERVISOR, BILLING, FINANCE, COMPLIANCE, AUDITOR],
  'unfiled_document:read': [ADMIN, UNDERWRITER, AUDITOR],
  'document_template:read': [ADMIN, UNDERWRITER, AUDITOR],
  'document_template:write': [ADMIN],
  'document:ingest': [ADMIN, UNDERWRITER],
  'document:render': [ADMIN, UNDERWRITER],
  'coi:generate': [ADMIN, UNDERWRITER],
  'envelope:read': [ADMIN, UNDERWRITER, AUDITOR],
  'envelope:create': [ADMIN, UNDERWRITER],
  'envelope:void': [ADMIN, UNDERWRITER],

  'webhook:read': [ADMIN],
  'webhook:manage': [ADMIN],
  'event:read': [ADMIN, AUDITOR],

  'producer:create': [ADMIN, COMPLIANCE],
  'producer:read': [ADMIN, COMPLIANCE, UNDERWRITER, PRODUCER, AUDITOR],
  'producer:update': [ADMIN, COMPLIANCE],
  'producer_member:read': [ADMIN, COMPLIANCE, AUDITOR],
  'producer_member:manage': [ADMIN, COMPLIANCE],
  'appointment:create': [ADMIN, COMPLIANCE],
  'appointment:read': [ADMIN, COMPLIANCE, UNDERWRITER, PRODUCER, AUDITOR],
  'appointment:update': [ADMIN, COMPLIANCE],
  'filing:read': [ADMIN, COMPLIANCE, AUDITOR],
  'filing:update': [ADMIN, COMPLIANCE],
  'sanctions:read': [ADMIN, COMPLIANCE, AUDITOR],
  'sanctions:clear': [ADMIN, COMPLIANCE],

  'deal_room:create': [ADMIN, UNDERWRITER],
  'deal_room:read': [ADMIN, UNDERWRITER, PRODUCER, AUDITOR],
  'deal_room:post': [ADMIN, UNDERWRITER, PRODUCER],
  'deal_room:mark_read': [ADMIN, UNDERWRITER, PRODUCER],
  'deal_room:manage': [ADMIN, UNDERWRITER],
  'deal_room:close': [ADMIN, UNDERWRITER],
  'referral:create': [ADMIN, UNDERWRITER],
  'referral:read': [ADMIN, UNDERWRITER, AUDITOR],
  'referral:decide': [ADMIN, UNDERWRITER],
  'delegation:create': [ADMIN, UNDERWRITER],
  'delegation:read': [ADMIN, UNDERWRITER, AUDITOR],
  'delegation:end': [ADMIN, UNDERWRITER],

  'flag:read': [ADMIN, OPERATOR, AUDITOR],
  'flag:write': [ADMIN],
  'flag:control': [ADMIN],
  'analytics:read': [ADMIN, FINANCE, COMPLIANCE, AUDITOR],
  'receivables:read': [ADMIN, BILLING, FINANCE, COMPLIANCE, AUDITOR],
  'bordereau:read': [ADMIN, BILLING, FINANCE, COMPLIANCE, AUDITOR],
  'bordereau:create': [ADMIN, BILLING, COMPLIANCE],
  'audit:read': [ADMIN, OPERATOR, COMPLIANCE, AUDITOR],

  'user:read': [ADMIN, AUDITOR],
  'user:invite': [ADMIN],
  'user:update': [ADMIN],
  'authority:read': [ADMIN, AUDITOR],
  'authority:write': [ADMIN],
  'api_key:read': [ADMIN, OPERATOR],
  'api_key:manage': [ADMIN, OPERATOR],

  'organization:create': [OPERATOR],
  'organization:read': [OPERATOR],
  'organization:update': [OPERATOR],
  'organization:operate': [],
  'da_contract:read': [ADMIN, OPERATOR, UNDERWRITER, AUDITOR],
  'da_contract:create': [OPERATOR],
  'da_contract:tighten': [ADMIN, OPERATOR],
  'da_contract:update': [OPERATOR],
  'rate_table:read': [ADMIN, OPERATOR, UNDERWRITER, AUDITOR],
  'rate_table:write': [ADMIN, OPERATOR],
  'commission_schedule:read': [ADMIN, OPERATOR, FINANCE, AUDITOR],
  'commission_schedule:write': [ADMIN, OPERATOR],
  'commission_terms:read': [ADMIN, FINANCE, AUDITOR],
  'commission_terms:write': [ADMIN],

  'permission:read': ROLES.filter((role) => role !== 'policyholder'),

  'payload:decode': [OPERATOR],
  'payload:encode': [OPERATOR],

  'test_clock:read': [ADMIN, OPERATOR, AUDITOR],
  'test_clock:advance': [ADMIN],

  'portal:use': ['policyholder'],
} as const satisfies Record<string, readonly Role[]>;

export type Action = keyof typeof TABLE;

/** Every action of the platform, `<resource>:<verb>`. */
export const ACTIONS = Object.keys(TABLE) as Action[];

const ROLES_BY_ACTION: Readonly<Record<Action, readonly Role[]>> = TABLE;

/** Whether a role may take an action at all, before any condition on the resource. Spec 5.8, Contract 2. */
export function roleMay(role: Role, action: Action): boolean {
  if (role === 'superadmin') return action !== 'portal:use';
  return ROLES_BY_ACTION[action].includes(role);
}

/** Whether a text is one of the roles of Spec 5.8. */
export function isRole(value: unknown): value is Role {
  return ROLES.some((role) => role === value);
}
