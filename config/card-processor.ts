// The variables of the local card processor: the two secrets that it shares with us, and the API's address.
import { z } from 'zod';
import { apiAddressVariables, dataDirOf, dataVariables } from './installation.ts';
import { cardEventVariables, cardVariables } from './providers.ts';
import { port } from './shapes.ts';

const DEFAULT_PORT = 8790;

/** Read by `npm start` too, which runs it. */
export const cardPortVariables = {
  CARD_PROCESSOR_PORT: port().default(DEFAULT_PORT).describe('Port of the local card processor that npm start runs.'),
} as const;

export const cardProcessorVariables = {
  PORT: apiAddressVariables.PORT,
  ...dataVariables,
  CARD_PROCESSOR_SECRET_KEY: cardVariables.CARD_PROCESSOR_SECRET_KEY.unwrap(),
  CARD_PROCESSOR_WEBHOOK_SECRET: cardEventVariables.CARD_PROCESSOR_WEBHOOK_SECRET.unwrap(),
  ...cardPortVariables,
} as const;

export const cardProcessorSchema = z.object(cardProcessorVariables);

export type CardProcessorConfig = ReturnType<typeof cardProcessorConfig>;

export function cardProcessorConfig(values: z.infer<typeof cardProcessorSchema>) {
  return {
    port: values.CARD_PROCESSOR_PORT,
    apiPort: values.PORT,
    dataDir: dataDirOf(values),
    secretKey: values.CARD_PROCESSOR_SECRET_KEY,
    webhookSecret: values.CARD_PROCESSOR_WEBHOOK_SECRET,
  };
}
