// The producer of a risk at the moment of the sale: whether they are licensed for it, and appointed by its carrier.
import type { EntityManager } from '@mikro-orm/postgresql';
import { sellerFor } from '../../db/queries/distribution/producers.ts';
import type { BusinessDate } from '../../domain/dates.ts';
import { type Seller, type SellerGap, sellerGap } from '../../domain/distribution/producer.ts';

/** Reads the producer of a risk as of its effective date; null without one. */
export async function sellerOf(
  em: EntityManager,
  risk: { producerId: string | null; state: string; lineOfBusiness: string; effectiveDate: BusinessDate },
): Promise<Seller | null> {
  const { producerId, state, lineOfBusiness, effectiveDate: date } = risk;
  return producerId === null ? null : sellerFor(em, { producerId, state, lineOfBusiness, date });
}

/**
 * What the seller lacks to sell for the carrier of the governing contract; null for nothing, and without a producer.
 * Without a contract any carrier will do, for the flag of the contract stands in the way.
 */
export function gapBefore(contract: { carrier: string } | null, seller: Seller | null): SellerGap | null {
  return seller === null ? null : sellerGap(seller, contract?.carrier ?? null);
}
