// Fills templates written by organizations and callers in threads that are ended if one takes too much: a process
// that serves others never runs them itself. Docs: decisions/0125.
import { DOCUMENTS_OF_ORGANIZATION_TOGETHER } from '../../domain/limits.ts';
import type { Typesetter } from '../ports.ts';
import { createThreadPool, type ThreadLimits } from '../threads/pool.ts';
import type { TypesettingTask } from './tasks.ts';

/**
 * The template engine stops after two seconds; whatever runs on beyond the timeout is ended with its thread. One
 * organization's callers cannot fill every thread, and the pods have room for all of them (deploy/kubernetes).
 */
export const TYPESETTING_LIMITS: ThreadLimits = {
  ...{ threads: DOCUMENTS_OF_ORGANIZATION_TOGETHER + 1, waiting: 40, timeoutMs: 10_000 },
  ...{ heapMb: 128, memoryMb: 256 },
};

export interface TypesetterOptions {
  limits?: Partial<ThreadLimits>;
  /** Milliseconds that the current caller will still wait: `remainingMs` of the database's deadline. */
  remainingMs?: () => number;
}

/** Builds the typesetter. A thread starts with the first template. */
export function createTypesetter({ limits = {}, ...waits }: TypesetterOptions = {}): Typesetter {
  const pool = createThreadPool<TypesettingTask>({
    entry: new URL('./thread.ts', import.meta.url),
    limits: { ...TYPESETTING_LIMITS, ...limits },
    busy: 'Too many templates are being filled.',
    // A bad template does its thread no harm; a bad file may.
    survivesRefusalOf: ({ kind }) => kind === 'page' || kind === 'try_page',
    ...waits,
  });
  const done = (load: () => Promise<TypesettingTask>) => pool.run(async () => ({ task: await load() }));
  return {
    page: async (template, facts, field = 'html') =>
      (await done(async () => ({ kind: 'page', template, facts, field }))) as string,
    tryPage: async (template, facts, field = 'html') =>
      (await done(async () => ({ kind: 'try_page', template, facts, field }))) as string,
    tryForm: async (load, fields, facts) =>
      void (await done(async () => ({ kind: 'try_form', form: await load(), fields, facts }))),
    fillForm: async (load, fields, facts) =>
      (await done(async () => ({ kind: 'fill_form', form: await load(), fields, facts }))) as Uint8Array,
    mark: async (pdf, word) => (await done(async () => ({ kind: 'mark', pdf, word }))) as Uint8Array,
    close: () => pool.close(),
  };
}
