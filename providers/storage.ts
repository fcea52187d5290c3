/** Objects in a local folder that only its owner can enter, or in a bucket if one is configured. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { Disk } from 'flydrive';
import { FSDriver } from 'flydrive/drivers/fs';
import { S3Driver } from 'flydrive/drivers/s3';
import { DomainError } from '../domain/errors.ts';
import type { ObjectStorage } from './ports.ts';

export interface BucketSettings {
  bucket: string;
  region: string;
  /** Address of an S3-compatible store; null for Amazon's. */
  endpoint: string | null;
  /** Null for the machine's own credentials. */
  credentials: { accessKeyId: string; secretAccessKey: string } | null;
}

export interface StorageSettings {
  /** Absolute. Objects are in its subfolder `storage`. */
  dataDir: string;
  s3: BucketSettings | null;
}

/** Names of letters, digits, `.`, `_` and `-`, none of them just dots, separated by single slashes. */
const PATH = /^(?!\.+(\/|$))[\w.-]+(\/(?!\.+(\/|$))[\w.-]+)*$/;
const MISSING = new Set(['ENOENT', 'NoSuchKey', 'NotFound']);

/**
 * Builds the adapter. Its methods throw Error for a path that is not plain or leads outside the storage, and
 * DomainError service_unavailable if the storage is unreachable or too busy.
 */
export function createStorage({ dataDir, s3 }: StorageSettings): ObjectStorage {
  const folder = join(dataDir, 'storage');
  const disk = new Disk(s3 === null ? new FSDriver({ location: folder, visibility: 'private' }) : bucketDriver(s3));
  return {
    put: async (path, content, contentType) => {
      const plain = checked(path);
      if (s3 === null) await mkdir(folder, { recursive: true, mode: 0o700 });
      await disk.put(plain, content, { contentType }).catch(unreachable);
    },
    get: async (path) => {
      const plain = checked(path);
      try {
        return await buffer(await disk.getStream(plain));
      } catch (error) {
        return isMissing(error) ? null : unreachable(error);
      }
    },
    putStream: async (path, content, { contentType, size }) => {
      const plain = checked(path);
      if (s3 === null) await mkdir(folder, { recursive: true, mode: 0o700 });
      await disk.putStream(plain, content, { contentType, contentLength: size }).catch(unreachable);
    },
    getStream: async (path) => {
      const plain = checked(path);
      // In a folder, a missing file only shows while being read.
      if (s3 === null && !(await disk.exists(plain))) return null;
      return disk.getStream(plain).catch((error: unknown) => (isMissing(error) ? null : unreachable(error)));
    },
  };
}

function unreachable(error: unknown): never {
  throw Object.assign(new DomainError('service_unavailable', 'The storage cannot be reached. Try again shortly.'), {
    cause: error,
  });
}

function bucketDriver({ bucket, region, endpoint, credentials }: BucketSettings): S3Driver {
  return new S3Driver({
    bucket,
    region,
    visibility: 'private',
    supportsACL: false,
    ...(credentials === null ? {} : { credentials }),
    // Compatible stores rarely support a host name per bucket.
    ...(endpoint === null ? {} : { endpoint, forcePathStyle: true }),
  });
}

function checked(path: string): string {
  if (PATH.test(path)) return path;
  throw new Error(`"${path}" is not a path of the storage`);
}

function isMissing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, name } = error as { code?: string; name: string };
  return MISSING.has(code ?? '') || MISSING.has(name) || isMissing(error.cause);
}
