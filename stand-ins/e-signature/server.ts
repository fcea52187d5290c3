// The local e-signature provider: a small server, on the loopback address alone, that speaks the protocol of BoldSign
// and sends its signed events. Signers' actions are under `/_control/`. It keeps everything in memory.
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { deliverSigned } from '../signed-event.ts';

export interface SigningRoomOptions {
  /** The key that callers must present. */
  apiKey: string;
  /** Signs the events. */
  webhookSecret: string;
  /** Default: any free one. */
  port?: number;
  /** Where events are delivered; none are sent until `deliverTo` sets it. */
  endpoint?: string;
}

/** A document as the provider knows it. */
export interface RoomDocument {
  documentId: string;
  title: string;
  status: 'InProgress' | 'Completed' | 'Declined' | 'Revoked' | 'Expired';
  signers: { name: string; email: string }[];
  labels: string[];
  metaData: Record<string, string>;
  file: Buffer;
  reminders: number;
}

type RoomEvent = 'Sent' | 'Viewed' | 'Signed' | 'Completed' | 'Declined' | 'Revoked' | 'Expired';

export interface SigningRoom {
  /** Without a trailing slash. */
  url: string;
  documents: ReadonlyMap<string, RoomDocument>;
  deliverTo(endpoint: string): void;
  /** Makes something happen to a document; returns the response status of its event, null without an endpoint. */
  happen(documentId: string, event: RoomEvent): Promise<number | null>;
  /** Answers every call with this status; null ends it. */
  failWith(status: number | null): void;
  close(): Promise<void>;
}

interface Answer {
  status: number;
  body: object | Buffer | null;
}

const ENDS: Partial<Record<RoomEvent, RoomDocument['status']>> = {
  Completed: 'Completed',
  Declined: 'Declined',
  Revoked: 'Revoked',
  Expired: 'Expired',
};

/** Starts the provider; the caller closes it. */
export async function startSigningRoom({
  apiKey,
  webhookSecret,
  port,
  endpoint,
}: SigningRoomOptions): Promise<SigningRoom> {
  const documents = new Map<string, RoomDocument>();
  let address = endpoint ?? null;
  let fault: number | null = null;
  const happen = async (documentId: string, event: RoomEvent): Promise<number | null> => {
    const document = documents.get(documentId);
    if (document === undefined) throw new Error('There is no such document');
    document.status = ENDS[event] ?? document.status;
    return address === null ? null : deliver(address, webhookSecret, eventOf(document, event));
  };
  const answer = async (request: IncomingMessage): Promise<Answer> => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const body = await text(request);
    if (url.pathname === '/healthz') return { status: 200, body: { status: 'ok' } };
    if (request.headers['x-api-key'] !== apiKey) return { status: 401, body: { error: 'Unauthorized' } };
    if (fault !== null) return { status: fault, body: { error: 'On purpose' } };
    return serve({ path: url.pathname, query: url.searchParams, body }, documents, happen);
  };
  const server = createServer((request, response) => {
    void answer(request)
      .catch((): Answer => ({ status: 400, body: { error: 'Bad request' } }))
      .then((each) => send(response, each));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port ?? 0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    documents,
    happen,
    deliverTo: (given) => {
      address = given;
    },
    failWith: (status) => {
      fault = status;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Call {
  path: string;
  query: URLSearchParams;
  body: string;
}

async function serve(
  { path, query, body }: Call,
  documents: Map<string, RoomDocument>,
  happen: SigningRoom['happen'],
): Promise<Answer> {
  if (path === '/v1/document/send') {
    const order = JSON.parse(body) as Order;
    if (!canBeSigned(order)) return { status: 400, body: { error: 'A form field is not on its page' } };
    const document = documentFrom(order);
    documents.set(document.documentId, document);
    // As the real one does, it answers before its event arrives.
    setImmediate(() => void happen(document.documentId, 'Sent').catch(() => {}));
    return { status: 201, body: { documentId: document.documentId } };
  }
  if (path === '/v1/document/list') {
    const labels = query.getAll('Labels');
    const found = [...documents.values()].filter((each) => labels.every((label) => each.labels.includes(label)));
    return { status: 200, body: { pageDetails: { page: 1 }, result: found.map(({ documentId }) => ({ documentId })) } };
  }
  const document = documents.get(query.get('documentId') ?? '');
  if (document === undefined) return { status: 404, body: { error: 'Invalid document id' } };
  const [, control] = /^\/_control\/(\w+)$/.exec(path) ?? [];
  if (control !== undefined)
    return { status: 200, body: { delivered: await happen(document.documentId, control as RoomEvent) } };
  return serveDocument(path, document, happen);
}

async function serveDocument(path: string, document: RoomDocument, happen: SigningRoom['happen']): Promise<Answer> {
  const isOpen = document.status === 'InProgress';
  switch (path) {
    case '/v1/document/properties':
      return { status: 200, body: { documentId: document.documentId, status: document.status } };
    case '/v1/document/download':
      return { status: 200, body: signedCopy(document) };
    case '/v1/document/remind':
      if (!isOpen) return { status: 400, body: { error: 'The document is not in progress' } };
      document.reminders += 1;
      return { status: 204, body: null };
    case '/v1/document/revoke':
      if (!isOpen) return { status: 400, body: { error: 'The document is not in progress' } };
      document.status = 'Revoked';
      setImmediate(() => void happen(document.documentId, 'Revoked').catch(() => {}));
      return { status: 204, body: null };
    default:
      return { status: 404, body: { error: 'Not found' } };
  }
}

interface Bounds {
  X: number;
  Y: number;
  Width: number;
  Height: number;
}

/** In points, the width of A4 and the height of US Letter: what fits here fits on either page. */
const PAGE = { width: 595, height: 792 };

/** Every signer has a field, within the page and at its own position. */
function canBeSigned({ Signers }: Order): boolean {
  const fields = Signers.flatMap(({ FormFields }) => FormFields.map(({ Bounds }) => Bounds));
  const isOnPage = ({ X, Y, Width, Height }: Bounds) =>
    X >= 0 && Y >= 0 && X + Width <= PAGE.width && Y + Height <= PAGE.height;
  const places = new Set(fields.map(({ X, Y }) => `${X} ${Y}`));
  return (
    Signers.every(({ FormFields }) => FormFields.length > 0) && fields.every(isOnPage) && places.size === fields.length
  );
}

interface Order {
  Title: string;
  Signers: { Name: string; EmailAddress: string; FormFields: { Bounds: Bounds }[] }[];
  Files: string[];
  Labels?: string[];
  MetaData?: Record<string, string>;
}

function documentFrom({ Title, Signers, Files, Labels = [], MetaData = {} }: Order): RoomDocument {
  const [, content = ''] = (Files[0] ?? '').split(';base64,');
  return {
    documentId: randomUUID(),
    title: Title,
    status: 'InProgress',
    signers: Signers.map(({ Name: name, EmailAddress: email }) => ({ name, email })),
    ...{ labels: Labels, metaData: MetaData, file: Buffer.from(content, 'base64'), reminders: 0 },
  };
}

/** The file with a comment appended after its end, which every PDF reader ignores. */
function signedCopy({ file, signers }: RoomDocument): Buffer {
  return Buffer.concat([file, Buffer.from(`\n% signed by ${signers.length}\n`)]);
}

function eventOf({ documentId, title, status, signers, metaData }: RoomDocument, eventType: RoomEvent): object {
  const created = Math.floor(Date.now() / 1_000);
  const details = signers.map(({ name, email }) => ({ signerName: name, signerEmail: email, status }));
  return {
    event: { id: randomUUID(), created, eventType, environment: 'Test' },
    data: { object: 'document', documentId, messageTitle: title, status, signerDetails: details, metaData },
  };
}

function deliver(endpoint: string, secret: string, event: object): Promise<number | null> {
  const value = (sentAt: number, signature: string) => `t=${sentAt}, s0=${signature}`;
  return deliverSigned({ endpoint, secret, event, header: { name: 'x-boldsign-signature', value } });
}

function send(response: ServerResponse, { status, body }: Answer): void {
  if (Buffer.isBuffer(body)) response.writeHead(status, { 'content-type': 'application/pdf' }).end(body);
  else
    response.writeHead(status, { 'content-type': 'application/json' }).end(body === null ? '' : JSON.stringify(body));
}
