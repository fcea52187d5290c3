// The platform's one authorization decision: may this actor take this action on this resource? Pure: relation tuples
// and row edges arrive as facts. Lists use `visibility`, which agrees with the decision on single rows. Spec 5.8, 5.9,
// Contract 2 "Permissions".

import { type Denial, denialText, type Figure } from './access/denial-text.ts';
import { relationOf } from './access/relations.ts';
import { requiredScope, scopesAllow } from './access/scopes.ts';
import { DomainError } from './errors.ts';
import type { Cents } from './money.ts';
import { type Action, type Role, roleMay } from './permission-table.ts';

export { requiredScope, SCOPES } from './access/scopes.ts';
export { ACTIONS, type Action, isPlatformRole, isRole, ROLES, type Role, roleMay } from './permission-table.ts';

/** A user's own authority; money in cents, `linesOfBusiness` null for all lines. Contract 3.10. */
export interface UserAuthority {
  maxLimitCents: Cents;
  maxPremiumCents: Cents;
  linesOfBusiness: string[] | null;
  /** The maximum reserve on a claim; null or missing without a limit of their own. */
  maxReserveCents?: Cents | null;
  /** The maximum settlement of a claim; null or missing without a limit of their own. */
  maxSettlementCents?: Cents | null;
}

/** The actor whose permission is checked. */
export interface Actor {
  kind: 'user' | 'api_key' | 'machine';
  /** The user id, the API key id, or a fixed name for the machine. */
  id: string;
  role: Role;
  /** The organization the call acts in. */
  orgId: string;
  /** The organization the credential belongs to; null for the machine. */
  homeOrgId: string | null;
  /** Only for API keys. */
  scopes: string[] | null;
  /** `producer#member@user` tuples. */
  producerIds: string[];
  /** `organization#authority@user` tuple; null stands for the limits of the organization's DA contract. */
  authority: UserAuthority | null;
  /** `organization#operator@user` tuples of a platform operator. */
  operatorOf?: string[];
  /** Absent users who have lent this actor their authority; read only for decisions on referrals. */
  lenders?: readonly Lender[];
}

/** A user who lends their authority. */
export type Lender = Pick<Actor, 'id' | 'role' | 'authority'>;

/** The part of an actor stored in commands, audit rows and transactions. */
export interface ActorRef {
  kind: Actor['kind'];
  id: string;
  role: Role;
}

/** The facts about a row that the decision needs. Absent facts never grant anything. */
export interface ResourceFacts {
  /** The organization of the row; for an organization its own id. */
  orgId: string;
  /** The producer of the row, or of its policy. */
  producerId?: string | null;
  /** The band of the submission's triage. */
  triageBand?: string | null;
  /** The adjuster of a claim. */
  adjusterId?: string | null;
  /** The adjusters of the claims on a policy. */
  claimAdjusterIds?: string[];
  /** The row itself is protected (an attachment with health values): it also needs `claim:read_phi`. */
  containsPhi?: boolean;
  /** What the actor must also be allowed to do: the permission for the row that a document belongs to. */
  alsoNeeds?: Action;
  /** The participants of a deal room, or both parties of a delegation. */
  participantIds?: string[];
  /** The read-only ones among them. */
  observerIds?: string[];
  /** Everyone who requested or made it, in person or through others; they may not decide on it. */
  requestedBy?: string | readonly string[] | null;
  /** The figures checked against a user's own authority. */
  limitCents?: Cents | null;
  premiumCents?: Cents | null;
  lineOfBusiness?: string | null;
  /**
   * How a referred risk exceeds the authority contract, the limit for users without their own authority. In dollars.
   */
  contractExcess?: { limit: number; actual: number } | null;
  /** Whether a user with authority for these figures has approved them. */
  isApproved?: boolean;
  /** The policy's current figures: terms within them need no authority of one's own. */
  standing?: { limitCents: Cents; premiumCents: Cents };
  /** The approved amounts of a change; 0 for one that needed no approval. */
  approved?: { limitCents: Cents; premiumCents: Cents };
  /** The claim's resulting reserves. */
  reserveCents?: Cents | null;
  /** The claim's resulting total settlement, including earlier payments. */
  settlementCents?: Cents | null;
}

/** Which rows an actor's lists show. */
export type Visibility =
  | { kind: 'all' }
  | { kind: 'producers'; producerIds: string[] }
  | { kind: 'adjuster'; userId: string }
  | { kind: 'participant'; userId: string }
  | { kind: 'organizations'; orgIds: string[] }
  | { kind: 'none' };

const PRODUCER_QUOTE_BANDS: readonly string[] = ['auto_quote', 'standard'];

/** What an underwriter may do only within their own authority. Contract 2. */
const WITHIN_AUTHORITY: ReadonlySet<Action> = new Set<Action>([
  'submission:quote',
  'submission:bind',
  'policy:endorse',
  'policy:cancel',
  'policy:reinstate',
  'policy:renew',
  'policy:audit',
  'referral:decide',
]);

/** What claim handlers may do only within their own authority; offers await a user who may approve them. */
const WITHIN_CLAIM_AUTHORITY: ReadonlySet<Action> = new Set<Action>([
  ...(['claim:reserve', 'claim:approve', 'claim:pay'] as const),
]);
const CLAIM_ROLES: readonly string[] = ['claims_adjuster', 'claims_supervisor'] satisfies Role[];

/** Whether a role's own authority is one for claims. */
export function handlesClaims(role: string): boolean {
  return CLAIM_ROLES.includes(role);
}

/** What a requester may not decide on. */
const DECIDED_BY_OTHERS: ReadonlySet<Action> = new Set<Action>([
  'referral:decide',
  'refund:approve',
  'journal:decide',
  'remittance:decide',
  'claim:approve',
]);

/** What an administrator may decide on alone even so. Contract 3.3 "settle". */
const DECIDED_ALONE: ReadonlySet<Action> = new Set<Action>(['claim:approve']);

/** What a lent authority covers: a decision on a referral, and the change that an approval carries out. */
const LENT: ReadonlySet<Action> = new Set<Action>(['referral:decide', 'policy:endorse', 'policy:renew']);

/** Returns the plain JSON that identifies an actor in commands, audit rows and transactions. */
export function actorRef(actor: Actor): ActorRef {
  return { kind: actor.kind, id: actor.id, role: actor.role };
}

/**
 * Whether an actor may take an action on some row at all: role, scopes and organization boundary. Checked before a row
 * is read. Spec 5.8, 5.9, Contract 1 "Order of checks".
 */
export function mayCoarse(actor: Actor, action: Action): boolean {
  if (actor.kind === 'machine') return action !== 'portal:use';
  if (actor.kind === 'api_key') {
    return actor.orgId === actor.homeOrgId && roleMay(actor.role, action) && scopesAllow(actor.scopes ?? [], action);
  }
  if (actor.orgId !== actor.homeOrgId && !maySwitch(actor)) return false;
  return roleMay(actor.role, action);
}

/** Whether an actor may take an action on a row with these facts. Spec 5.8, Contract 2. */
export function may(actor: Actor, action: Action, facts: ResourceFacts): boolean {
  return denial(actor, action, facts) === null;
}

/**
 * Returns the reason for a refusal, or null when the action is allowed. If above a user's own authority, it has
 * `limit` and `actual` in dollars; on the actor's own request, `reason`. Contract 1 `forbidden`, Contract 2.
 */
export function denial(actor: Actor, action: Action, facts: ResourceFacts): Denial | null {
  const refused: Denial = { permission: action };
  if (!mayCoarse(actor, action)) return refused;
  if (!isInReach(actor, action, facts)) return refused;
  const missing = missingBesides(actor, facts);
  if (missing !== null) return actor.kind === 'api_key' ? scopeMissing(missing) : refused;
  if (!isUnlimited(actor) && !isRelated(actor, action, facts)) return refused;
  const alone = isUnlimited(actor) && DECIDED_ALONE.has(action);
  if (!alone && isOwnRequest(actor, action, facts)) return { ...refused, reason: 'own_request' };
  if (isUnlimited(actor)) return null;
  const excess = authorityExcess(actor, action, facts);
  if (excess === null || lenderOf(actor, action, facts) !== null) return null;
  const { figure: _figure, ...amounts } = excess;
  return { ...refused, ...amounts };
}

/** Whether a lent authority can exceed an actor's own; only then are lenders read. */
export function mayBeLent({ kind, role }: ActorRef, action: Action): boolean {
  return kind === 'user' && role === 'underwriter' && LENT.has(action);
}

/**
 * Returns the lender of the authority that an action needs beyond the actor's own: a user who may take the action on
 * their own authority, without any lent to them. Null if the actor's own is enough, or no lender's is.
 */
export function lenderOf(actor: Actor, action: Action, facts: ResourceFacts): Lender | null {
  if (!LENT.has(action) || isUnlimited(actor) || authorityExcess(actor, action, facts) === null) return null;
  const mayThemselves = (lender: Lender) => may({ ...actor, ...lender, lenders: [] }, action, facts);
  return actor.lenders?.find(mayThemselves) ?? null;
}

/**
 * Refuses an action that the actor may not take on a row.
 * @throws DomainError forbidden with `{permission}`, if above their own authority also `{limit, actual}`, on their own
 * request `{reason}`. Contract 1.
 */
export function ensureMay(actor: Actor, action: Action, facts: ResourceFacts): void {
  const refused = denial(actor, action, facts);
  if (refused === null) return;
  const figure = refused.limit === undefined ? undefined : authorityExcess(actor, action, facts)?.figure;
  throw new DomainError('forbidden', denialText(actor, refused, figure), { ...refused });
}

/**
 * Returns which rows an actor's list shows, for a reading action such as `policy:read`: exactly the organization's rows
 * that `may` allows. Contract 2 "Lists show exactly the rows".
 */
export function visibility(actor: Actor, action: Action): Visibility {
  if (!mayCoarse(actor, action)) return { kind: 'none' };
  if (isUnlimited(actor)) return { kind: 'all' };
  const relation = relationOf(actor.role, action);
  if (relation === 'member') return { kind: 'producers', producerIds: [...actor.producerIds] };
  if (relation === 'adjuster') return { kind: 'adjuster', userId: actor.id };
  if (relation === 'participant') return { kind: 'participant', userId: actor.id };
  if (relation === 'operator') return { kind: 'organizations', orgIds: operatedOrganizations(actor) };
  return { kind: 'all' };
}

/**
 * Returns the producer of a new submission: the one named, or, for a producer who names none and is a member of exactly
 * one, that one. `may` decides whether it is allowed.
 */
export function producerOfNewSubmission(actor: Actor, requested: string | null | undefined): string | null {
  if (requested !== null && requested !== undefined) return requested;
  const [only, ...more] = actor.producerIds;
  return actor.role === 'producer' && actor.kind === 'user' && more.length === 0 ? (only ?? null) : null;
}

/** Whether a user may act outside their own organization: a superadmin everywhere, a platform operator by tuple. */
function maySwitch(actor: Actor): boolean {
  if (actor.role === 'superadmin') return true;
  return actor.role === 'platform_operator' && (actor.operatorOf ?? []).includes(actor.orgId);
}

/** The machine, superadmins and organization administrators have no row conditions, and neither do their keys. */
function isUnlimited({ kind, role }: Actor): boolean {
  return kind === 'machine' || role === 'superadmin' || role === 'org_admin';
}

/** A permission that a row needs beyond the one for its kind and that the actor lacks, whatever rows they may see. */
function missingBesides(actor: Actor, { alsoNeeds, containsPhi }: ResourceFacts): Action | null {
  if (alsoNeeds !== undefined && !mayCoarse(actor, alsoNeeds)) return alsoNeeds;
  return containsPhi === true && !mayCoarse(actor, 'claim:read_phi') ? 'claim:read_phi' : null;
}

function scopeMissing(permission: Action): Denial {
  const scope = requiredScope(permission);
  return scope === null ? { permission } : { permission, requiredScope: scope };
}

function isInReach(actor: Actor, action: Action, facts: ResourceFacts): boolean {
  if (!action.startsWith('organization:')) return facts.orgId === actor.orgId;
  if (action === 'organization:create' || actor.role !== 'platform_operator' || actor.kind === 'machine') return true;
  return operatedOrganizations(actor).includes(facts.orgId);
}

function operatedOrganizations(actor: Actor): string[] {
  const home = actor.homeOrgId === null ? [] : [actor.homeOrgId];
  return [...new Set([...home, ...(actor.operatorOf ?? [])])];
}

/** What a read-only participant may do in a deal room. */
const OBSERVED: ReadonlySet<Action> = new Set<Action>(['deal_room:read', 'deal_room:mark_read']);

function takesPart({ id }: Actor, action: Action, { participantIds, observerIds }: ResourceFacts): boolean {
  if (!participantIds?.includes(id)) return false;
  return OBSERVED.has(action) || !observerIds?.includes(id);
}

function isRelated(actor: Actor, action: Action, facts: ResourceFacts): boolean {
  const relation = relationOf(actor.role, action);
  if (relation === 'participant') return takesPart(actor, action, facts);
  if (relation === 'adjuster') {
    return facts.adjusterId === actor.id || (facts.claimAdjusterIds?.includes(actor.id) ?? false);
  }
  if (relation !== 'member') return true;
  const { producerId, triageBand } = facts;
  if (producerId === null || producerId === undefined || !actor.producerIds.includes(producerId)) return false;
  return action !== 'submission:quote' || PRODUCER_QUOTE_BANDS.includes(triageBand ?? '');
}

function isOwnRequest(actor: Actor, action: Action, { requestedBy }: ResourceFacts): boolean {
  return DECIDED_BY_OTHERS.has(action) && [requestedBy ?? []].flat().includes(actor.id);
}

/** By which figure a row exceeds the actor's own authority, in dollars; null if it does not. */
type Excess = Pick<Denial, 'limit' | 'actual'> & { figure?: Figure };

function authorityExcess(actor: Actor, action: Action, facts: ResourceFacts): Excess | null {
  const { authority, role } = actor;
  const isDecision = role === 'underwriter' && action === 'referral:decide';
  const ofContract = isDecision ? (facts.contractExcess ?? null) : null;
  if (authority === null) return ofContract;
  if (WITHIN_CLAIM_AUTHORITY.has(action) && handlesClaims(role)) {
    return (
      beyond('reserveCents', authority.maxReserveCents, facts) ??
      beyond('settlementCents', authority.maxSettlementCents, facts)
    );
  }
  if (role !== 'underwriter' || !WITHIN_AUTHORITY.has(action)) return null;
  const { lineOfBusiness } = facts;
  if (authority.linesOfBusiness !== null && typeof lineOfBusiness === 'string') {
    if (!authority.linesOfBusiness.includes(lineOfBusiness)) return {};
  }
  if (isDecision) return beyondAmounts(authority, facts) ?? ofContract;
  return isForOthers(facts) ? null : beyondAmounts(authority, facts, action);
}

/**
 * Whether another person is responsible for the amounts: they are approved, or exceed the contract, which refers them
 * for everyone. Decision 0185.
 */
function isForOthers({ isApproved, contractExcess }: ResourceFacts): boolean {
  return isApproved === true || (contractExcess ?? null) !== null;
}

/** What is allowed up to the policy's current figures: changing its terms, but neither ending nor renewing it. */
const UP_TO_STANDING: ReadonlySet<Action> = new Set<Action>(['policy:endorse']);

function beyondAmounts(own: UserAuthority, facts: ResourceFacts, action?: Action) {
  const standing = action !== undefined && UP_TO_STANDING.has(action) ? facts.standing : undefined;
  const above = (name: 'limitCents' | 'premiumCents', most: Cents) => {
    const without = Math.max(standing?.[name] ?? 0, facts.approved?.[name] ?? 0);
    return (facts[name] ?? 0) <= without ? null : beyond(name, most, facts);
  };
  return above('limitCents', own.maxLimitCents) ?? above('premiumCents', own.maxPremiumCents);
}

/** An amount above a limit, both in dollars; null if it is not above, or either is unknown. */
function beyond(figure: Figure, limitCents: Cents | null | undefined, facts: ResourceFacts): Excess | null {
  const actualCents = facts[figure];
  if (typeof limitCents !== 'number' || typeof actualCents !== 'number' || actualCents <= limitCents) return null;
  return { figure, limit: limitCents / 100, actual: actualCents / 100 };
}
