// The endorsement for public liability of motor carriers: for which policies, and the limits required for their cargo.
// 49 CFR 387.9, 387.15; Contract 3.5, domain facts 5.3.
import type { BusinessDate } from '../dates.ts';
import type { Cents } from '../money.ts';
import { isInForce } from '../policy/policy.ts';
import type { PolicySegment } from '../policy/segments.ts';
import { notApplicable } from './certificate.ts';

const MOTOR_LINES: readonly string[] = ['CA', 'MTC'];

/** Cargo → the minimum limit of public liability, in cents. 49 CFR 387.9. */
const LEAST_LIMIT = {
  non_hazardous: 75_000_000,
  oil: 100_000_000,
  hazardous: 100_000_000,
  bulk_hazardous: 500_000_000,
} as const satisfies Record<string, Cents>;

export type Cargo = keyof typeof LEAST_LIMIT;
export const CARGOES = Object.keys(LEAST_LIMIT) as [Cargo, ...Cargo[]];

/** Lists the minimum limits, lowest first. */
export function leastLimits(): [Cargo, Cents][] {
  return CARGOES.map((cargo) => [cargo, LEAST_LIMIT[cargo]]);
}

interface MotorPolicy {
  lineOfBusiness: string;
  usdotNumber: string | null;
  limitCents: Cents;
}

/** Whether a policy insures the public liability of a motor carrier with a USDOT number. */
export function isMotorCarrier({ lineOfBusiness, usdotNumber }: Omit<MotorPolicy, 'limitCents'>): boolean {
  return MOTOR_LINES.includes(lineOfBusiness) && usdotNumber !== null && usdotNumber !== '';
}

/** @throws DomainError document_not_applicable for another line of business, or without a USDOT number */
export function ensureMotorCarrier({ lineOfBusiness, usdotNumber }: Omit<MotorPolicy, 'limitCents'>): void {
  if (!MOTOR_LINES.includes(lineOfBusiness)) {
    throw notApplicable('lineOfBusiness', 'An MCS-90 is only for commercial auto and motor truck cargo.');
  }
  if (usdotNumber === null || usdotNumber === '') {
    throw notApplicable('usdotNumber', 'An MCS-90 needs the USDOT number of the motor carrier.');
  }
}

/**
 * Returns the minimum limit for a cargo.
 * @throws DomainError document_not_applicable with `reason: limit_too_low`
 */
export function mcs90Limit(limitCents: Cents, cargo: Cargo): Cents {
  const required = LEAST_LIMIT[cargo];
  if (limitCents >= required) return required;
  const details = { reason: 'limit_too_low', cargo, limit: limitCents / 100, required: required / 100 };
  throw notApplicable(
    'limit',
    `The policy's limit is below the minimum that 49 CFR 387.9 requires for this cargo.`,
    details,
  );
}

/**
 * Returns the first day from which a policy has been in force without a gap until `today`, with a limit that is enough
 * for the cargo: before it, the company did not insure what the endorsement says.
 */
export function mcs90Since(segments: readonly PolicySegment[], cargo: Cargo, today: BusinessDate): BusinessDate | null {
  const until = segments.filter(({ from }) => from <= today);
  const holds = ({ status, terms }: PolicySegment) =>
    isInForce(status) && (terms.limitCents ?? 0) >= LEAST_LIMIT[cargo];
  const before = until.findLastIndex((segment) => !holds(segment));
  return until[before + 1]?.from ?? null;
}
