/**
 * Delegated authority for steps that use it: the governing contract, its locked usage for the year, and premium taken
 * from it.
 */

import type { EntityManager } from '@mikro-orm/postgresql';
import type { DaContract } from '../../db/entities/authority/da-contract.ts';
import { addUsage, contractFor, type LockedUsage, lockUsage } from '../../db/queries/authority/authority.ts';
import type { DaFlag } from '../../domain/authority/authority.ts';
import { crossesApproachThreshold, limitAlert } from '../../domain/authority/authority.ts';
import { type BusinessDate, yearOf } from '../../domain/dates.ts';
import type { DataOf } from '../../domain/events.ts';
import type { Cents } from '../../domain/money.ts';

/** The contract, null where there is none, and its usage for the year, locked until the transaction ends. */
export interface LockedAuthority {
  contract: DaContract | null;
  usage: LockedUsage | null;
  year: number;
}

/** The locked authority and its current flags. */
export interface BindAuthority extends LockedAuthority {
  flags: DaFlag[];
}

/** Finds the contract that governs a risk and locks its usage for the year of the effective date. */
export async function lockAuthority(
  em: EntityManager,
  risk: { effectiveDate: BusinessDate; lineOfBusiness: string; state: string },
): Promise<LockedAuthority> {
  const { effectiveDate, lineOfBusiness, state } = risk;
  return lockUsageOf(em, await contractFor(em, { effectiveDate, lineOfBusiness, state }), effectiveDate);
}

/** Locks the usage of a contract for the year of an effective date. */
export async function lockUsageOf(
  em: EntityManager,
  contract: DaContract | null,
  effectiveDate: BusinessDate,
): Promise<LockedAuthority> {
  const year = yearOf(effectiveDate);
  return { contract, year, usage: contract && (await lockUsage(em, contract.id, year)) };
}

/** Uses premium. Returns the alert to publish if this step takes usage above 85 percent, otherwise null. */
export async function takeAuthority(
  em: EntityManager,
  { contract, usage }: Pick<LockedAuthority, 'contract' | 'usage'>,
  premiumCents: Cents,
): Promise<DataOf<'da.limit_approaching'> | null> {
  if (contract === null || usage === null) return null;
  const { beforeCents, afterCents } = await addUsage(em, usage, premiumCents);
  const volumeCents = contract.maxAnnualPremiumVolumeCents;
  if (!crossesApproachThreshold(beforeCents, afterCents, volumeCents)) return null;
  return limitAlert(contract.id, afterCents, volumeCents);
}
