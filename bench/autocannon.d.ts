// The part of `autocannon` that the benchmarks use; the package brings no types.
declare module 'autocannon' {
  interface Options {
    url: string;
    connections: number;
    /** Seconds. */
    duration?: number;
    /** Number of requests, instead of a duration. */
    amount?: number;
    /** Requests per second over all connections; if omitted, as many as get answered. */
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
