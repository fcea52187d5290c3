// The rates a new organization starts with, one table per line of business. General liability follows published rates;
// the other eight are plausible flat rates per $1,000 of revenue under the same engine, to be replaced by filed ones.
import type { RateTable } from '../../domain/submission/rating.ts';
import {
  BOP_CLASSES,
  CA_CLASSES,
  type ClassRow,
  CP_CLASSES,
  CYBER_CLASSES,
  classRates,
  GL_CLASSES,
  MTC_CLASSES,
  PL_CLASSES,
  UMB_CLASSES,
  WC_CLASSES,
} from './class-rates.ts';

export interface SeedRateTable {
  effectiveFrom: string;
  table: RateTable;
}

type FactorRow = readonly [dollars: number, factor: string];

interface Rates {
  classes: readonly ClassRow[];
  defaultRate: string;
  states?: Record<string, string>;
  limits?: readonly FactorRow[];
  minimumPremiumDollars: number;
}

const POLICY_FEE_CENTS = 19_500;

const GL_STATES: Record<string, string> = {
  ...{ NY: '1.50', FL: '1.25', CA: '1.20', NJ: '1.20', IL: '1.15', LA: '1.20', NV: '1.10', TX: '0.95', GA: '1.10' },
  ...{ PA: '1.05', WA: '1.05' },
};
const AUTO_STATES: Record<string, string> = {
  ...{ NY: '1.40', NJ: '1.35', FL: '1.40', LA: '1.45', MI: '1.30', CA: '1.20', TX: '1.15', GA: '1.20', NV: '1.15' },
  ...{ IL: '1.10', IA: '0.90', ND: '0.85', SD: '0.85', ME: '0.85', VT: '0.85' },
};
const PROPERTY_STATES: Record<string, string> = {
  ...{ FL: '1.60', LA: '1.55', MS: '1.35', TX: '1.25', AL: '1.20', SC: '1.20', OK: '1.20', CA: '1.20', HI: '1.15' },
  ...{ NC: '1.15', KS: '1.10', NY: '1.10', OH: '0.95', VT: '0.90', ID: '0.95' },
};
const PROFESSIONAL_STATES: Record<string, string> = { NY: '1.30', CA: '1.25', NJ: '1.20', FL: '1.20', IL: '1.15' };
const CYBER_STATES: Record<string, string> = { NY: '1.15', CA: '1.15', IL: '1.10' };
const WORKERS_STATES: Record<string, string> = {
  ...{ CA: '1.45', NY: '1.35', NJ: '1.30', HI: '1.20', CT: '1.20', VT: '1.10', TX: '0.85', IN: '0.80', AR: '0.80' },
  ...{ UT: '0.85', VA: '0.85', WV: '0.85' },
};

const GL_LIMITS: readonly FactorRow[] = [
  [100_000, '0.68'],
  [300_000, '0.76'],
  [500_000, '0.88'],
  [1_000_000, '1.00'],
  [2_000_000, '1.30'],
  [3_000_000, '1.45'],
  [5_000_000, '1.75'],
];
const AUTO_LIMITS: readonly FactorRow[] = [
  [100_000, '0.62'],
  [300_000, '0.78'],
  [500_000, '0.88'],
  [750_000, '0.95'],
  [1_000_000, '1.00'],
  [2_000_000, '1.22'],
  [5_000_000, '1.60'],
];
const CARGO_LIMITS: readonly FactorRow[] = [
  [50_000, '0.45'],
  [100_000, '0.60'],
  [250_000, '0.75'],
  [500_000, '0.88'],
  [1_000_000, '1.00'],
  [2_000_000, '1.35'],
];
const PROPERTY_LIMITS: readonly FactorRow[] = [
  [100_000, '0.40'],
  [250_000, '0.55'],
  [500_000, '0.75'],
  [1_000_000, '1.00'],
  [2_000_000, '1.60'],
  [5_000_000, '3.00'],
];
const PROFESSIONAL_LIMITS: readonly FactorRow[] = [
  [250_000, '0.70'],
  [500_000, '0.82'],
  [1_000_000, '1.00'],
  [2_000_000, '1.38'],
  [3_000_000, '1.60'],
  [5_000_000, '2.00'],
];
const UMBRELLA_LIMITS: readonly FactorRow[] = [
  [1_000_000, '1.00'],
  [2_000_000, '1.70'],
  [3_000_000, '2.25'],
  [5_000_000, '3.20'],
  [10_000_000, '5.00'],
];
const WORKERS_LIMITS: readonly FactorRow[] = [
  [100_000, '0.98'],
  [500_000, '0.99'],
  [1_000_000, '1.00'],
  [2_000_000, '1.03'],
];
const DEDUCTIBLES: readonly FactorRow[] = [
  [0, '1.00'],
  [1_000, '0.97'],
  [2_500, '0.94'],
  [5_000, '0.90'],
  [10_000, '0.85'],
  [25_000, '0.76'],
];
const LOSS_FACTORS = { unknown: '1.00', '0': '0.95', '1': '1.00', '2': '1.15', '3+': '1.35' } as const;

function table(lineOfBusiness: string, rates: Rates): SeedRateTable {
  return {
    effectiveFrom: '1900-01-01',
    table: {
      lineOfBusiness,
      base: {
        unit: 'per_thousand_revenue',
        classRates: classRates(rates.classes, rates.defaultRate),
        defaultRate: rates.defaultRate,
      },
      stateFactors: { ...(rates.states ?? {}) },
      defaultStateFactor: '1.00',
      limitFactors: (rates.limits ?? GL_LIMITS).map(([dollars, factor]) => ({ limitCents: dollars * 100, factor })),
      deductibleFactors: DEDUCTIBLES.map(([dollars, factor]) => ({ deductibleCents: dollars * 100, factor })),
      lossFactors: { ...LOSS_FACTORS },
      minimumPremiumCents: rates.minimumPremiumDollars * 100,
      policyFeeCents: POLICY_FEE_CENTS,
    },
  };
}

/** One table per line of business, in force for every date until a later one is added. */
export const DEFAULT_RATE_TABLES: readonly SeedRateTable[] = [
  table('GL', { classes: GL_CLASSES, defaultRate: '2.50', states: GL_STATES, minimumPremiumDollars: 500 }),
  table('CA', {
    classes: CA_CLASSES,
    defaultRate: '3.00',
    states: AUTO_STATES,
    limits: AUTO_LIMITS,
    minimumPremiumDollars: 1_500,
  }),
  table('MTC', {
    classes: MTC_CLASSES,
    defaultRate: '2.00',
    states: AUTO_STATES,
    limits: CARGO_LIMITS,
    minimumPremiumDollars: 750,
  }),
  table('CP', {
    classes: CP_CLASSES,
    defaultRate: '1.60',
    states: PROPERTY_STATES,
    limits: PROPERTY_LIMITS,
    minimumPremiumDollars: 750,
  }),
  table('BOP', { classes: BOP_CLASSES, defaultRate: '2.80', states: PROPERTY_STATES, minimumPremiumDollars: 600 }),
  table('PL', {
    classes: PL_CLASSES,
    defaultRate: '3.50',
    states: PROFESSIONAL_STATES,
    limits: PROFESSIONAL_LIMITS,
    minimumPremiumDollars: 750,
  }),
  table('CYBER', {
    classes: CYBER_CLASSES,
    defaultRate: '1.00',
    states: CYBER_STATES,
    limits: PROFESSIONAL_LIMITS,
    minimumPremiumDollars: 500,
  }),
  table('UMB', {
    classes: UMB_CLASSES,
    defaultRate: '0.90',
    states: GL_STATES,
    limits: UMBRELLA_LIMITS,
    minimumPremiumDollars: 500,
  }),
  table('WC', {
    classes: WC_CLASSES,
    defaultRate: '3.20',
    states: WORKERS_STATES,
    limits: WORKERS_LIMITS,
    minimumPremiumDollars: 750,
  }),
];
