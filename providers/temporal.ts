// Shared by everything that talks to Temporal, built from the configuration: how the connection is opened, and how
// values become payloads. Clients, workers, scripts and tests all take it from here.
import { fileURLToPath } from 'node:url';
import { type DataConverter, encodingTypes, METADATA_ENCODING_KEY, type Payload } from '@temporalio/common';
import type { WorkerConfig } from '../config.ts';
import { READABLE } from '../contracts/machinery/data-converter.ts';
import { createPayloadCodec } from './payload-codec.ts';

/** The converters' module, which is also in the workflow bundle. */
export const CONVERTERS = fileURLToPath(new URL('../contracts/machinery/data-converter.ts', import.meta.url));

/** The server's address, our identity there, and the keys of our payloads. */
export type TemporalSettings = Pick<
  WorkerConfig,
  'temporalAddress' | 'temporalNamespace' | 'temporalSecurity' | 'payloadKeys'
>;

/** Address and identity: the options common to `Connection` and `NativeConnection`. */
export function connectionOptions(config: Pick<TemporalSettings, 'temporalAddress' | 'temporalSecurity'>) {
  return { address: config.temporalAddress, ...config.temporalSecurity };
}

/**
 * The one data converter of an installation. Without keys, which only a local installation may lack, payloads are
 * stored in plain text.
 */
export function dataConverter({ payloadKeys }: Pick<TemporalSettings, 'payloadKeys'>): DataConverter {
  return {
    payloadConverterPath: CONVERTERS,
    failureConverterPath: CONVERTERS,
    payloadCodecs: payloadCodecs(payloadKeys),
  };
}

/** That converter's codecs: one, or none without a key. */
export function payloadCodecs(keys: WorkerConfig['payloadKeys']) {
  if (keys.length === 0) return [];
  return [createPayloadCodec({ keys, isReadable })];
}

/**
 * Payloads declared readable, and empty ones: the server must see those, because an empty value removes a memo.
 */
function isReadable({ metadata }: Payload): boolean {
  const encoding = Buffer.from(metadata?.[METADATA_ENCODING_KEY] ?? []).toString();
  return metadata?.[READABLE] !== undefined || encoding === encodingTypes.METADATA_ENCODING_NULL;
}
