// What the key-value store does in Valkey or Redis where one command would not be enough: a script runs as one command. A
// key is a hash of two fields: `json`, the value as it was written (a counter is a number, so a count is a value too), and
// `attempts`, how often it was read and counted. Scripts compare and count but write no JSON, whose numbers and empty lists they would not keep.

const PUT = `
redis.call('del', KEYS[1])
redis.call('hset', KEYS[1], 'json', ARGV[1])
redis.call('pexpire', KEYS[1], ARGV[2])
`;

const TAKE = `
local kept = redis.call('hmget', KEYS[1], 'json', 'attempts')
redis.call('del', KEYS[1])
return kept
`;

const TAKE_WITH_HASH = `
local kept = redis.call('hmget', KEYS[1], 'json', 'attempts')
local value = kept[1] and cjson.decode(kept[1])
if type(value) ~= 'table' or value.hash ~= ARGV[1] then return {false, false} end
redis.call('del', KEYS[1])
return kept
`;

const COUNT_ATTEMPT = `
local count = redis.call('hincrby', KEYS[1], 'json', 1)
if redis.call('pttl', KEYS[1]) < 0 then redis.call('pexpire', KEYS[1], ARGV[1]) end
return {count, redis.call('pttl', KEYS[1])}
`;

const COUNT_READING = `
if redis.call('exists', KEYS[1]) == 0 then return {false, false} end
redis.call('hincrby', KEYS[1], 'attempts', 1)
return redis.call('hmget', KEYS[1], 'json', 'attempts')
`;

const CLAIM = `
if redis.call('exists', KEYS[1]) == 1 then return redis.call('hmget', KEYS[1], 'json', 'attempts') end
redis.call('hset', KEYS[1], 'json', ARGV[1])
redis.call('pexpire', KEYS[1], ARGV[2])
return {false, false}
`;

const GIVE_BACK = `
local kept = redis.call('hmget', KEYS[1], 'json', 'attempts')
if kept[1] == ARGV[1] and not kept[2] then redis.call('del', KEYS[1]) end
`;

/** A value and how often it was counted, as the store answers them; nulls where there is no value. */
export type Kept = [json: string | null, attempts: string | null];

/** The scripts as methods of the client. Times are in milliseconds. */
export interface KvCommands {
  kvPut(key: string, json: string, lifetimeMs: number): Promise<null>;
  kvTake(key: string): Promise<Kept>;
  kvTakeWithHash(key: string, hash: string): Promise<Kept>;
  kvCountAttempt(key: string, windowMs: number): Promise<[count: number, leftMs: number]>;
  kvCountReading(key: string): Promise<Kept>;
  /** Answers what the key holds already; nulls when it is the caller's. */
  kvClaim(key: string, json: string, lifetimeMs: number): Promise<Kept>;
  kvGiveBack(key: string, json: string): Promise<null>;
}

/** The scripts by their names, for the client's option `scripts`. */
export const KV_SCRIPTS: Record<keyof KvCommands, { lua: string; numberOfKeys: number }> = {
  kvPut: { lua: PUT, numberOfKeys: 1 },
  kvTake: { lua: TAKE, numberOfKeys: 1 },
  kvTakeWithHash: { lua: TAKE_WITH_HASH, numberOfKeys: 1 },
  kvCountAttempt: { lua: COUNT_ATTEMPT, numberOfKeys: 1 },
  kvCountReading: { lua: COUNT_READING, numberOfKeys: 1 },
  kvClaim: { lua: CLAIM, numberOfKeys: 1 },
  kvGiveBack: { lua: GIVE_BACK, numberOfKeys: 1 },
};
