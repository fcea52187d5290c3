// Fills templates, which organizations and callers have written, in threads that are ended when one takes too much: a
// process that serves others never runs them itself. Docs: decisions/0125.
import { unreadableDocument } from '../../domain/document/content.ts';
import { type DomainError, validationError } from '../../domain/errors.ts';
import type { Typesetter } from '../ports.ts';
import { createThreadPool, ThreadFault, type ThreadLimits } from '../threads/pool.ts';
import type { TypesettingTask } from './tasks.ts';

/** A template is stopped after two seconds by itself; what goes on after that is ended with its thread. */
const DEFAULT_LIMITS: ThreadLimits = { threads: 2, waiting: 40, timeoutMs: 10_000, heapMb: 256, memoryMb: 512 };

const GIVEN_UP = {
  took_too_long: 'it does not come to its end',
  too_much_memory: 'it takes too much memory',
  damaged: 'it cannot be filled',
} as const;

/** Builds the typesetter. A thread starts with the first template. */
export function createTypesetter(changes: Partial<ThreadLimits> = {}): Typesetter {
  const pool = createThreadPool<TypesettingTask>({
    entry: new URL('./thread.ts', import.meta.url),
    limits: { ...DEFAULT_LIMITS, ...changes },
    busy: 'Too many templates are being filled.',
    survivesRefusals: true,
  });
  const done = (load: () => Promise<TypesettingTask>, refusal: (fault: ThreadFault) => DomainError) =>
    pool
      .run(async () => ({ task: await load() }))
      .catch((error: unknown) => {
        throw error instanceof ThreadFault ? refusal(error) : error;
      });
  const ofTemplate =
    (field: string) =>
    ({ reason }: ThreadFault) =>
      validationError(field, 'format', `The template cannot be used: ${GIVEN_UP[reason]}`);
  const ofForm = ({ reason }: ThreadFault) => unreadableDocument(reason);
  return {
    page: async (template, facts, field = 'html') =>
      (await done(async () => ({ kind: 'page', template, facts, field }), ofTemplate(field))) as string,
    names: async (template, field = 'html') =>
      (await done(async () => ({ kind: 'names', template, field }), ofTemplate(field))) as string[],
    checkForm: async (load, fields) =>
      (await done(async () => ({ kind: 'check_form', form: await load(), fields }), ofForm)) as string[],
    fillForm: async (load, fields, facts) =>
      (await done(async () => ({ kind: 'fill_form', form: await load(), fields, facts }), ofForm)) as Uint8Array,
    close: () => pool.close(),
  };
}
