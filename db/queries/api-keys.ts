// API keys: findApiKeyByHash (before the organization is known), findApiKey, listApiKeys, touchApiKey.
import type { EntityManager } from '@mikro-orm/postgresql';
import { ApiKey } from '../entities/api-key.ts';
import { plainRow } from '../plain-row.ts';
import { type Page, type PageRequest, pageOf } from './pages.ts';

const TOUCH_EVERY_MS = 60_000;

/**
 * Finds a key of any organization by the SHA-256 of the whole key in hex, expired and revoked ones too, or null. The
 * only look past the walls between organizations that the services' role has; any scope will do.
 */
export async function findApiKeyByHash(em: EntityManager, hash: string): Promise<Readonly<ApiKey> | null> {
  const [row] = await em.execute<Record<string, unknown>[]>('select * from find_api_key(?)', [hash]);
  return row ? plainRow(em, ApiKey, row) : null;
}

/** Reads a key of the organization, or null. */
export function findApiKey(em: EntityManager, id: string): Promise<ApiKey | null> {
  return em.findOne(ApiKey, { id });
}

/**
 * Reads a page of keys, newest first, the revoked ones too.
 * @throws DomainError validation_failed for a bad cursor
 */
export function listApiKeys(em: EntityManager, page: PageRequest): Promise<Page<ApiKey>> {
  return pageOf(em, ApiKey, [], page);
}

/** Notes that a key was used, at most once a minute. */
export async function touchApiKey(
  em: EntityManager,
  key: Pick<ApiKey, 'id' | 'lastUsedAt'>,
  nowMs: number,
): Promise<void> {
  if (key.lastUsedAt && nowMs - key.lastUsedAt.getTime() < TOUCH_EVERY_MS) return;
  await em.nativeUpdate(ApiKey, { id: key.id }, { lastUsedAt: new Date(nowMs) });
}
