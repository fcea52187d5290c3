// The credentials that the bench of GET calls with, and what the bare server is given to check them.
import { call, type Organization, type Setting } from './setting.ts';

/** Enough users, or keys, that none comes near the limit of requests a minute. */
const CALLERS = 40;

export type Headers = Record<string, string>;

export interface Credential {
  name: string;
  /** The check of the bare server. */
  check: 'jwt' | 'api-key' | 'machine';
  floorName: string;
  /** Least share of the bare server's throughput. */
  aim: number;
  /** What the bare server checks with. */
  secret: (setting: Setting) => string;
  /** The headers of each caller; one caller alone shares one limit of requests. */
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
