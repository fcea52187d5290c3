// Selects the document analyst: the built-in one, plus a language model if one is configured.
import type { Logger } from 'pino';
import { DomainError } from '../../domain/errors.ts';
import type { DocumentAnalyst, KvStore } from '../ports.ts';
import { createLanguageModelAnalyst } from './language-model.ts';
import { createLocalAnalyst } from './local-analyst.ts';
import type { LanguageModelConfig } from './messages-call.ts';

export interface AnalystConfig extends LanguageModelConfig {
  /** The number of calls per organization; each call is bounded in what it reads and writes. */
  callsPerDay: number;
}

const DAY_SECONDS = 86_400;

/** Builds it; null means no language model. */
export function createAnalyst(
  config: AnalystConfig | null,
  { kv, logger, now }: { kv: Pick<KvStore, 'countWithin'>; logger: Logger; now: () => number },
): DocumentAnalyst {
  const local = createLocalAnalyst();
  if (config === null) return local;
  const mayCall = async (orgId: string) => {
    const limit = { key: `language-model:${orgId}`, most: config.callsPerDay, windowSeconds: DAY_SECONDS };
    try {
      return (await kv.countWithin([limit])).isWithin;
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      // A call that cannot be counted is not sent; the document is ingested without it.
      logger.warn({ reason: error.code }, 'calls of the language model cannot be counted: none is made');
      return false;
    }
  };
  return createLanguageModelAnalyst({ config, local, logger, mayCall, now });
}
