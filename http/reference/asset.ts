// A file that is sent often and changes only with a release: hashed once, and compressed once per encoding.
import { createHash } from 'node:crypto';
import { compressed, type Encoding, encodingFor } from '../compression.ts';

export interface SentAsset {
  body: Buffer;
  headers: Record<string, string>;
  /** Strong entity tag, without quotes. Each encoding has its own, because the bytes differ. RFC 9110 8.8.3. */
  etag: string;
}

/** Returns the asset in an encoding from the `Accept-Encoding` of a client. */
export type Asset = (accepted: string | undefined) => Promise<SentAsset>;

/** Makes an asset. Its text is built on the first request. */
export function assetOf(contentType: string, text: () => string): Asset {
  const made = new Map<Encoding | null, Promise<Buffer>>();
  let plain: { bytes: Buffer; hash: string } | undefined;
  return async (accepted) => {
    plain ??= hashed(text());
    const { bytes, hash } = plain;
    const encoding = encodingFor(accepted);
    const body = made.get(encoding) ?? (encoding === null ? Promise.resolve(bytes) : compressed(bytes, encoding));
    made.set(encoding, body);
    const headers = { 'Content-Type': contentType, 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding' };
    return {
      body: await body,
      headers: encoding === null ? headers : { ...headers, 'Content-Encoding': encoding },
      etag: encoding === null ? hash : `${hash}-${encoding}`,
    };
  };
}

function hashed(text: string): { bytes: Buffer; hash: string } {
  const bytes = Buffer.from(text);
  return { bytes, hash: createHash('sha256').update(bytes).digest('base64url').slice(0, 22) };
}
