/**
 * A connection to Temporal that can be replaced under a client: a silently cut line swallows calls until its keep-alive
 * notices. Calls in progress on the old line finish there.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { type Connection, type ConnectionLike, isGrpcServiceError } from '@temporalio/client';

const PROBE_DEADLINE_MS = 1_500;
/** A busy server is late on every line, so do not keep reconnecting. */
const LEAST_AGE_MS = 5_000;
/** Longer than any call takes. */
const KEEP_REPLACED_MS = 60_000;
const DEADLINE_EXCEEDED = 4;

/** Two channels over one network connection. */
interface Channels {
  calls: Connection;
  /** Without retries: its result is current, and its failures cost milliseconds. */
  probe: Connection;
}

export class Line implements ConnectionLike {
  readonly plugins = [];
  readonly #open: (number: number) => Channels;
  /** The connection of the call in progress: only that connection knows its deadline. */
  readonly #inUse = new AsyncLocalStorage<Connection>();
  readonly #replaced = new Set<Channels>();
  #current: Channels;
  #opened = 1;
  #openedAtMs = performance.now();

  /** `open` must not share the network connection of another number. */
  constructor(open: (number: number) => Channels) {
    this.#open = open;
    this.#current = open(this.#opened);
  }

  get workflowService() {
    return this.#connection.workflowService;
  }

  get operatorService() {
    return this.#connection.operatorService;
  }

  ensureConnected(): Promise<void> {
    return this.#connection.ensureConnected();
  }

  withDeadline<R>(deadline: number | Date, work: () => Promise<R>): Promise<R> {
    return this.#staying((connection) => connection.withDeadline(deadline, work));
  }

  withMetadata<R>(metadata: Parameters<Connection['withMetadata']>[0], work: () => Promise<R>): Promise<R> {
    return this.#staying((connection) => connection.withMetadata(metadata, work));
  }

  withAbortSignal<R>(signal: AbortSignal, work: () => Promise<R>): Promise<R> {
    return this.#staying((connection) => connection.withAbortSignal(signal, work));
  }

  /** Pings the server; replaces a line that does not respond in time. */
  async probe(): Promise<'answered' | 'late' | 'refused'> {
    const { probe } = this.#current;
    try {
      await probe.withDeadline(Date.now() + PROBE_DEADLINE_MS, () => probe.workflowService.getSystemInfo({}));
      return 'answered';
    } catch (error) {
      if (!isGrpcServiceError(error) || error.code !== DEADLINE_EXCEEDED) return 'refused';
      this.#replace();
      return 'late';
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#current, ...this.#replaced].map(closeBoth));
  }

  get #connection(): Connection {
    return this.#inUse.getStore() ?? this.#current.calls;
  }

  #staying<R>(work: (connection: Connection) => Promise<R>): Promise<R> {
    const connection = this.#connection;
    return this.#inUse.run(connection, () => work(connection));
  }

  #replace(): void {
    if (performance.now() - this.#openedAtMs < LEAST_AGE_MS) return;
    const old = this.#current;
    this.#replaced.add(old);
    this.#opened += 1;
    this.#openedAtMs = performance.now();
    this.#current = this.#open(this.#opened);
    setTimeout(() => {
      this.#replaced.delete(old);
      void closeBoth(old);
    }, KEEP_REPLACED_MS).unref();
  }
}

async function closeBoth({ calls, probe }: Channels): Promise<void> {
  await Promise.all([calls.close(), probe.close()]);
}
