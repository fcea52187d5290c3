// Flags for code that reads them through OpenFeature: a provider of its server SDK, by shape alone. The context names
// the organization; the targeting key is the subject of a rollout, e.g. a policy. Decision 0142.

import { keptOverrides } from '../../db/flag-cache.ts';
import type { ScopedDatabase } from '../../db/orm.ts';
import { flagOverrides } from '../../db/queries/platform/flags.ts';
import { type FlagValue, flagFor, flagValue, isPlatformFlag, isRollout } from '../../domain/platform/flags.ts';

/** The organization whose flag it is, and the subject of its rollout. */
interface FlagContext {
  targetingKey?: string;
  [attribute: string]: unknown;
}

/** A value and its source: the default, the organization's setting, or its rollout. */
interface FlagResolution<T> {
  value: T;
  reason: 'DEFAULT' | 'STATIC' | 'SPLIT';
}

/** Why there is no value; OpenFeature then returns the caller's default. */
class FlagFault extends Error {
  readonly code: 'FLAG_NOT_FOUND' | 'INVALID_CONTEXT' | 'TARGETING_KEY_MISSING' | 'TYPE_MISMATCH';

  constructor(code: FlagFault['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** Makes a provider for the flags of all organizations; the context names `orgId`. */
export function createFlagProvider(database: Pick<ScopedDatabase, 'forOrg'>) {
  const resolve = async (key: string, { orgId, targetingKey }: FlagContext): Promise<FlagResolution<FlagValue>> => {
    if (typeof orgId !== 'string') throw new FlagFault('INVALID_CONTEXT', 'The context names no organization (orgId).');
    const overrides = await database.forOrg(orgId, (em) => keptOverrides(em, flagOverrides));
    const override = overrides.get(key);
    if (override === undefined && !isPlatformFlag(key)) {
      throw new FlagFault('FLAG_NOT_FOUND', `The organization has no flag ${key}.`);
    }
    const isSplit = isRollout(flagValue(key, override));
    if (isSplit && targetingKey === undefined) {
      throw new FlagFault('TARGETING_KEY_MISSING', `The flag ${key} is a rollout, which needs a targeting key.`);
    }
    const reason = override === undefined ? 'DEFAULT' : isSplit ? 'SPLIT' : 'STATIC';
    return { value: flagFor(key, override, targetingKey), reason };
  };
  const resolveAs = async <T>(key: string, context: FlagContext, type: string): Promise<FlagResolution<T>> => {
    const { value, reason } = await resolve(key, context);
    if (typeof value !== type) throw new FlagFault('TYPE_MISMATCH', `The flag ${key} is no ${type}.`);
    return { value: value as T, reason };
  };
  return {
    metadata: { name: 'bindery' },
    runsOn: 'server',
    resolveBooleanEvaluation: (key: string, _default: boolean, context: FlagContext) =>
      resolveAs<boolean>(key, context, 'boolean'),
    resolveStringEvaluation: (key: string, _default: string, context: FlagContext) =>
      resolveAs<string>(key, context, 'string'),
    resolveNumberEvaluation: (key: string, _default: number, context: FlagContext) =>
      resolveAs<number>(key, context, 'number'),
    resolveObjectEvaluation: <T>(key: string, _default: T, context: FlagContext) =>
      resolveAs<T>(key, context, 'object'),
  } as const;
}
