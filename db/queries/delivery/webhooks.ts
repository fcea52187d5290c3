// Queries on webhook subscriptions.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { SubscriptionStatus } from '../../../domain/delivery/subscription.ts';
import { Webhook } from '../../entities/delivery/webhook.ts';
import { findById, lockById } from '../../entity-rows.ts';
import type { Database } from '../../orm.ts';
import { ANY_SCOPE, organizationOf } from '../../scope.ts';
import { equalTo, type Page, type PageRequest, pageOf } from '../pages.ts';

/** Reads a subscription of the organization, including a deleted one; null for none. */
export function findWebhook(em: EntityManager, id: string): Promise<Webhook | null> {
  return findById(em, Webhook, id);
}

/** Reads a subscription and locks it until the transaction ends; null for none. */
export function lockWebhook(em: EntityManager, id: string): Promise<Webhook | null> {
  return lockById(em, Webhook, id);
}

/** Reads a page of subscriptions, newest first. @throws DomainError validation_failed for a bad cursor */
export function listWebhooks(
  em: EntityManager,
  filter: { status?: SubscriptionStatus | undefined },
  page: PageRequest,
): Promise<Page<Webhook>> {
  return pageOf(em, Webhook, [equalTo(filter as Record<string, string | undefined>)], page);
}

/** Counts the subscriptions that are not deleted. */
export function countWebhooks(em: EntityManager): Promise<number> {
  return em.count(Webhook, { status: { $ne: 'deleted' } });
}

/**
 * Holds the organization's events until the transaction ends: earlier ones were matched with the old subscriptions,
 * later ones will be matched with the changed ones. Call it before locking anything else.
 */
export async function holdEvents(em: EntityManager): Promise<void> {
  await em.execute(
    `insert into org_counters as counter (org_id, key, value) values (?, 'EVENT', 0)
      on conflict (org_id, key) do update set value = counter.value`,
    [organizationOf(em)],
  );
}

/** Releases the claim of `claimDueWebhooks`, so that the next look finds the subscription again. */
export async function giveBackWebhook(em: EntityManager, webhookId: string): Promise<void> {
  await em.execute('update webhooks set delivering_until = null where org_id = ? and id = ?', [
    organizationOf(em),
    webhookId,
  ]);
}

/** A subscription with waiting deliveries. */
export interface DueWebhook {
  orgId: string;
  webhookId: string;
}

/** Finds subscriptions of any organization with waiting deliveries, and claims them for a while. */
export function claimDueWebhooks(
  database: Database,
  { leaseSeconds, most }: { leaseSeconds: number; most: number },
): Promise<DueWebhook[]> {
  return database.forOrg(ANY_SCOPE, (em) =>
    em.execute<DueWebhook[]>('select org_id as "orgId", webhook_id as "webhookId" from claim_due_webhooks(?, ?)', [
      leaseSeconds,
      most,
    ]),
  );
}
