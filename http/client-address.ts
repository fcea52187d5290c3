// What counts as one client, wherever clients are counted: rate limits, lock-outs, codes, refused credentials. An IPv4
// address is one client, however it is written. So is an IPv6 /64 network: its holder has all its addresses.
import { isIPv4, isIPv6 } from 'node:net';

/** Clients with an unreadable address are counted together. */
const UNREADABLE = 'unreadable';
const GROUPS = 8;
const NETWORK_GROUPS = 4;
const IPV4_MAPPED = '0:0:0:0:0:ffff';

/** An address arrives with every request, and parsing it is a fiftieth of a read's cost. */
const REMEMBERED = 1_000;
const clients = new Map<string, string>();

/** Returns the name under which an address is counted: `203.0.113.9`, or `2001:db8:0:1::/64`. */
export function clientOf(address: string): string {
  const known = clients.get(address);
  if (known !== undefined) return known;
  const client = clientAt(address);
  if (clients.size >= REMEMBERED) clients.clear();
  clients.set(address, client);
  return client;
}

function clientAt(address: string): string {
  const host = withoutPort(address.trim());
  if (isIPv4(host)) return host;
  // A zone only names an interface of this machine.
  const ip = host.split('%')[0] ?? '';
  if (!isIPv6(ip)) return UNREADABLE;
  const groups = groupsOf(ip);
  if (groups.slice(0, 6).join(':') === IPV4_MAPPED) return ipv4Of(groups);
  return `${groups.slice(0, NETWORK_GROUPS).join(':')}::/64`;
}

/** Some proxies add the port, which differs per connection. */
function withoutPort(address: string): string {
  return /^\[([^\]]+)\](?::\d+)?$/.exec(address)?.[1] ?? /^(\d+(?:\.\d+){3}):\d+$/.exec(address)?.[1] ?? address;
}

/**
 * The eight groups of an IPv6 address without leading zeros; an address has many spellings, the URL standard picks one.
 */
function groupsOf(ip: string): string[] {
  const [head = '', tail] = new URL(`http://[${ip}]`).hostname.slice(1, -1).split('::');
  const split = (text: string) => (text === '' ? [] : text.split(':'));
  if (tail === undefined) return split(head);
  const [before, after] = [split(head), split(tail)];
  return [...before, ...Array<string>(GROUPS - before.length - after.length).fill('0'), ...after];
}

function ipv4Of(groups: readonly string[]): string {
  const [high = 0, low = 0] = groups.slice(6).map((group) => Number.parseInt(group, 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}
