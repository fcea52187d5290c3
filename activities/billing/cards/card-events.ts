/**
 * Handles a verified card processor event exactly once: finds its owner, applies it, and records it as handled, in one
 * transaction. `card-event-types.ts` handles each type. Spec 6.4, Contract 3.4.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import { ApplicationFailure } from '@temporalio/common';
import { invoiceOfIntent } from '../../../db/queries/billing/payments.ts';
import { ownerOfCardPayment, recordInboundEvent } from '../../../db/queries/inbound/inbound-events.ts';
import { commandResult, saveCommand } from '../../../db/queries/platform/commands.ts';
import { demoOrganization, findOrganization } from '../../../db/queries/platform/organizations.ts';
import { PLATFORM_SCOPE } from '../../../db/scope.ts';
import type { CardEvent } from '../../../domain/billing/card-events.ts';
import { ID_PREFIXES, isId, organizationIdFrom } from '../../../domain/ids.ts';
import { type Deps, transaction } from '../../context.ts';
import { type HandledCardEvent, handleByType } from './card-event-types.ts';

const PROVIDER = 'card-processor';
const KIND = 'handleCardEvent';

/** Another run of this step handled the event and committed while this run was at work. */
const DEALT_WITH = 'event_dealt_with';

/** An event's owner, and the scope that records it. */
interface Home {
  orgId: string | null;
  invoiceId: string | null;
  scope: string;
}

/**
 * Handles an event. A second run returns the first run's result, so the saga that follows still starts.
 * @throws ApplicationFailure payment_not_recorded for a refund or dispute that arrives before its payment
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

/** An event that had a different owner when it was handled left nothing here, so nothing follows from it. */
function again(kept: unknown): HandledCardEvent {
  const nothing = { outcome: 'known', orgId: null, paymentId: null, payment: null, refund: null } as const;
  return (kept as HandledCardEvent | null) ?? nothing;
}

/**
 * Finds the owner by the intent we created, then by the recorded payment, then by the event's metadata. Contract 3.4.
 */
async function homeOf(deps: Deps, event: CardEvent): Promise<Home> {
  const known = (await byIntent(deps, event)) ?? (await byPayment(deps, event)) ?? (await byMetadata(deps, event));
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

/** The intent may have been created elsewhere; a recorded payment keeps its owner, whatever later events say. */
async function byPayment(deps: Deps, { intentId }: CardEvent): Promise<Owner | null> {
  if (intentId === null) return null;
  return deps.database.acrossOrgs('whose card payment an event is about', (em) => ownerOfCardPayment(em, intentId));
}

/** Unattributed money alerts the organization that runs the installation, if there is one. */
async function scopeOfNobodys(deps: Deps): Promise<string> {
  const named = await existing(deps, deps.defaultOrgId);
  if (named !== null) return named;
  const demo = await deps.database.acrossOrgs('organization alerted to unattributed money', demoOrganization);
  return demo?.id ?? PLATFORM_SCOPE;
}

/** The organization with this id, or null. */
async function existing(deps: Deps, text: unknown): Promise<string | null> {
  const orgId = organizationIdFrom(text);
  if (orgId === null) return null;
  const organization = await transaction(deps, { kind: KIND, orgId }, (em) => findOrganization(em, orgId));
  return organization && orgId;
}
