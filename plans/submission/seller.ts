// A risk's producer at the time of sale: whether licensed for it, and appointed by its carrier.
import type { EntityManager } from '@mikro-orm/postgresql';
import { sellerFor } from '../../db/queries/distribution/producers.ts';
import type { BusinessDate } from '../../domain/dates.ts';
import { type Seller, type SellerGap, sellerGap } from '../../domain/distribution/producer.ts';

/** Reads a risk's producer as of its effective date; null if none. */
export async function sellerOf(
  em: EntityManager,
  risk: { producerId: string | null; state: string; lineOfBusiness: string; effectiveDate: BusinessDate },
): Promise<Seller | null> {
  const { producerId, state, lineOfBusiness, effectiveDate: date } = risk;
  return producerId === null ? null : sellerFor(em, { producerId, state, lineOfBusiness, date });
}

/**
 * What the seller lacks to sell for the governing contract's carrier; null for nothing, or without a producer. Without
 * a contract any carrier will do, since the contract flag already blocks the sale.
 */
export function gapBefore(contract: { carrier: string } | null, seller: Seller | null): SellerGap | null {
  return seller === null ? null : sellerGap(seller, contract?.carrier ?? null);
}
