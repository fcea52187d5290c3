// Surplus-lines tax and stamping rates of the 50 states and DC, as published for 2025 and 2026, with history where it
// is known. The oldest row of a state applies to all earlier days. Reference data for a new installation: rates change,
// and an operator adds rows with their effective day.
import type { SurplusLinesRate } from '../../../domain/submission/taxes.ts';

const SINCE = '1900-01-01';

interface Extra {
  from?: string;
  stamping?: string;
  flatCents?: number;
  fire?: string;
  feeTaxable?: boolean;
}

/** A row; the policy fee is taxable unless it says otherwise. */
function state(code: string, taxRate: string, extra: Extra = {}): SurplusLinesRate {
  return {
    state: code,
    effectiveFrom: extra.from ?? SINCE,
    taxRate,
    stampingRate: extra.stamping ?? '0',
    stampingFlatCents: extra.flatCents ?? 0,
    fireRate: extra.fire ?? null,
    feeTaxable: extra.feeTaxable ?? true,
  };
}

const FEE_NOT_TAXED = { feeTaxable: false } as const;

/** `stamping` covers stamping, service, filing and regulatory fees and surcharges in proportion to the base. */
export const SURPLUS_LINES_RATES: readonly SurplusLinesRate[] = [
  state('AL', '0.06'),
  state('AK', '0.027', { stamping: '0.01' }),
  state('AZ', '0.03', { stamping: '0.002' }),
  state('AR', '0.04'),
  state('CA', '0.03', { stamping: '0.0018' }),
  state('CO', '0.03'),
  state('CT', '0.04', FEE_NOT_TAXED),
  state('DE', '0.03'),
  state('DC', '0.02'),
  state('FL', '0.0494', { stamping: '0.0006' }),
  state('GA', '0.04'),
  state('HI', '0.0468', FEE_NOT_TAXED),
  state('ID', '0.015', { stamping: '0.005' }),
  // Up to one percent more for the fire marshal on property; the full percent is charged.
  state('IL', '0.035', { stamping: '0.0004', fire: '0.01', ...FEE_NOT_TAXED }),
  state('IN', '0.025'),
  state('IA', '0.0095'),
  state('IA', '0.00925', { from: '2026-01-01' }),
  state('IA', '0.009', { from: '2027-01-01' }),
  state('KS', '0.03'),
  state('KY', '0.03', { stamping: '0.018' }),
  state('LA', '0.0485'),
  state('ME', '0.03', FEE_NOT_TAXED),
  state('MD', '0.03', FEE_NOT_TAXED),
  state('MA', '0.04', FEE_NOT_TAXED),
  state('MI', '0.02', { stamping: '0.005', ...FEE_NOT_TAXED }),
  state('MN', '0.03', { stamping: '0.0004' }),
  // Three percent more for the wind pool on property.
  state('MS', '0.04', { stamping: '0.0025', fire: '0.03' }),
  state('MO', '0.05'),
  state('MT', '0.0275', { stamping: '0.0025', fire: '0.025' }),
  state('NE', '0.03'),
  state('NV', '0.035', { stamping: '0.004' }),
  state('NH', '0.03', FEE_NOT_TAXED),
  state('NJ', '0.05', FEE_NOT_TAXED),
  state('NM', '0.03003'),
  state('NY', '0.036', { stamping: '0.0015' }),
  state('NC', '0.05', { stamping: '0.003' }),
  state('ND', '0.0175'),
  state('OH', '0.05'),
  state('OK', '0.06', { stamping: '0.00175' }),
  state('OR', '0.02', { flatCents: 1_000, fire: '0.003' }),
  state('PA', '0.03', { flatCents: 2_000, ...FEE_NOT_TAXED }),
  state('RI', '0.04'),
  state('SC', '0.06'),
  // Property pays three percent in total: half a percent more than other lines.
  state('SD', '0.025', { fire: '0.005' }),
  state('TN', '0.05', { stamping: '0.00175' }),
  state('TX', '0.0485', { stamping: '0.0015' }),
  state('TX', '0.0485', { from: '2021-01-01', stamping: '0.00075' }),
  state('TX', '0.0485', { from: '2024-01-01', stamping: '0.0004' }),
  state('UT', '0.0425', { stamping: '0.0018' }),
  state('VT', '0.03', FEE_NOT_TAXED),
  state('VA', '0.0225'),
  state('WA', '0.02', { stamping: '0.003' }),
  state('WV', '0.0455'),
  state('WI', '0.03'),
  state('WY', '0.03', { stamping: '0.00175' }),
];
