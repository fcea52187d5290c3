// The addresses that the platform may call for a tenant: only public ones, however spelled, checked as written and as
// resolved. A connection goes to exactly the address that was checked, so a name that later resolves differently
// gains nothing. Contract 3.6.
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { validationError } from '../../domain/errors.ts';
import { isLoopbackName } from './loopback.ts';
import { type ResolveAll, resolveAll } from './resolver.ts';

/** What an installation allows beyond public addresses. */
export interface AddressPolicy {
  /** Whether this machine may be called under its own names and addresses, also by plain http. Never in production. */
  allowsLoopback: boolean;
  /** Private networks whose receivers may be called, such as `10.1.0.0/16`. Empty in production. */
  allowedNetworks: readonly string[];
}

/** The networks allocated to the public internet; the rest of IPv6 is for special use or unassigned. */
const PUBLIC_IPV6 = ipaddr.parseCIDR('2000::/3');

/** Azure's wire server: inside the public networks, but answered by the machine's host, and it serves secrets. */
const OF_THE_HOST = ['168.63.129.16/32'];

/** Lower ports are assigned to well-known services; of those, receivers may only use the one for https. */
const FIRST_FREE_PORT = 1_024;

/** Why an address may not be called. */
export type AddressFault = 'not_a_url' | 'credentials' | 'scheme' | 'port' | 'address';

/** The error for a name that resolved to an address that must not be called. */
class ForbiddenAddress extends Error {
  override readonly name = 'ForbiddenAddress';
  readonly code = 'ERR_FORBIDDEN_ADDRESS';
}

/** Returns what is wrong with a URL as written; null if nothing is, though its name has yet to resolve. */
export function urlFault(text: string, policy: AddressPolicy): AddressFault | null {
  if (!URL.canParse(text)) return 'not_a_url';
  const { protocol, username, password, hostname, port } = new URL(text);
  if (username !== '' || password !== '') return 'credentials';
  const host = bareHost(hostname);
  const isOwn = policy.allowsLoopback && isLoopbackHost(host);
  if (protocol !== 'https:' && !(protocol === 'http:' && isOwn)) return 'scheme';
  if (isOwn) return null;
  if (!isPortOfReceivers(port)) return 'port';
  const isForbidden = isIP(host) === 0 ? isLoopbackHost(host) : !isCallable(host, policy);
  return isForbidden ? 'address' : null;
}

/** Ports below 1024 belong to other services, and their answers would let a tenant find out which are running. */
function isPortOfReceivers(port: string): boolean {
  return port === '' || Number(port) >= FIRST_FREE_PORT;
}

/** Returns whether an IP address may be called. Text that is not an IP address may not. */
export function isCallable(address: string, { allowedNetworks }: AddressPolicy): boolean {
  const parsed = parsedAddress(address);
  if (parsed === null) return false;
  if (allowedNetworks.some((network) => isWithin(parsed, network))) return true;
  if (parsed.range() !== 'unicast' || OF_THE_HOST.some((network) => isWithin(parsed, network))) return false;
  return parsed.kind() === 'ipv4' || parsed.match(PUBLIC_IPV6);
}

/**
 * Makes the resolver for connections: it returns a name's addresses only if every one may be called, and connections
 * go to exactly those.
 */
export function checkedLookup(policy: AddressPolicy, resolve: ResolveAll = resolveAll): LookupFunction {
  return (hostname, options, callback) => {
    resolve(bareHost(hostname), options, (error, addresses) => {
      if (error) return callback(error, '', 0);
      const mayCall = (address: string) => isCallable(address, policy) || isOwnName(hostname, address, policy);
      const [first] = addresses;
      if (first === undefined || !addresses.every(({ address }) => mayCall(address))) {
        return callback(new ForbiddenAddress('The name resolves to an address that may not be called.'), '', 0);
      }
      if (options.all) return callback(null, addresses);
      callback(null, first.address, first.family);
    });
  };
}

/**
 * Resolves a URL's host and refuses it if any of its addresses may not be called. A name that does not resolve is let
 * through: it is checked again at every call.
 * @throws DomainError validation_failed for `field`
 */
export async function ensureCallable(url: string, field: string, policy: AddressPolicy): Promise<void> {
  const fault = urlFault(url, policy) ?? (await resolvedFault(bareHost(new URL(url).hostname), policy));
  if (fault === null) return;
  throw validationError(field, 'format', FAULTS[fault], { reason: fault });
}

const FAULTS: Readonly<Record<AddressFault, string>> = {
  not_a_url: 'This is not a URL.',
  credentials: 'The URL must not contain a user name or password.',
  scheme: 'The URL must start with https://.',
  port: 'The port must be 443, or 1024 or above.',
  address: 'The URL must lead to a public address.',
};

/** A slow name server must not hold up the caller. */
const RESOLVE_WITHIN_MS = 2_000;

async function resolvedFault(host: string, policy: AddressPolicy): Promise<AddressFault | null> {
  if (isIP(host) !== 0) return null;
  const { promise, resolve } = Promise.withResolvers<AddressFault | null>();
  const timer = setTimeout(() => resolve(null), RESOLVE_WITHIN_MS);
  checkedLookup(policy)(host, { all: true }, (error) => resolve(error instanceof ForbiddenAddress ? 'address' : null));
  return promise.finally(() => clearTimeout(timer));
}

/** The host of a URL without the brackets of IPv6 and the dot of a complete name. */
function bareHost(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

/** This machine is called `localhost`; any other name that resolves to it is a trick. */
function isOwnName(hostname: string, address: string, { allowsLoopback }: AddressPolicy): boolean {
  return allowsLoopback && isLoopbackName(bareHost(hostname)) && parsedAddress(address)?.range() === 'loopback';
}

function isLoopbackHost(host: string): boolean {
  return isIP(host) === 0 ? isLoopbackName(host) : parsedAddress(host)?.range() === 'loopback';
}

/** An IPv4 address wrapped in IPv6 is treated as IPv4. */
function parsedAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  return ipaddr.isValid(text) ? ipaddr.process(text) : null;
}

function isWithin(address: ipaddr.IPv4 | ipaddr.IPv6, network: string): boolean {
  const [base, bits] = ipaddr.parseCIDR(network);
  return base.kind() === address.kind() && address.match(base as never, bits);
}
