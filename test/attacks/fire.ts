// Sends requests with headers exactly as given, even a duplicated header, and many of them with limited concurrency.
import { Agent, request } from 'node:http';

export type Header = readonly [name: string, value: string];

export interface Shot {
  method: string;
  /** Including its query. */
  path: string;
  headers?: readonly Header[];
  body?: string | undefined;
}

export interface Hit {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  body: any;
}

export type Fire = (shot: Shot) => Promise<Hit>;

const AT_ONCE = 8;
/** How many failed requests a test names. */
const NAMED = 40;

/** Opens a line to an address without a trailing slash. Does not follow redirects. */
export function lineTo(url: string): Fire {
  const { hostname, port, host } = new URL(url);
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE * 2 });
  return ({ method, path, headers = [], body }) =>
    new Promise((resolve, reject) => {
      const length = body === undefined ? [] : [['Content-Length', String(Buffer.byteLength(body))] as const];
      const raw = [['Host', host] as const, ...headers, ...length].flat();
      const sent = request({ hostname, port, agent, method, path, headers: raw }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          const isJson = response.headers['content-type']?.includes('json') ?? false;
          const { statusCode: status = 0, headers: received } = response;
          resolve({ status, headers: received, text, body: isJson && text !== '' ? JSON.parse(text) : null });
        });
      });
      sent.on('error', reject);
      sent.end(body);
    });
}

/** A bearer credential. */
export function bearer(credential: string): Header {
  return ['Authorization', `Bearer ${credential}`];
}

/** Headers and text of a JSON body; empty without one. */
export function json(body: unknown): Pick<Shot, 'body'> & { headers: Header[] } {
  if (body === undefined) return { headers: [], body: undefined };
  return { headers: [['Content-Type', 'application/json']], body: JSON.stringify(body) };
}

/** Works on all of `items`, eight at a time, and returns the results in order. */
export async function eachOf<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async () => {
    for (let i = next++; i < items.length; i = next++) results[i] = await work(items[i] as T);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return results;
}

/**
 * The requests that got through but must not: `aim` returns null for a correctly answered request, otherwise what is
 * wrong.
 */
export async function breaches<T>(items: readonly T[], aim: (item: T) => Promise<string | null>): Promise<string[]> {
  const found = (await eachOf(items, aim)).filter((breach) => breach !== null);
  const rest = found.length - NAMED;
  return rest > 0 ? [...found.slice(0, NAMED), `… and ${rest} more`] : found;
}

/** Every combination of an item from each of two lists. */
export function pairs<A, B>(first: readonly A[], second: readonly B[]): [A, B][] {
  return first.flatMap((a) => second.map((b): [A, B] => [a, b]));
}
