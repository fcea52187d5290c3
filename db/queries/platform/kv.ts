// The key-value store: values with an expiry, and windowed counters. Every function is one statement or transaction, so
// two concurrent processes get different answers. Belongs to no organization: use PLATFORM_SCOPE. Callers without a
// transaction use the port instead, db/kv-store.ts, which may be another store.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { AttemptCount, ClaimedKey, Counted, Limit } from '../../../domain/platform/kv.ts';

/** Sets a key's value, replacing any other. `value` is plain JSON. */
export async function putValue(em: EntityManager, key: string, value: unknown, lifetimeSeconds: number): Promise<void> {
  await em.execute(
    `insert into kv_entries (key, value, expires_at) values (?, ?::jsonb, now() + ? * interval '1 second')
      on conflict (key) do update set value = excluded.value, expires_at = excluded.expires_at, updated_at = now()`,
    [key, JSON.stringify(value), lifetimeSeconds],
  );
}

/** Returns a key's value, or null when there is none or it has expired. */
export async function readValue<T>(em: EntityManager, key: string): Promise<T | null> {
  const rows = await em.execute<{ value: T }[]>('select value from kv_entries where key = ? and expires_at > now()', [
    key,
  ]);
  return rows[0]?.value ?? null;
}

/** Returns a key's value and removes it: of several concurrent takers exactly one gets it. */
export async function takeValue<T>(em: EntityManager, key: string): Promise<T | null> {
  const rows = await em.execute<{ value: T; alive: boolean }[]>(
    'delete from kv_entries where key = ? returning value, expires_at > now() as alive',
    [key],
  );
  return rows[0]?.alive ? rows[0].value : null;
}

/** Removes a key. */
export async function forgetValue(em: EntityManager, key: string): Promise<void> {
  await em.execute('delete from kv_entries where key = ?', [key]);
}

/**
 * Increments a key's counter. The window begins with the first count; later ones do not extend it. Its end is rounded
 * to the millisecond, which must not add a second.
 */
export async function countAttempt(em: EntityManager, key: string, windowSeconds: number): Promise<AttemptCount> {
  const rows = await em.execute<{ count: number; seconds_left: number }[]>(
    `insert into kv_entries as kept (key, value, expires_at) values (?, '1'::jsonb, now() + ? * interval '1 second')
      on conflict (key) do update set
        value = case when kept.expires_at > now() then to_jsonb(kept.value::int + 1) else '1'::jsonb end,
        expires_at = case when kept.expires_at > now() then kept.expires_at else excluded.expires_at end,
        updated_at = now()
      returning value::int as count, ceil(extract(epoch from expires_at - now()) - 0.001)::int as seconds_left`,
    [key, windowSeconds],
  );
  const secondsLeft = rows[0]?.seconds_left ?? windowSeconds;
  // A transaction that began before the first count, and waited for it, would see more than the whole window left.
  return { count: rows[0]?.count ?? 1, secondsLeft: Math.min(windowSeconds, Math.max(1, secondsLeft)) };
}

/**
 * Counts one more for every limit, or for none if one of them is exceeded. The counters stay locked until all are
 * counted, so callers must name shared limits in the same order.
 */
export async function countWithin(em: EntityManager, limits: readonly Limit[]): Promise<Counted> {
  try {
    return await em.transactional(async (transaction) => {
      const counts: AttemptCount[] = [];
      for (const { key, most, windowSeconds } of limits) {
        const counted = await countAttempt(transaction, key, windowSeconds);
        if (counted.count > most) throw new LimitReached(counted.secondsLeft);
        counts.push(counted);
      }
      return { isWithin: true, counts };
    });
  } catch (error) {
    if (error instanceof LimitReached) return { isWithin: false, secondsLeft: error.secondsLeft };
    throw error;
  }
}

/** Rolls back a refused attempt's counts. */
class LimitReached extends Error {
  readonly secondsLeft: number;

  constructor(secondsLeft: number) {
    super('A limit is reached');
    this.secondsLeft = secondsLeft;
  }
}

/** Removes at most `most` expired entries. @returns the number removed */
export async function forgetExpired(em: EntityManager, most = 1_000): Promise<number> {
  const rows = await em.execute<unknown[]>(
    `delete from kv_entries where key in
      (select key from kv_entries where expires_at <= now() limit ? for update skip locked) returning 1`,
    [most],
  );
  return rows.length;
}

/** Removes a value whose field `hash` matches: of several concurrent callers exactly one gets true. */
export async function takeValueWithHash<T>(em: EntityManager, key: string, hash: string): Promise<T | null> {
  const rows = await em.execute<{ value: T }[]>(
    `delete from kv_entries where key = ? and value->>'hash' = ? and expires_at > now() returning value`,
    [key, hash],
  );
  return rows[0]?.value ?? null;
}

/** Sets a value if there is none: of several concurrent claimants exactly one succeeds. */
export async function claimValue<T>(
  em: EntityManager,
  key: string,
  value: T,
  lifetimeSeconds: number,
): Promise<ClaimedKey<T>> {
  const rows = await em.execute<{ claimed: boolean; value: T }[]>(
    `with claim as (
       insert into kv_entries as kept (key, value, expires_at) values (?, ?::jsonb, now() + ? * interval '1 second')
         on conflict (key) do update set value = excluded.value, expires_at = excluded.expires_at, updated_at = now()
           where kept.expires_at <= now()
         returning value)
     select true as claimed, value from claim
     union all
     select false, value from kv_entries where key = ? and expires_at > now() and not exists (select from claim)`,
    [key, JSON.stringify(value), lifetimeSeconds, key],
  );
  const [row] = rows;
  return row?.claimed ? { claimed: true } : { claimed: false, held: row?.value ?? null };
}

/** Removes a key that still holds this value. */
export async function giveBackValue(em: EntityManager, key: string, value: unknown): Promise<void> {
  await em.execute('delete from kv_entries where key = ? and value = ?::jsonb', [key, JSON.stringify(value)]);
}
