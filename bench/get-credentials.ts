// The credentials that the GET bench calls with, and the secrets that the bare server checks them with.
import { call, type Organization, type Setting } from './setting.ts';

/** Enough users, or keys, that none comes near the rate limit per minute. */
const CALLERS = 40;

export type Headers = Record<string, string>;

export interface Credential {
  name: string;
  /** The check that the bare server makes. */
  check: 'jwt' | 'api-key' | 'machine';
  floorName: string;
  /** Minimum share of the bare server's throughput. */
  aim: number;
  /** What the bare server checks with. */
  secret: (setting: Setting) => string;
  /** Each caller's headers; with a single caller, all requests share one rate limit. */
  headers: (setting: Setting, organization: Organization) => Promise<Headers[]>;
}

export const CREDENTIALS: readonly Credential[] = [
  {
    name: 'a JWT',
    check: 'jwt',
    floorName: 'bare Koa + jose + pg',
    aim: 0.8,
    secret: ({ platform }) => platform.config.jwtSecret,
    headers: (_setting, organization) =>
      eachCaller(async (user) => ({ authorization: await organization.authorization(user) })),
  },
  {
    name: 'an API key',
    check: 'api-key',
    floorName: 'bare Koa + key by its hash + pg',
    aim: 0.7,
    secret: () => '',
    headers: async ({ http }, organization) => {
      const administrator = await organization.authorization();
      return eachCaller(async (program) => {
        const body = { name: `Bench ${program}`, scopes: ['policies:read'] };
        const { key } = await call(http, 'POST', '/v1/api-keys', administrator, 201, body);
        return { authorization: `Bearer ${key}` };
      });
    },
  },
  {
    name: 'the machine secret',
    check: 'machine',
    floorName: 'bare Koa + comparison + pg',
    aim: 0.7,
    secret: ({ platform }) => platform.config.apiSecret,
    headers: async ({ platform }, { id }) => [{ authorization: `Bearer ${platform.config.apiSecret}`, 'x-org-id': id }],
  },
];

function eachCaller(headersOf: (caller: number) => Promise<Headers>): Promise<Headers[]> {
  return Promise.all(Array.from({ length: CALLERS }, (_, caller) => headersOf(caller)));
}
