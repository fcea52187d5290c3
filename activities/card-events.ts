/**
 * Deals with a verified event of the card processor, once: whose it is, what its type brings about, and the row that says so, in one
 * transaction. What each type does is in card-event-types.ts. Spec 6.4, Contract 3.4.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import { ApplicationFailure } from '@temporalio/common';
import { commandResult, saveCommand } from '../db/queries/commands.ts';
import { ownerOfCardPayment, recordInboundEvent } from '../db/queries/inbound-events.ts';
import { demoOrganization, findOrganization } from '../db/queries/organizations.ts';
import { invoiceOfIntent } from '../db/queries/payments.ts';
import { PLATFORM_SCOPE } from '../db/scope.ts';
import { ID_PREFIXES, isId, organizationIdFrom } from '../domain/ids.ts';
import { type HandledCardEvent, handleByType } from './card-event-types.ts';
import { type Deps, transaction } from './context.ts';
import type { CardEvent } from './messages-money.ts';

const PROVIDER = 'card-processor';
const KIND = 'handleCardEvent';

/** The event has been dealt with by another run of this step, which has committed while this one was at work. */
const DEALT_WITH = 'event_dealt_with';

/** Whose an event is, and the scope in which it is recorded. */
interface Home {
  orgId: string | null;
  invoiceId: string | null;
  scope: string;
}

/**
 * Deals with an event. Run again it answers what the first run has, so that the saga that goes on from it is started all the same.
 * @throws ApplicationFailure payment_not_recorded for a refund or dispute that has come before its payment
 */
export const handleCardEvent =
  (deps: Deps) =>
  async (event: CardEvent): Promise<HandledCardEvent> => {
    const home = await homeOf(deps, event);
    const step = { kind: KIND, orgId: home.scope };
    try {
      return await transaction(deps, step, (em) => dealWith(em, deps, event, home));
    } catch (error) {
      if (!(error instanceof ApplicationFailure) || error.type !== DEALT_WITH) throw error;
      return await transaction(deps, step, async (em) => again(await commandResult(em, commandIdOf(event))));
    }
  };

async function dealWith(em: EntityManager, deps: Deps, event: CardEvent, home: Home): Promise<HandledCardEvent> {
  const kept = await commandResult(em, commandIdOf(event));
  if (kept !== null) return again(kept);
  const handled = await handleByType(em, deps, { event, ...home });
  const { outcome, paymentId } = handled;
  const { eventId: id, type } = event;
  if (!(await recordInboundEvent(em, { provider: PROVIDER, id, type, outcome, paymentId }))) {
    throw ApplicationFailure.nonRetryable('The event has already been handled.', DEALT_WITH);
  }
  saveCommand(em, commandIdOf(event), KIND, handled);
  return handled;
}

function commandIdOf({ eventId }: CardEvent): string {
  return `inbound:${PROVIDER}:${eventId}`;
}

/** Null is kept for an event that was somebody else's when it was dealt with: nothing goes on from it here. */
function again(kept: unknown): HandledCardEvent {
  const nothing = { orgId: null, paymentId: null, payment: null, refund: null };
  return { ...((kept as HandledCardEvent | null) ?? nothing), outcome: 'known' };
}

/** By the intent that was made here, else by what the event carries, else by the payment that was recorded. Contract 3.4. */
async function homeOf(deps: Deps, event: CardEvent): Promise<Home> {
  const known = (await byIntent(deps, event)) ?? (await byMetadata(deps, event)) ?? (await byPayment(deps, event));
  if (known !== null) return { ...known, scope: known.orgId };
  return { orgId: null, invoiceId: null, scope: await scopeOfNobodys(deps) };
}

type Owner = { orgId: string; invoiceId: string | null };

async function byIntent(deps: Deps, { intentId }: CardEvent): Promise<Owner | null> {
  if (intentId === null) return null;
  return transaction(deps, { kind: KIND, orgId: PLATFORM_SCOPE }, (em) => invoiceOfIntent(em, intentId));
}

async function byMetadata(deps: Deps, { metadata }: CardEvent): Promise<Owner | null> {
  const orgId = await existing(deps, metadata.orgId);
  const invoiceId = isId(metadata.invoiceId, ID_PREFIXES.invoice) ? metadata.invoiceId : null;
  return orgId === null ? null : { orgId, invoiceId };
}

/** Disputes carry no metadata, and the intent may have been made elsewhere. */
async function byPayment(deps: Deps, { intentId }: CardEvent): Promise<Owner | null> {
  if (intentId === null) return null;
  return deps.database.acrossOrgs('whose card payment an event is about', (em) => ownerOfCardPayment(em, intentId));
}

/** Money that is nobody's is told to the organization that looks after the installation, if there is one. */
async function scopeOfNobodys(deps: Deps): Promise<string> {
  const named = await existing(deps, deps.defaultOrgId);
  if (named !== null) return named;
  const demo = await deps.database.acrossOrgs('organization alerted to unattributed money', demoOrganization);
  return demo?.id ?? PLATFORM_SCOPE;
}

/** The organization that a text names, or null. */
async function existing(deps: Deps, text: unknown): Promise<string | null> {
  const orgId = organizationIdFrom(text);
  if (orgId === null) return null;
  const organization = await transaction(deps, { kind: KIND, orgId }, (em) => findOrganization(em, orgId));
  return organization && orgId;
}
