// Queries on API keys, including the one lookup by hash that works in any scope.
import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import type { MakerStanding } from '../../../domain/access/key-makers.ts';
import { ID_PREFIXES, isId } from '../../../domain/ids.ts';
import { ApiKey } from '../../entities/access/api-key.ts';
import { User } from '../../entities/access/user.ts';
import { plainRow } from '../../plain-row.ts';
import { preparedRows } from '../../prepared.ts';
import { type Page, type PageRequest, pageOf } from '../pages.ts';

const TOUCH_EVERY_MS = 60_000;

/** A key with the current standing of its maker; no standing for a maker who is not a stored user. */
export interface KeyInUse {
  key: Readonly<ApiKey>;
  maker: MakerStanding[];
}

const KEYS_BY_HASH = {
  name: 'keys by hash',
  text: `select k.*, (
      select coalesce(json_agg(json_build_object('orgId', m.org_id, 'role', m.role, 'active', m.active)), '[]')
      from auth.maker_standings(array[k.created_by]) m
    ) as maker
    from unnest($1::text[]) wanted cross join lateral find_api_key(wanted) k`,
};

/**
 * Finds any organization's keys by the SHA-256 of the whole key in hex, including expired and revoked ones; in the
 * order of the hashes, null for an unknown one. The services' role has no other lookup across organizations, so it runs
 * in ANY_SCOPE.
 */
export async function findApiKeysByHash(em: EntityManager, hashes: readonly string[]): Promise<(KeyInUse | null)[]> {
  const rows = await preparedRows<{ hash: string; maker: MakerStanding[] }>(em, KEYS_BY_HASH, [hashes]);
  const found = new Map(rows.map(({ maker, ...row }) => [row.hash, { key: plainRow(em, ApiKey, row), maker }]));
  return hashes.map((hash) => found.get(hash) ?? null);
}

/** Reads a key of the organization, or null. */
export function findApiKey(em: EntityManager, id: string): Promise<ApiKey | null> {
  return em.findOne(ApiKey, { id });
}

/** The same, locked until the transaction ends. */
export function lockApiKey(em: EntityManager, id: string): Promise<ApiKey | null> {
  return em.findOne(ApiKey, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
}

/** Reads a page of keys, newest first, revoked ones included. @throws DomainError validation_failed for a bad cursor */
export function listApiKeys(em: EntityManager, page: PageRequest): Promise<Page<ApiKey>> {
  return pageOf(em, ApiKey, [], page);
}

/** Reads the keys a user made in the organization that are neither revoked nor expired, oldest first. */
export function liveKeysOf(em: EntityManager, userId: string, nowMs: number): Promise<ApiKey[]> {
  const alive = { revokedAt: null, $or: [{ expiresAt: null }, { expiresAt: { $gt: new Date(nowMs) } }] };
  return em.find(ApiKey, { createdBy: userId, ...alive }, { orderBy: { id: 'asc' } });
}

/** Reads the keys a user made in the organization that are not revoked, and locks them until the transaction ends. */
export function lockKeysOf(
  em: EntityManager,
  userId: string,
  through: Partial<Pick<ApiKey, 'throughOperator'>> = {},
): Promise<ApiKey[]> {
  const made = { createdBy: userId, ...through, revokedAt: null };
  return em.find(ApiKey, made, { orderBy: { id: 'asc' }, lockMode: LockMode.PESSIMISTIC_WRITE });
}

/** Reads the current standing of key makers, in any organization. A maker who is not a stored user is left out. */
export async function makerStandings(
  em: EntityManager,
  makers: readonly string[],
): Promise<ReadonlyMap<string, MakerStanding[]>> {
  const users = [...new Set(makers)].filter((maker) => isId(maker, ID_PREFIXES.user));
  if (users.length === 0) return new Map();
  const rows = await em.execute<(MakerStanding & { userId: string })[]>(
    'select user_id as "userId", org_id as "orgId", role, active from auth.maker_standings(?)',
    [`{${users.join(',')}}`],
  );
  return Map.groupBy(rows, ({ userId }) => userId);
}

/**
 * Reads the current standing of a new key's maker. It holds until the transaction ends: a concurrent deactivation or
 * role change either sees the key or comes first.
 */
export async function holdMaker(em: EntityManager, maker: string): Promise<MakerStanding[]> {
  await em.findOne(User, { id: maker }, { lockMode: LockMode.PESSIMISTIC_READ });
  return (await makerStandings(em, [maker])).get(maker) ?? [];
}

/** Whether the use of a key is to be recorded: at most once a minute. */
export function isTouchDue({ lastUsedAt }: Pick<ApiKey, 'lastUsedAt'>, nowMs: number): boolean {
  return lastUsedAt === null || nowMs - lastUsedAt.getTime() >= TOUCH_EVERY_MS;
}

/** Records that a key was used. */
export async function touchApiKey(em: EntityManager, key: Pick<ApiKey, 'id'>, nowMs: number): Promise<void> {
  await em.nativeUpdate(ApiKey, { id: key.id }, { lastUsedAt: new Date(nowMs) });
}
