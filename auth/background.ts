// Work that no caller waits for but that still finishes before the process ends.
import type { Logger } from 'pino';

export interface Background {
  run: (what: string, work: () => Promise<unknown>) => void;
  /** Waits for the running work, at most `graceMs`. */
  finish: (graceMs: number) => Promise<void>;
}

/** Builds the list of running work. A failure is logged, since no caller waits for it. */
export function createBackground(logger: Logger): Background {
  const underWay = new Set<Promise<void>>();
  return {
    run: (what, work) => {
      const done = Promise.resolve()
        .then(work)
        .then(
          () => {},
          (error: unknown) => logger.error({ err: error, what }, 'work in the background failed'),
        )
        .finally(() => underWay.delete(done));
      underWay.add(done);
    },
    finish: async (graceMs) => {
      let cut: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        cut = setTimeout(resolve, graceMs);
      });
      await Promise.race([Promise.all(underWay), late]);
      clearTimeout(cut);
    },
  };
}
