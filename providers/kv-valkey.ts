// The key-value store in Valkey or Redis. Nothing here proceeds without the store: an uncertain call gets a 503,
// because an uncounted code can be guessed and an unmarked event is processed twice.
import { Redis } from 'iovalkey';
import type { Logger } from 'pino';
import { DomainError } from '../domain/errors.ts';
import type { Counted } from '../domain/platform/kv.ts';
import { KV_SCRIPTS, type KvCommands, type KvValue } from './kv-scripts.ts';
import type { KvStore } from './ports.ts';

/** How long a call waits for its response, and the first calls of a process for the connection. */
const COMMAND_TIMEOUT_MS = 1_000;
const CONNECT_TIMEOUT_MS = 2_000;
/** A connection whose answer is overdue is dropped, and a new one opened. */
const SILENCE_TIMEOUT_MS = 5_000;
const RECONNECT_MS = 500;
const RETRY_AFTER_SECONDS = 2;
/** Separates the values from the rate counters, which may share the store. */
const KEY_PREFIX = 'kv:';

/** Errors that the store returns while it cannot serve; any other error is a programming error. */
const NOT_NOW =
  /^(LOADING|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|NOREPLICAS|MISCONF|OOM|BUSY|UNKILLABLE|NOAUTH|WRONGPASS)\b/;

export interface ValkeyStoreOptions {
  /** `redis://`, `rediss://`, `valkey://` or `valkeys://`. */
  url: string;
  logger: Logger;
}

/** Builds the adapter and starts connecting. A store that was down is used again as soon as it is back. */
export function createValkeyStore({ url, logger }: ValkeyStoreOptions): KvStore {
  const client = connect(url, logger);
  const settled = firstAttempt(client);
  const call = async <T>(command: (client: Redis & KvCommands) => Promise<T>): Promise<T> => {
    await settled;
    try {
      return await command(client);
    } catch (error) {
      if (isMistake(error)) throw error;
      logger.warn(
        { reason: error instanceof Error ? error.message : String(error) },
        'the key-value store gave no answer',
      );
      throw away();
    }
  };
  return {
    put: async (key, value, seconds) => void (await call((kv) => kv.kvPut(key, JSON.stringify(value), ms(seconds)))),
    read: async (key) => readKept(await call((kv) => kv.hget(key, 'json'))),
    take: async (key) => readKept(await call((kv) => kv.kvTake(key))),
    takeWithHash: async (key, hash) => readKept(await call((kv) => kv.kvTakeWithHash(key, hash))),
    forget: async (key) => void (await call((kv) => kv.del(key))),
    countAttempt: async (key, seconds) => {
      const [count, leftMs] = await call((kv) => kv.kvCountAttempt(key, ms(seconds)));
      return { count, secondsLeft: secondsOf(leftMs) };
    },
    countWithin: async (limits) => {
      const keys = limits.map(({ key }) => key);
      const bounds = limits.flatMap(({ most, windowSeconds }) => [most, ms(windowSeconds)]);
      return readCounted(await call((kv) => kv.kvCountWithin(keys.length, ...keys, ...bounds)));
    },
    claim: async <T>(key: string, value: T, seconds: number) => {
      const held = readKept<T>(await call((kv) => kv.kvClaim(key, JSON.stringify(value), ms(seconds))));
      return held === null ? { claimed: true } : { claimed: false, held };
    },
    giveBack: async (key, value) => void (await call((kv) => kv.kvGiveBack(key, JSON.stringify(value)))),
    close: async () => client.disconnect(),
  };
}

/** Nothing is queued or sent twice: an unanswered call has failed, and must not run after its caller was notified. */
function connect(url: string, logger: Logger): Redis & KvCommands {
  const client = new Redis(url.replace(/^valkey/, 'redis'), {
    keyPrefix: KEY_PREFIX,
    scripts: KV_SCRIPTS,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    commandTimeout: COMMAND_TIMEOUT_MS,
    connectTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SILENCE_TIMEOUT_MS,
    retryStrategy: () => RECONNECT_MS,
  });
  let isAway = false;
  client.on('error', (error: Error) => {
    if (!isAway)
      logger.error({ reason: error.message }, 'the key-value store is unavailable: what needs it answers 503');
    isAway = true;
  });
  client.on('ready', () => {
    if (isAway) logger.info('the key-value store is back');
    isAway = false;
  });
  return client as Redis & KvCommands;
}

/** Settles when the first connection attempt is over, so that a process's first calls are not refused. */
function firstAttempt(client: Redis): Promise<void> {
  return new Promise((resolve) => {
    const over = () => {
      clearTimeout(bound);
      resolve();
    };
    const bound = setTimeout(over, COMMAND_TIMEOUT_MS);
    client.once('ready', over).once('close', over);
  });
}

function readKept<T>(json: KvValue): T | null {
  return json === null ? null : JSON.parse(json);
}

/** A single number is the time left of a reached limit; otherwise each count comes with its time. */
function readCounted(numbers: number[]): Counted {
  if (numbers.length === 1) return { isWithin: false, secondsLeft: secondsOf(numbers[0] ?? 0) };
  const counts = numbers.flatMap((count, i) =>
    i % 2 === 0 ? [{ count, secondsLeft: secondsOf(numbers[i + 1] ?? 0) }] : [],
  );
  return { isWithin: true, counts };
}

function isMistake(error: unknown): boolean {
  return error instanceof Error && error.name === 'ReplyError' && !NOT_NOW.test(error.message);
}

function away(): DomainError {
  return new DomainError('service_unavailable', 'The key-value store cannot be reached. Try again shortly.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}

function ms(seconds: number): number {
  return Math.round(seconds * 1_000);
}

function secondsOf(leftMs: number): number {
  return Math.max(1, Math.ceil(leftMs / 1_000));
}
