// Ids and secrets as the processor makes them: a prefix that names the kind, then random characters.
import { randomBytes } from 'node:crypto';

/** Makes an id such as `pi_3f…`. */
export function newId(
  prefix: 'pi' | 'seti' | 'pm' | 'ch' | 're' | 'du' | 'cus' | 'txn' | 'po' | 'evt' | 'req',
): string {
  return `${prefix}_${randomBytes(12).toString('hex')}`;
}

/** The secret that a browser needs to confirm an intent. */
export function newClientSecret(intentId: string): string {
  return `${intentId}_secret_${randomBytes(12).toString('hex')}`;
}
