// Resolves the names of receivers by asking the name servers directly. The system resolver would use the few threads
// that the whole process shares, where one tenant's slow name server would keep the others waiting.
import { type LookupAddress, type LookupOptions, Resolver } from 'node:dns';
import { isLoopbackName } from './loopback.ts';

const ASK_FOR_MS = 2_000;
const TRIES = 2;
const OWN: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

export type ResolveAll = (
  hostname: string,
  options: LookupOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** Returns every address of a name, IPv4 first; ENOTFOUND if there is none, for whatever reason. */
export const resolveAll: ResolveAll = (hostname, _options, callback) => {
  if (isLoopbackName(hostname)) return callback(null, [...OWN]);
  resolveWith(new Resolver({ timeout: ASK_FOR_MS, tries: TRIES }), hostname, callback);
};

/** Returns what the name servers of a resolver know. */
export function resolveWith(resolver: Resolver, hostname: string, callback: Parameters<ResolveAll>[2]): void {
  const ask = (family: 4 | 6) =>
    new Promise<LookupAddress[]>((resolve) => {
      const found = (error: Error | null, list: string[]) =>
        resolve(error === null ? list.map((address) => ({ address, family })) : []);
      if (family === 4) resolver.resolve4(hostname, found);
      else resolver.resolve6(hostname, found);
    });
  void Promise.all([ask(4), ask(6)]).then((both) => {
    const addresses = both.flat();
    if (addresses.length > 0) return callback(null, addresses);
    callback(Object.assign(new Error('The name does not resolve.'), { code: 'ENOTFOUND' }), []);
  });
}
