// The key that encrypts the tests' workflow payloads, as an installation would supply it.
import { createHash } from 'node:crypto';
import { payloadKeysIn } from '../../config.ts';

/** A key that is the same in every run. */
export const payloadKey = (id: string): string => `${id}:${createHash('sha256').update(id).digest('base64')}`;

/** Value of PAYLOAD_KEYS. */
export const TEST_PAYLOAD_KEYS = payloadKey('of-the-tests');

/** The keys as the parts of a test take them. */
export const payloadKeys = payloadKeysIn(TEST_PAYLOAD_KEYS);
