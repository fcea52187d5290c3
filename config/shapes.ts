// The shapes that the values of environment variables have. Each describes the fault briefly and never shows a value.
import { z } from 'zod';
import { PORTALS } from '../domain/access/portals.ts';

const MINIMUM_SECRET_BYTES = 32;
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

export const port = () => wholeNumber(65_535, 'must be a port number, from 1 to 65535');
/** A port, or 0 for any that is free. */
export const portOrAny = () => z.literal('0').transform(Number).or(port());
export const count = (most: number) => wholeNumber(most, `must be a whole number from 1 to ${most}`);
export const flag = () => z.stringbool({ error: 'must be true or false' });
export const webUrl = () => z.url({ protocol: /^https?$/, error: 'must be an http or https address' });
export const databaseUrl = () => z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// address' });
export const kvUrl = () =>
  z.url({ protocol: /^(redis|rediss|valkey|valkeys)$/, error: 'must be a redis:// or rediss:// address' });
export const address = () => z.string().regex(/^[^\s:/]+:\d{1,5}$/, 'must be host:port');
export const text = () => z.string().min(1);
export const smtpUrl = () => z.url({ protocol: /^smtps?$/, error: 'must be an smtp:// or smtps:// address' });
/** A key or secret that a provider has given us: how long it is, the provider decides. */
export const key = () => z.string().regex(/^\S{8,}$/, 'must have at least 8 characters and no blanks');
/** A key goes along with every call, so it must not cross a network in the open. */
export const confidentialOrigin = () =>
  z.string().refine(isConfidentialOrigin, 'must be an https address without a path, or one of this machine');
/** A signing key or bearer secret of ours. */
export const secret = () =>
  z
    .string()
    .refine(
      (value) => Buffer.byteLength(value) >= MINIMUM_SECRET_BYTES,
      `must have at least ${MINIMUM_SECRET_BYTES} bytes`,
    );
export const portalOrigins = () =>
  z
    .string()
    .transform((text) => text.split(',').map((entry) => entry.trim().split('=')))
    .refine((entries) => entries.every(isPortalOrigin), 'must be portal=origin, separated by commas')
    .transform((entries) => new Map(entries.map(([name, origin]) => [name ?? '', origin ?? ''])));
export const corsOrigins = () =>
  z
    .string()
    .transform((text) => text.split(',').map((entry) => entry.trim()))
    .refine((origins) => origins.every(isPageOrigin), 'must be https origins, separated by commas');

/**
 * Marks a variable that grants access: a secret, or the address of a database. A process that holds one it should not
 * have does not start (config/processes.ts).
 */
export function confidential<Schema extends z.ZodType>(schema: Schema): Schema {
  return schema.meta({ ...schema.meta(), confidential: true });
}

/** Says whether a variable is marked. */
export function isConfidential(schema: z.ZodType): boolean {
  return schema.meta()?.confidential === true;
}

/** Whether what is sent to an http address stays between us and it. */
export function isEncryptedOrLocal(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname));
}

function isConfidentialOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).pathname === '/' && isEncryptedOrLocal(text);
}

function wholeNumber(most: number, fault: string) {
  return z.coerce.number(fault).int(fault).min(1, fault).max(most, fault);
}

/** `portal=origin` with a portal that exists and an origin written as browsers write it. */
function isPortalOrigin([name, origin, ...rest]: string[]): boolean {
  if (rest.length > 0 || !origin || !PORTALS.some((portal) => portal.name === name)) return false;
  return /^https?:/.test(origin) && URL.canParse(origin) && new URL(origin).origin === origin;
}

/** An https origin written as browsers write it; without TLS, of this machine alone. */
function isPageOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { origin, protocol, hostname } = new URL(text);
  return origin === text && (protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname)));
}
