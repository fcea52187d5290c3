// The payload keys for scripts that run alongside the services: PAYLOAD_KEYS, else the key that `npm start`
// generated.
import { resolve } from 'node:path';
import { type PayloadKey, payloadKeysIn, type SupervisorConfig } from '../../config.ts';
import { readSecrets } from './secrets.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** Reads the keys; none if neither exists: then nothing is encrypted, and nothing encrypted can be read. */
export function keptPayloadKeys({ payloadKeys, dataDir }: SupervisorConfig): readonly PayloadKey[] {
  if (payloadKeys.length > 0) return payloadKeys;
  const { PAYLOAD_KEYS } = readSecrets(resolve(ROOT, dataDir));
  return PAYLOAD_KEYS === undefined ? [] : payloadKeysIn(PAYLOAD_KEYS);
}
