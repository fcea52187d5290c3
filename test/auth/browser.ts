// A browser as far as sign-in needs one: a cookie jar that honors Path, Max-Age and Secure, and no automatic
// redirects.
import { randomInt } from 'node:crypto';

export interface Page {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  body: any;
  /** Values of Set-Cookie. */
  setCookies: string[];
  location: string | null;
}

export interface Browser {
  get(address: string, headers?: Record<string, string>): Promise<Page>;
  post(address: string, body?: unknown, headers?: Record<string, string>): Promise<Page>;
  /** A cookie's value, still encoded, or undefined. */
  cookie(name: string): string | undefined;
  setCookie(name: string, value: string, path?: string): void;
  clear(): void;
}

interface Cookie {
  name: string;
  value: string;
  path: string;
}

/** Opens a browser with an empty jar and its own address; relative URLs are below `base`. */
export function openBrowser(base: string): Browser {
  const clientAddress = [10, randomInt(256), randomInt(256), randomInt(256)].join('.');
  const jar = new Map<string, Cookie>();
  const keep = (text: string) => {
    const [pair = '', ...attributes] = text.split(';').map((part) => part.trim());
    const [name = '', value = ''] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)];
    const of = (attribute: string) =>
      attributes.find((each) => each.toLowerCase().startsWith(`${attribute}=`))?.split('=')[1];
    const path = of('path') ?? '/';
    if (of('max-age') === '0') jar.delete(`${name};${path}`);
    else jar.set(`${name};${path}`, { name, value, path });
  };
  const request = async (method: string, address: string, body?: unknown, headers: Record<string, string> = {}) => {
    const url = new URL(address, base);
    const cookies = [...jar.values()]
      .filter(({ path }) => url.pathname === path || url.pathname.startsWith(`${path}/`))
      .map(({ name, value }) => `${name}=${value}`);
    const response = await fetch(url, {
      method,
      redirect: 'manual',
      headers: {
        'x-forwarded-for': clientAddress,
        ...(cookies.length > 0 ? { cookie: cookies.join('; ') } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const setCookies = response.headers.getSetCookie();
    for (const cookie of setCookies) keep(cookie);
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    const location = response.headers.get('location');
    return {
      status: response.status,
      headers: response.headers,
      body: isJson && text !== '' ? JSON.parse(text) : null,
      setCookies,
      location,
    };
  };
  return {
    get: (address, headers) => request('GET', address, undefined, headers),
    post: (address, body, headers) => request('POST', address, body, headers),
    cookie: (name) => [...jar.values()].find((cookie) => cookie.name === name)?.value,
    setCookie: (name, value, path = '/') => void jar.set(`${name};${path}`, { name, value, path }),
    clear: () => jar.clear(),
  };
}
