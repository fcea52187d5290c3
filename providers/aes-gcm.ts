// Encrypts bytes with AES-256-GCM: nonce, ciphertext and tag, in this order. The place a text is bound to is
// authenticated with it, so that it cannot be moved elsewhere.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** `key` has 32 bytes. */
export function encrypt(content: Uint8Array, key: Uint8Array, boundTo: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(boundTo));
  return Buffer.concat([nonce, cipher.update(content), cipher.final(), cipher.getAuthTag()]);
}

/** @throws Error if the key is a different one, or the bytes or their place were changed */
export function decrypt(sealed: Uint8Array, key: Uint8Array, boundTo: string): Buffer {
  const bytes = Buffer.from(sealed);
  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(boundTo));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
}
