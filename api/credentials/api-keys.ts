// The text of API keys: created and recognized here, stored only as a hash. Spec 5.3, Contract 2 "API key".
import { createHash, randomBytes } from 'node:crypto';
import type { Environment } from '../../config.ts';

const SHAPE = /^svck_(live|test)_[0-9A-Za-z]{32,64}$/;
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_BYTES = 32;
/** Digits that hold 256 bits. */
const RANDOM_CHARACTERS = 43;
/** Enough to distinguish keys in a list, far too little to guess one. */
const DISPLAYED_CHARACTERS = 4;

/** Returns whether a bearer credential looks like an API key. */
export function looksLikeApiKey(credential: string): boolean {
  return credential.startsWith('svck_');
}

/** Returns whether a credential has the shape of this environment's keys: live in production, test elsewhere. */
export function fitsEnvironment(credential: string, environment: Environment): boolean {
  return SHAPE.test(credential) && credential.startsWith(prefixOf(environment));
}

/** Makes a new key of 256 random bits. */
export function newApiKey(environment: Environment): string {
  let rest = BigInt(`0x${randomBytes(RANDOM_BYTES).toString('hex')}`);
  let digits = '';
  for (let i = 0; i < RANDOM_CHARACTERS; i += 1, rest /= 62n) digits = BASE62.charAt(Number(rest % 62n)) + digits;
  return prefixOf(environment) + digits;
}

/** Returns the stored hash of a key. Its randomness makes salt and slow hashing unnecessary. */
export function hashOfApiKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** Returns the part of a key shown after its creation. */
export function displayPrefix(key: string): string {
  return key.slice(0, key.lastIndexOf('_') + 1 + DISPLAYED_CHARACTERS);
}

function prefixOf(environment: Environment): string {
  return environment === 'production' ? 'svck_live_' : 'svck_test_';
}
