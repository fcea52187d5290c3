// Settings of the local processor's process; `npm start` sets all of its variables.
import { join } from 'node:path';
import type { CardProcessorConfig } from '../../config.ts';
import type { CardProcessorOptions } from './server.ts';

/** Builds the options from the configuration. */
export function settingsOf(config: CardProcessorConfig): Required<Omit<CardProcessorOptions, 'now'>> {
  const { secretKey, webhookSecret, port } = config;
  return {
    ...{ secretKey, webhookSecret, port },
    databaseFile: join(config.dataDir, 'card-processor.db'),
    endpoint: `http://127.0.0.1:${config.apiPort}/v1/webhooks/stripe`,
  };
}
