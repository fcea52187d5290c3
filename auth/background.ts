// Work that nobody waits for, and that is finished all the same before the process ends.
import type { Logger } from 'pino';

export interface Background {
  run: (what: string, work: () => Promise<unknown>) => void;
  /** Waits for what is under way, at most `graceMs`. */
  finish: (graceMs: number) => Promise<void>;
}

/** Builds the list of what is under way. A failure is logged: there is nobody to tell. */
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
