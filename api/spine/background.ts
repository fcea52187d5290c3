// Work that no caller waits for: faults are logged, and a stop waits for it to finish.
import type { Logger } from 'pino';

export class Background {
  readonly #logger: Logger;
  readonly #running = new Set<Promise<void>>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  add(what: string, work: Promise<unknown>): void {
    const guarded: Promise<void> = work
      .then(
        () => undefined,
        (error: unknown) => this.#logger.warn({ err: error }, `${what} failed`),
      )
      .then(() => {
        this.#running.delete(guarded);
      });
    this.#running.add(guarded);
  }

  async end(): Promise<void> {
    await Promise.all(this.#running);
  }
}
