// Operations in Valkey or Redis that need more than one command: a script runs as one. A key is a hash with the field
// `json`, which holds the value as written (a counter is a number, so a count is a value too). Scripts compare and
// count but write no JSON: they would alter its numbers and empty lists.

const PUT = `
redis.call('del', KEYS[1])
redis.call('hset', KEYS[1], 'json', ARGV[1])
redis.call('pexpire', KEYS[1], ARGV[2])
`;

const TAKE = `
local kept = redis.call('hget', KEYS[1], 'json')
redis.call('del', KEYS[1])
return kept
`;

const TAKE_WITH_HASH = `
local kept = redis.call('hget', KEYS[1], 'json')
local value = kept and cjson.decode(kept)
if type(value) ~= 'table' or value.hash ~= ARGV[1] then return false end
redis.call('del', KEYS[1])
return kept
`;

const COUNT = `
local function count(key, window)
  local counted = redis.call('hincrby', key, 'json', 1)
  if redis.call('pttl', key) < 0 then redis.call('pexpire', key, window) end
  return counted
end
`;

const COUNT_ATTEMPT = `${COUNT}
return {count(KEYS[1], ARGV[1]), redis.call('pttl', KEYS[1])}
`;

/**
 * Arguments: the limit and the window of each key. Returns the time left of a limit that was reached, or every count
 * and its time.
 */
const COUNT_WITHIN = `${COUNT}
for i, key in ipairs(KEYS) do
  local counted = tonumber(redis.call('hget', key, 'json') or '0')
  if counted >= tonumber(ARGV[2 * i - 1]) then return {redis.call('pttl', key)} end
end
local counts = {}
for i, key in ipairs(KEYS) do
  counts[2 * i - 1] = count(key, ARGV[2 * i])
  counts[2 * i] = redis.call('pttl', key)
end
return counts
`;

const CLAIM = `
local held = redis.call('hget', KEYS[1], 'json')
if held then return held end
redis.call('hset', KEYS[1], 'json', ARGV[1])
redis.call('pexpire', KEYS[1], ARGV[2])
return false
`;

const GIVE_BACK = `
if redis.call('hget', KEYS[1], 'json') == ARGV[1] then redis.call('del', KEYS[1]) end
`;

/** A value as the store returns it; null if there is none. */
export type KvValue = string | null;

/** The scripts as methods of the client. Times are in milliseconds. */
export interface KvCommands {
  kvPut(key: string, json: string, lifetimeMs: number): Promise<null>;
  kvTake(key: string): Promise<KvValue>;
  kvTakeWithHash(key: string, hash: string): Promise<KvValue>;
  kvCountAttempt(key: string, windowMs: number): Promise<[count: number, leftMs: number]>;
  /** Takes the number of keys, the keys, then the limit and the window of each. */
  kvCountWithin(keys: number, ...keysAndLimits: (string | number)[]): Promise<number[]>;
  /** Returns what the key already holds; null if the caller got it. */
  kvClaim(key: string, json: string, lifetimeMs: number): Promise<KvValue>;
  kvGiveBack(key: string, json: string): Promise<null>;
}

/** The scripts by their names, for the client's option `scripts`. */
export const KV_SCRIPTS: Record<keyof KvCommands, { lua: string; numberOfKeys?: number }> = {
  kvPut: { lua: PUT, numberOfKeys: 1 },
  kvTake: { lua: TAKE, numberOfKeys: 1 },
  kvTakeWithHash: { lua: TAKE_WITH_HASH, numberOfKeys: 1 },
  kvCountAttempt: { lua: COUNT_ATTEMPT, numberOfKeys: 1 },
  kvCountWithin: { lua: COUNT_WITHIN },
  kvClaim: { lua: CLAIM, numberOfKeys: 1 },
  kvGiveBack: { lua: GIVE_BACK, numberOfKeys: 1 },
};
