// The API-key scopes and the one scope that opens each action. An action without a scope is closed to every key, `*`
// included: keys never approve, decide or administer. Spec 2.7, 5.3, Contract 2 "API key".
import type { Action } from '../permission-table.ts';

const SCOPED_RESOURCES = [
  'submissions',
  'policies',
  'claims',
  'invoices',
  'documents',
  'webhooks',
  'producers',
  'deal-rooms',
  'referrals',
  'flags',
  'analytics',
  'events',
  'renewals',
] as const;

/** Every scope an API key may be given. Contract 2. */
export const SCOPES: readonly string[] = [
  ...SCOPED_RESOURCES.flatMap((resource) => [`${resource}:read`, `${resource}:write`]),
  'coi:generate',
  'documents:ingest',
  '*',
];

/** Scope → the actions that it opens itself; `write` also opens those of `read`. */
const ACTIONS_BY_SCOPE: Readonly<Record<string, readonly Action[]>> = {
  'submissions:read': ['submission:read'],
  'submissions:write': [
    'submission:create',
    'submission:update',
    'submission:quote',
    'submission:bind',
    'submission:withdraw',
    'submission:decline',
  ],
  'policies:read': ['policy:read'],
  'policies:write': [
    'policy:update',
    'policy:endorse',
    'policy:cancel',
    'policy:reinstate',
    'policy:renew',
    'policy:non_renew',
    'policy:audit',
    'policy:change_payment_plan',
    'policy:issue_mcs90',
  ],
  'renewals:read': ['renewal:read'],
  'renewals:write': ['renewal:run'],
  'claims:read': ['claim:read', 'claim:read_phi', 'sanctions:read'],
  'claims:write': [
    'claim:create',
    'claim:investigate',
    'claim:assign',
    'claim:reserve',
    'claim:settle',
    'claim:close',
    'claim:reopen',
    'claim:attach',
  ],
  'invoices:read': [
    'invoice:read',
    'refund:read',
    'disbursement:read',
    'loss_fund:read',
    'ledger:read',
    'commission:read',
    'commission_statement:read',
    'remittance:read',
  ],
  'invoices:write': [
    'invoice:collect',
    'invoice:print',
    'invoice:record_payment',
    'invoice:void',
    'invoice:write_off',
    'invoice:refund',
    'disbursement:manage',
  ],
  'documents:read': ['document:read', 'unfiled_document:read', 'document_template:read', 'envelope:read'],
  'documents:write': ['document:render', 'document_template:write', 'envelope:create', 'envelope:void'],
  'documents:ingest': ['document:ingest'],
  'coi:generate': ['coi:generate'],
  'webhooks:read': ['webhook:read'],
  'webhooks:write': ['webhook:manage'],
  'producers:read': ['producer:read', 'appointment:read', 'filing:read'],
  'producers:write': [
    'producer:create',
    'producer:update',
    'appointment:create',
    'appointment:update',
    'filing:update',
  ],
  'deal-rooms:read': ['deal_room:read'],
  'deal-rooms:write': [
    'deal_room:create',
    'deal_room:post',
    'deal_room:mark_read',
    'deal_room:manage',
    'deal_room:close',
  ],
  'referrals:read': ['referral:read', 'delegation:read'],
  'referrals:write': ['referral:create'],
  'flags:read': ['flag:read'],
  'flags:write': ['flag:write'],
  'analytics:read': ['analytics:read', 'receivables:read', 'bordereau:read'],
  'analytics:write': ['bordereau:create'],
  'events:read': ['event:read'],
};

const SCOPE_BY_ACTION: ReadonlyMap<string, string> = new Map(
  Object.entries(ACTIONS_BY_SCOPE).flatMap(([scope, actions]) => actions.map((action) => [action, scope] as const)),
);

/**
 * Names the narrowest scope that opens an action to an API key, or null if the action is closed to keys. Contract 2.
 */
export function requiredScope(action: Action): string | null {
  return SCOPE_BY_ACTION.get(action) ?? null;
}

/** Whether a key with these scopes may take an action: its scope, the `write` above a `read`, or `*`. Contract 2. */
export function scopesAllow(scopes: readonly string[], action: Action): boolean {
  const needed = requiredScope(action);
  if (needed === null) return false;
  if (scopes.includes('*') || scopes.includes(needed)) return true;
  return needed.endsWith(':read') && scopes.includes(`${needed.slice(0, -':read'.length)}:write`);
}
