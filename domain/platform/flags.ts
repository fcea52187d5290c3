// The platform's feature flags: their keys, defaults and permitted values. Spec 4.12.
import { validationError } from '../errors.ts';

/** What a flag may be: JSON. */
export type FlagValue = string | number | boolean | null | readonly unknown[] | { readonly [name: string]: unknown };

/** What the values of a flag may be. */
export const FLAG_TYPES = ['boolean', 'number', 'string', 'json'] as const;

export interface Flag {
  description: string;
  type: (typeof FLAG_TYPES)[number];
  /** Its default for organizations that have not set it. */
  defaultValue: FlagValue;
}

/** Every flag by its key. */
const TABLE = {
  auto_renewal: {
    description: 'Policies that expire within 75 days are renewed automatically, every day.',
    type: 'boolean',
    defaultValue: false,
  },
  refund_approval: {
    description: 'Refunds above 1,000 dollars wait until somebody other than the requester approves them.',
    type: 'boolean',
    defaultValue: false,
  },
  renewal_requires_payment: {
    description:
      'If the first invoice of a renewal term is still unpaid 10 days after its due date, the term is cancelled as not taken.',
    type: 'boolean',
    defaultValue: false,
  },
} as const satisfies Record<string, Flag>;

export type FlagKey = keyof typeof TABLE;

export const FLAGS: Readonly<Record<FlagKey, Flag>> = TABLE;

export const FLAG_KEYS = Object.keys(TABLE) as [FlagKey, ...FlagKey[]];

/** Returns the effective value: the organization's setting, otherwise the default. Spec 4.12. */
export function flagValue(key: FlagKey, override: FlagValue | undefined): FlagValue {
  return override === undefined ? FLAGS[key].defaultValue : override;
}

/**
 * Refuses a value of the wrong type.
 * @throws DomainError validation_failed for field `value`, rule `type`. Contract 3.7 "Flags"
 */
export function ensureFlagValue(key: FlagKey, value: unknown): asserts value is FlagValue {
  const { type } = FLAGS[key];
  if (type === 'json' || typeof value === type) return;
  throw validationError('value', 'type', `The flag ${key} takes a ${type}.`, { expected: type });
}
