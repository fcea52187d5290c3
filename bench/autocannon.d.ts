// The part of `autocannon` that the benchmarks use; the package brings no types.
declare module 'autocannon' {
  interface Options {
    url: string;
    connections: number;
    /** Seconds. */
    duration?: number;
    /** How many requests, in place of a duration. */
    amount?: number;
    /** Requests a second of all connections together; left out, as many as are answered. */
    overallRate?: number;
    requests: readonly { method: 'GET'; headers: Record<string, string> }[];
  }

  interface Result {
    non2xx: number;
    errors: number;
    /** Seconds. */
    duration: number;
    requests: { total: number };
  }

  interface Run extends PromiseLike<Result> {
    on(
      event: 'response',
      listener: (client: unknown, statusCode: number, bytes: number, responseTimeMs: number) => void,
    ): this;
  }

  function autocannon(options: Options): Run;
  export = autocannon;
}
