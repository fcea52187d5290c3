/** Lets a bounded number of works go on at the same time; the others wait in the order in which they came. */
export class Turns {
  readonly #most: number;
  readonly #waiting: (() => void)[] = [];
  #taken = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Does the work when it is its turn. */
  async take<R>(work: () => Promise<R>): Promise<R> {
    if (this.#taken >= this.#most) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#taken += 1;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      // The place is handed on, so that nobody who comes in between takes it.
      if (next === undefined) this.#taken -= 1;
      else next();
    }
  }
}
