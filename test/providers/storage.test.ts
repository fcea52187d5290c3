// Objects in a folder and in a bucket: what is written can be read back, and no path leads outside.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import test, { type ExecutionContext } from 'ava';
import type { ObjectStorage } from '../../providers/ports.ts';
import { createStorage } from '../../providers/storage.ts';

const RECEIPT = 'docs/org_1/receipts/RCPT-INV-2026-000001-1795227600.html';

function inFolder(t: ExecutionContext): { storage: ObjectStorage; dataDir: string } {
  const dataDir = mkdtempSync(join(tmpdir(), 'bindery-storage-test-'));
  t.teardown(() => rmSync(dataDir, { recursive: true, force: true }));
  return { dataDir, storage: createStorage({ dataDir, s3: null }) };
}

interface Bucket {
  storage: ObjectStorage;
  /** The requests to the store, e.g. `PUT /documents/docs/org_1/a.html`. */
  requests: string[];
  signatures: string[];
}

/** A store that speaks as much of S3 as putting and getting an object needs. */
async function inBucket(t: ExecutionContext): Promise<Bucket> {
  const objects = new Map<string, Buffer>();
  const requests: string[] = [];
  const signatures: string[] = [];
  const server = createServer(async (request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    requests.push(`${request.method} ${path}`);
    signatures.push(request.headers.authorization ?? '');
    if (request.method === 'PUT') {
      objects.set(path, contentOf(await buffer(request), request.headers['content-encoding']?.toString()));
      response.setHeader('etag', '"1"').end();
      return;
    }
    const object = objects.get(path);
    if (object) response.end(object);
    else response.writeHead(404).end('<Error><Code>NoSuchKey</Code><Message>none</Message></Error>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const s3 = {
    bucket: 'documents',
    region: 'us-east-1',
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    credentials: { accessKeyId: 'name-of-the-key', secretAccessKey: 'secret-of-the-key' },
  };
  return { requests, signatures, storage: createStorage({ dataDir: '/nowhere', s3 }) };
}

/** The client may send the body in signed chunks: `<size>;…\r\n<bytes>\r\n` until one of size 0. */
function contentOf(body: Buffer, encoding = ''): Buffer {
  if (!encoding.includes('aws-chunked')) return body;
  const end = body.indexOf('\r\n');
  const size = Number.parseInt(body.subarray(0, end).toString(), 16);
  if (!(size > 0)) return Buffer.alloc(0);
  const [chunk, rest] = [body.subarray(end + 2, end + 2 + size), body.subarray(end + 4 + size)];
  return Buffer.concat([chunk, contentOf(rest, encoding)]);
}

async function keepsWhatComes(t: ExecutionContext, storage: ObjectStorage): Promise<void> {
  const path = 'docs/org_1/claims/clm_1/att_1';
  t.is(await storage.getStream(path), null);
  const bytes = Buffer.from(Uint8Array.from({ length: 300_000 }, (_, at) => at % 251));
  const pieces = [bytes.subarray(0, 100_000), bytes.subarray(100_000)];
  await storage.putStream(path, Readable.from(pieces), { contentType: 'application/pdf', size: bytes.length });
  const stream = await storage.getStream(path);
  t.deepEqual(stream && (await buffer(stream)), bytes);
}

async function keepsWhatItIsGiven(t: ExecutionContext, storage: ObjectStorage): Promise<void> {
  t.is(await storage.get(RECEIPT), null);
  await storage.put(RECEIPT, '<p>Zürich, 1 €</p>', 'text/html');
  t.is(Buffer.from((await storage.get(RECEIPT)) ?? []).toString(), '<p>Zürich, 1 €</p>');
  const bytes = Uint8Array.from({ length: 70_000 }, (_, at) => at % 256);
  await storage.put(RECEIPT, bytes, 'application/octet-stream');
  t.deepEqual(Uint8Array.from((await storage.get(RECEIPT)) ?? []), bytes, 'it is replaced, to the byte');
}

test('a file written to the folder is read again, and a missing one is null', async (t) => {
  const { storage, dataDir } = inFolder(t);
  await keepsWhatItIsGiven(t, storage);
  t.is(readFileSync(join(dataDir, 'storage', RECEIPT)).length, 70_000);
  t.is(statSync(join(dataDir, 'storage')).mode & 0o777, 0o700, 'it has personal data');
});

test('a file written as a stream is read as a stream, in the folder and in the bucket', async (t) => {
  const { storage } = inFolder(t);
  await keepsWhatComes(t, storage);
  await keepsWhatComes(t, (await inBucket(t)).storage);
  const lost = Readable.from(
    (async function* () {
      yield Buffer.from('half of it');
      throw new Error('lost on the way');
    })(),
  );
  const facts = { contentType: 'application/pdf', size: 100 };
  await t.throwsAsync(storage.putStream('docs/lost', lost, facts), { code: 'service_unavailable' });
});

test('a file written to the bucket is read again, and a missing one is null', async (t) => {
  const { storage, requests, signatures } = await inBucket(t);
  await keepsWhatItIsGiven(t, storage);
  t.deepEqual([...new Set(requests)], [`GET /documents/${RECEIPT}`, `PUT /documents/${RECEIPT}`]);
  for (const signature of signatures) {
    t.regex(signature, /^AWS4-HMAC-SHA256 Credential=name-of-the-key\/\d{8}\/us-east-1\/s3\//);
    t.notRegex(signature, /secret-of-the-key/);
  }
});

test('a path that climbs, starts at the root or is not plain is refused, and nothing is written', async (t) => {
  const { storage, dataDir } = inFolder(t);
  const paths = [
    ...['../outside', 'docs/../../outside', 'docs/..', '..', '.', '', '/etc/outside', 'docs//x', 'docs/', 'docs/./x'],
    ...['docs/.../x', 'docs\\..\\x', 'docs/x\0', 'docs/x\n', 'docs/%2e%2e/x', 'C:/x', 'docs/a b'],
  ];
  for (const path of paths) {
    await t.throwsAsync(storage.put(path, 'x', 'text/plain'), { message: /is not a path of the storage/ }, path);
    await t.throwsAsync(storage.get(path), { message: /is not a path of the storage/ }, path);
  }
  t.false(existsSync(join(dataDir, 'storage')));
  t.deepEqual(readdirSync(dataDir), []);
});

test('a store that is too slow for its calls is unavailable, and holds nothing for certain', async (t) => {
  const server = createServer((_request, response) => {
    response.writeHead(503).end('<Error><Code>SlowDown</Code><Message>Reduce your request rate.</Message></Error>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const credentials = { accessKeyId: 'name-of-the-key', secretAccessKey: 'secret-of-the-key' };
  const s3 = { bucket: 'documents', region: 'us-east-1', endpoint, credentials };
  const storage = createStorage({ dataDir: '/nowhere', s3 });
  const slow = { code: 'service_unavailable', status: 503 };
  t.like(await t.throwsAsync(storage.get(RECEIPT)), slow);
  t.like(await t.throwsAsync(storage.put(RECEIPT, 'x', 'text/plain')), slow);
});

test('a store that cannot be reached is a fault and not an absence', async (t) => {
  const credentials = { accessKeyId: 'name-of-the-key', secretAccessKey: 'secret-of-the-key' };
  const s3 = { bucket: 'documents', region: 'us-east-1', endpoint: 'http://127.0.0.1:1', credentials };
  const storage = createStorage({ dataDir: '/nowhere', s3 });
  const away = { code: 'service_unavailable' };
  t.like(await t.throwsAsync(storage.get(RECEIPT)), away);
  t.like(await t.throwsAsync(storage.put(RECEIPT, 'x', 'text/plain')), away);
});
