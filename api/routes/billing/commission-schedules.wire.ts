// Maps commission schedules between the wire and the rows: dollars and cents. Pure. Contract 3.10.
import type { CommissionSchedule } from '../../../db/entities/billing/commission-schedule.ts';
import type { CommissionSchedule as Shares } from '../../../domain/billing/commission.ts';
import { fromDollars } from '../../../domain/money.ts';
import { dollarsOrNull, instantToWire } from './charges.wire.ts';
import type { CommissionRatesWire, CommissionScheduleWire } from './commission-schedules.schemas.ts';

/** The schedule as stored, in cents. @throws DomainError validation_failed for an invalid amount */
export function sharesFromWire(lineOfBusiness: string, { tiers, mgaRate }: CommissionRatesWire): Shares {
  return {
    lineOfBusiness,
    mgaRate,
    tiers: tiers.map(({ tier, max, agentRate }) => ({
      tier,
      maxCents: max === null ? null : fromDollars(max, 'max'),
      agentRate,
    })),
  };
}

/** Returns a version of a schedule; amounts in dollars, shares as decimal texts. */
export function commissionScheduleToWire(row: CommissionSchedule): CommissionScheduleWire {
  const { id, orgId, lineOfBusiness, effectiveFrom, createdBy } = row;
  const { tiers, mgaRate } = row.schedule;
  return {
    id,
    orgId,
    lineOfBusiness,
    effectiveFrom,
    schedule: {
      tiers: tiers.map(({ tier, maxCents, agentRate }) => ({ tier, max: dollarsOrNull(maxCents), agentRate })),
      mgaRate,
    },
    createdBy,
    createdAt: instantToWire(row.createdAt),
    updatedAt: instantToWire(row.updatedAt),
  };
}
