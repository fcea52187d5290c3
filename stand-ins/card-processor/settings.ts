// What the process of the local processor reads from its environment; `npm start` gives it all of it.
import { join, resolve } from 'node:path';
import type { CardProcessorOptions } from './server.ts';

/** Reads the options. The names are those of config-providers.ts. */
export function loadSettings(variables: Readonly<Record<string, string | undefined>>): Required<CardProcessorOptions> {
  const { CARD_PROCESSOR_SECRET_KEY, CARD_PROCESSOR_WEBHOOK_SECRET, CARD_PROCESSOR_PORT, PORT, DATA_DIR } = variables;
  if (!CARD_PROCESSOR_SECRET_KEY || !CARD_PROCESSOR_WEBHOOK_SECRET) {
    throw new Error('CARD_PROCESSOR_SECRET_KEY and CARD_PROCESSOR_WEBHOOK_SECRET are needed');
  }
  return {
    secretKey: CARD_PROCESSOR_SECRET_KEY,
    webhookSecret: CARD_PROCESSOR_WEBHOOK_SECRET,
    port: Number(CARD_PROCESSOR_PORT || 8790),
    databaseFile: join(resolve(import.meta.dirname, '../..', DATA_DIR || '.data'), 'card-processor.db'),
    endpoint: `http://127.0.0.1:${PORT || 8787}/v1/webhooks/stripe`,
  };
}
