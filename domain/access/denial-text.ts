// The text of a denial: what the caller is missing, and who could act instead.
import { dollarText } from '../money.ts';
import { type Action, type Role, roleMay } from '../permission-table.ts';
import { type RelationKind, relationOf } from './relations.ts';
import { requiredScope, scopesAllow } from './scopes.ts';

/** Why an action is refused: sent in the details of `forbidden`. Money in dollars. Contract 1. */
export interface Denial {
  permission: Action;
  /** What an API key is missing: `permission` is the action, and this is the scope that opens it. */
  requiredScope?: string;
  limit?: number;
  actual?: number;
  /** No one may decide on their own request. */
  reason?: 'own_request';
}

/** What the text says about the refused actor. */
interface Refused {
  kind: 'user' | 'api_key' | 'machine';
  role: Role;
  scopes: string[] | null;
}

/** A figure limited by a user's own authority, as refusals name it. */
const FIGURES = {
  limitCents: 'a policy limit of ',
  premiumCents: 'a premium of ',
  reserveCents: 'total reserves on one claim of ',
  settlementCents: 'total payments on one claim of ',
} as const;
export type Figure = keyof typeof FIGURES;

/** The missing relation to the row. */
const RELATED_ROWS: Readonly<Partial<Record<RelationKind, string>>> = {
  member: 'resource: they do not belong to its producer, or triage has not released it',
  adjuster: 'resource: they are not the adjuster of its claim',
  participant: 'resource: they do not take part in it',
  operator: 'organization: they are not one of its operators',
};

/** Returns what is missing: the role, the relation to the row, or the authority for a figure. */
export function denialText(actor: Refused, { permission, reason, limit, actual }: Denial, figure?: Figure): string {
  if (reason === 'own_request') return 'You cannot decide on your own request. Someone else must decide on it.';
  if (limit !== undefined && actual !== undefined) {
    const [end, amount] = [limit, actual].map((dollars) => dollarText(Math.round(dollars * 100)));
    return `Your own authority for ${permission} is limited to ${figure ? FIGURES[figure] : ''}${end}, and this is ${amount}. Someone with more authority must act or approve it.`;
  }
  if (actor.kind === 'machine') return `The machine secret is not allowed to perform ${permission}.`;
  const who = actor.kind === 'api_key' ? 'An API key with the role' : 'The role';
  const refusal = `${who} ${actor.role} is not allowed to perform ${permission}`;
  if (!roleMay(actor.role, permission)) return `${refusal}.`;
  if (actor.kind === 'api_key' && !scopesAllow(actor.scopes ?? [], permission)) {
    const scope = requiredScope(permission);
    if (scope === null) return `No API key is allowed to perform ${permission}: a person must sign in to do it.`;
    return `This key is not allowed to perform ${permission}: it needs the scope ${scope}.`;
  }
  return `${refusal} on this ${RELATED_ROWS[relationOf(actor.role, permission)] ?? 'resource, or not for its line of business'}.`;
}
