// Feature flags: the platform's, with their defaults and permitted values, and those that organizations set for their
// own portals. Spec 4.12, Contract 3.7 "Flags".
import { validationError } from '../errors.ts';

/** A flag's value: JSON. */
export type FlagValue = string | number | boolean | null | readonly unknown[] | { readonly [name: string]: unknown };

/** The permitted values of a flag. */
export const FLAG_TYPES = ['boolean', 'number', 'string', 'json'] as const;

export interface Flag {
  description: string;
  type: (typeof FLAG_TYPES)[number];
  /** Its default for organizations that have not set it. */
  defaultValue: FlagValue;
  /** The kind of subject that a rollout may count; without it the flag is on or off for the whole organization. */
  rolloutBy?: 'policy';
  /** The flag requires approval by a second person, so only people may turn it on and off. */
  isControl?: true;
}

/** In place of a boolean: on for a share of policies, the same ones each time. */
export interface Rollout {
  rollout: { percent: number; by: string };
}

/** Every flag by its key. */
const TABLE = {
  auto_renewal: {
    description: 'Policies that expire within 75 days are renewed automatically, every day.',
    type: 'boolean',
    defaultValue: false,
  },
  language_model: {
    description:
      'Documents that are taken in are also sent to the language model of the installation, where one is set up. ' +
      'Documents of claims and medical records never are.',
    type: 'boolean',
    defaultValue: false,
  },
  refund_approval: {
    description: 'Refunds above 1,000 dollars wait until somebody other than the requester approves them.',
    type: 'boolean',
    defaultValue: false,
    rolloutBy: 'policy',
    isControl: true,
  },
  renewal_requires_payment: {
    description:
      'If the first invoice of a renewal term is still unpaid 10 days after its due date, the term is cancelled as not taken.',
    type: 'boolean',
    defaultValue: false,
    rolloutBy: 'policy',
  },
} as const satisfies Record<string, Flag>;

export type FlagKey = keyof typeof TABLE;

export const FLAG_KEYS = Object.keys(TABLE) as [FlagKey, ...FlagKey[]];

/** A flag that the platform does not read: an organization uses it for its own portals. */
const OWN: Flag = {
  description: 'A flag of the organization. The platform does nothing with it.',
  type: 'json',
  defaultValue: null,
};

/** The maximum number of an organization's own flags. */
const MOST_OWN_FLAGS = 200;

/** Maximum size of a value as JSON: each call that lists flags reads all of them. */
const MOST_CHARACTERS = 4_096;

/** Whether the platform reads a flag. */
export function isPlatformFlag(key: string): key is FlagKey {
  return Object.hasOwn(TABLE, key);
}

/** Returns the flag for a key: the platform's, or the organization's own. */
export function flagOf(key: string): Flag {
  return isPlatformFlag(key) ? TABLE[key] : OWN;
}

/** Returns the effective value: the organization's setting, otherwise the default. Spec 4.12. */
export function flagValue(key: string, override: FlagValue | undefined): FlagValue {
  return override === undefined ? flagOf(key).defaultValue : override;
}

/** Returns a flag's value for one subject, e.g. a policy; for a rollout, whether the subject is in its share. */
export function flagFor(key: string, override: FlagValue | undefined, subject: string | undefined): FlagValue {
  const value = flagValue(key, override);
  if (!isRollout(value)) return value;
  return subject !== undefined && shareOf(key, subject) < value.rollout.percent;
}

/** Whether a value is a rollout: only a percentage from 0 to 100, and the kind of subject it counts. */
export function isRollout(value: unknown): value is Rollout {
  if (!hasOnly(value, ['rollout']) || !hasOnly(value.rollout, ['by', 'percent'])) return false;
  const { percent, by } = value.rollout;
  return typeof by === 'string' && typeof percent === 'number' && percent >= 0 && percent <= 100;
}

function hasOnly(value: unknown, names: readonly string[]): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.keys(value).sort().join() === names.join();
}

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/**
 * Places a subject between 0 and 100, evenly and permanently: 32-bit FNV-1a of key and subject, mixed as in
 * MurmurHash3. Each flag places subjects independently, and a subject in the first 10 percent is also in the first 20.
 */
export function shareOf(key: string, subject: string): number {
  let hash = FNV_OFFSET;
  for (const character of `${key}:${subject}`) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), FNV_PRIME);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32) * 100;
}

/** Refuses another own flag to an organization at its maximum. @throws DomainError validation_failed */
export function ensureRoomForFlag(keys: Iterable<string>): void {
  const own = [...keys].filter((key) => !isPlatformFlag(key));
  if (own.length < MOST_OWN_FLAGS) return;
  const message = `An organization can have at most ${MOST_OWN_FLAGS} flags of its own.`;
  throw validationError('key', 'max', message, { max: MOST_OWN_FLAGS });
}

/**
 * Refuses a value that has the wrong type or is too long; null is not a value.
 * @throws DomainError validation_failed for field `value`, rule `type` or `max`. Contract 3.7 "Flags"
 */
export function ensureFlagValue(key: string, value: unknown): asserts value is FlagValue {
  const { type, rolloutBy } = flagOf(key);
  const isShare = rolloutBy !== undefined && isRollout(value) && value.rollout.by === rolloutBy;
  if (!isShare && (type === 'json' ? value === null : typeof value !== type)) {
    const other = rolloutBy ? `, or {"rollout": {"percent": 0 to 100, "by": "${rolloutBy}"}}` : '';
    throw validationError('value', 'type', `The flag ${key} takes a ${type}${other}.`, { expected: type });
  }
  if (JSON.stringify(value).length <= MOST_CHARACTERS) return;
  const message = `The value of a flag can have at most ${MOST_CHARACTERS} characters of JSON.`;
  throw validationError('value', 'max', message, { max: MOST_CHARACTERS });
}
