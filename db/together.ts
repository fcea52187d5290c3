// Batches simultaneous questions: those that arrive while a statement is running go with the next one. Nothing is
// cached, so an answer is never older than its question.
import { inTime, withinDeadline } from './deadline.ts';

/** Limits a statement that several callers wait for; each waits no longer than its own deadline. */
const BOUND_MS = 15_000;

/** Keys whose questions are kept separate; dropping one costs nothing. */
const MAX_KEYS = 10_000;

interface Waiting<Question, Answer> {
  question: Question;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

/** How statements follow each other. */
export interface Pace {
  /** Maximum concurrent statements; one by default. */
  most?: number;
  /** Awaited before each statement to batch more questions; by default nothing. */
  gather?: () => Promise<unknown>;
}

/** Makes a single-caller question from `ask`, which answers many in order. If it fails, everyone in the batch fails. */
export function together<Question, Answer>(
  ask: (questions: readonly Question[]) => Promise<readonly Answer[]>,
  { most = 1, gather }: Pace = {},
): (question: Question) => Promise<Answer> {
  let next: Waiting<Question, Answer>[] = [];
  let underWay = 0;
  const run = async () => {
    underWay += 1;
    for (;;) {
      if (gather) await gather();
      if (next.length === 0) break;
      const batch = next;
      next = [];
      try {
        const answers = await withinDeadline(BOUND_MS, () => ask(batch.map(({ question }) => question)));
        for (const [i, { resolve }] of batch.entries()) resolve(answers[i] as Answer);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    underWay -= 1;
  };
  return (question) => {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    next.push({ question, resolve, reject });
    if (underWay < most) void run();
    return inTime(promise);
  };
}

/** Like `together`, but only batches questions with the same key, such as an organization. */
export function togetherBy<Question, Answer>(
  ask: (key: string, questions: readonly Question[]) => Promise<readonly Answer[]>,
  pace: Pace = {},
): (key: string, question: Question) => Promise<Answer> {
  const known = new Map<string, (question: Question) => Promise<Answer>>();
  return (key, question) => {
    const line = known.get(key) ?? together((questions) => ask(key, questions), pace);
    if (!known.has(key) && known.size >= MAX_KEYS) known.clear();
    known.set(key, line);
    return line(question);
  };
}
