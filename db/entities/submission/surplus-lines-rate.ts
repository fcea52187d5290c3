// A state's surplus-lines tax and stamping rates, effective from a date. Reference data, the same for every
// organization. Rates are decimal fractions as text ('0.0485').
import { defineEntity, p } from '@mikro-orm/core';
import { businessDate, cents } from '../../columns.ts';

const SurplusLinesRateSchema = defineEntity({
  name: 'SurplusLinesRate',
  tableName: 'surplus_lines_rates',
  properties: {
    state: p.text().primary(),
    effectiveFrom: businessDate().primary(),
    taxRate: p.text(),
    stampingRate: p.text(),
    /** Charged once per term. */
    stampingFlatCents: cents().default(0),
    fireRate: p.text().strictNullable(),
    feeTaxable: p.boolean(),
  },
});

export class SurplusLinesRate extends SurplusLinesRateSchema.class {}
SurplusLinesRateSchema.setClass(SurplusLinesRate);
