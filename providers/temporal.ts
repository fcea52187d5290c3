// What everything that talks to Temporal has in common, made from the configuration: how the connection is opened, and
// how values become payloads. Clients, workers, scripts and tests all take it from here.
import { fileURLToPath } from 'node:url';
import { type DataConverter, encodingTypes, METADATA_ENCODING_KEY, type Payload } from '@temporalio/common';
import type { WorkerConfig } from '../config.ts';
import { READABLE } from '../contracts/data-converter.ts';
import { createPayloadCodec } from './payload-codec.ts';

/** The module of the converters, which the bundle of the workflows has too. */
export const CONVERTERS = fileURLToPath(new URL('../contracts/data-converter.ts', import.meta.url));

/** Where the server is, who we are there, and what our payloads are encrypted with. */
export type TemporalSettings = Pick<
  WorkerConfig,
  'temporalAddress' | 'temporalNamespace' | 'temporalSecurity' | 'payloadKeys'
>;

/** Where and as whom: what `Connection` and `NativeConnection` take alike. */
export function connectionOptions(config: Pick<TemporalSettings, 'temporalAddress' | 'temporalSecurity'>) {
  return { address: config.temporalAddress, ...config.temporalSecurity };
}

/**
 * The one data converter of an installation. Without keys payloads are stored as they are: in a local installation
 * alone.
 */
export function dataConverter({ payloadKeys }: Pick<TemporalSettings, 'payloadKeys'>): DataConverter {
  return {
    payloadConverterPath: CONVERTERS,
    failureConverterPath: CONVERTERS,
    payloadCodecs: payloadCodecs(payloadKeys),
  };
}

/** The codecs of that converter: one, or none without a key. */
export function payloadCodecs(keys: WorkerConfig['payloadKeys']) {
  if (keys.length === 0) return [];
  return [createPayloadCodec({ keys, isReadable })];
}

/**
 * What is declared readable; and nothing, which hides nothing: the server must see it, because it is how a memo is
 * removed.
 */
function isReadable({ metadata }: Payload): boolean {
  const encoding = Buffer.from(metadata?.[METADATA_ENCODING_KEY] ?? []).toString();
  return metadata?.[READABLE] !== undefined || encoding === encodingTypes.METADATA_ENCODING_NULL;
}
