// Dated rates: rate tables, commission schedules and surplus-lines rates.

import type { EntityManager } from '@mikro-orm/postgresql';
import type { CommissionSchedule as Schedule } from '../../../domain/billing/commission.ts';
import type { BusinessDate } from '../../../domain/dates.ts';
import type { RateTable as Rates } from '../../../domain/submission/rating.ts';
import type { SurplusLinesRate as StateRates } from '../../../domain/submission/taxes.ts';
import { CommissionSchedule } from '../../entities/billing/commission-schedule.ts';
import { RateTable } from '../../entities/submission/rate-table.ts';
import { SurplusLinesRate } from '../../entities/submission/surplus-lines-rate.ts';
import { newId } from '../../ids.ts';
import { addRow } from '../../new-rows.ts';
import { readRows } from '../../plain-table.ts';

/** Reads a line's rate table in force on a date: the latest to begin by then, and the newer of two on the same day. */
export async function rateTableOn(
  em: EntityManager,
  lineOfBusiness: string,
  date: BusinessDate,
): Promise<Readonly<RateTable> | null> {
  const condition =
    'org_id = $1 and line_of_business = $2 and effective_from <= $3 order by effective_from desc, id desc limit 1';
  const [table] = await readRows(em, RateTable, condition, [lineOfBusiness, date]);
  return table ?? null;
}

/** Adds a version of a rate table to the transaction. */
export function addRateTable(
  em: EntityManager,
  version: { effectiveFrom: BusinessDate; table: Rates; createdBy: string },
): RateTable {
  const { lineOfBusiness } = version.table;
  return addRow(em, RateTable, { id: newId('rateTable'), lineOfBusiness, ...version });
}

/** Reads a line's commission schedule in force on a date, or null. */
export function commissionScheduleOn(
  em: EntityManager,
  lineOfBusiness: string,
  date: BusinessDate,
): Promise<CommissionSchedule | null> {
  return em.findOne(
    CommissionSchedule,
    { lineOfBusiness, effectiveFrom: { $lte: date } },
    { orderBy: { effectiveFrom: 'desc', id: 'desc' } },
  );
}

/** Reads every line's commission schedule in force on a date, by line code. */
export async function commissionSchedules(em: EntityManager, date: BusinessDate): Promise<CommissionSchedule[]> {
  const versions = await em.find(
    CommissionSchedule,
    { effectiveFrom: { $lte: date } },
    { orderBy: { lineOfBusiness: 'asc', effectiveFrom: 'desc', id: 'desc' } },
  );
  return versions.filter((version, i) => version.lineOfBusiness !== versions[i - 1]?.lineOfBusiness);
}

/** Adds a version of a commission schedule to the transaction. */
export function addCommissionSchedule(
  em: EntityManager,
  version: { effectiveFrom: BusinessDate; schedule: Schedule; createdBy: string },
): CommissionSchedule {
  const { lineOfBusiness } = version.schedule;
  return addRow(em, CommissionSchedule, { id: newId('commissionSchedule'), lineOfBusiness, ...version });
}

/** Reads a state's surplus-lines rates in force on a date as plain data, or null. */
export async function surplusLinesRateOn(
  em: EntityManager,
  state: string,
  date: BusinessDate,
): Promise<StateRates | null> {
  const row = await em.findOne(
    SurplusLinesRate,
    { state, effectiveFrom: { $lte: date } },
    { orderBy: { effectiveFrom: 'desc' } },
  );
  if (!row) return null;
  const { effectiveFrom, taxRate, stampingRate, stampingFlatCents, fireRate, feeTaxable } = row;
  return { state, effectiveFrom, taxRate, stampingRate, stampingFlatCents, fireRate, feeTaxable };
}
