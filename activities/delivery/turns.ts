/** Runs a bounded number of jobs at the same time; the others wait in order of arrival. */
export class Turns {
  readonly #most: number;
  readonly #waiting: (() => void)[] = [];
  #taken = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Does the work in its turn. */
  async take<R>(work: () => Promise<R>): Promise<R> {
    if (this.#taken >= this.#most) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#taken += 1;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      // The place is handed on, so that no newcomer takes it.
      if (next === undefined) this.#taken -= 1;
      else next();
    }
  }
}
