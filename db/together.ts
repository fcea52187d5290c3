// Questions that come at the same time travel together: those that arrive while a statement is under way go with the
// next one. Nothing is remembered, so an answer is never older than its question.
import { inTime, withinDeadline } from './deadline.ts';

/** Bounds a statement that several callers wait for; each of them waits no longer than its own deadline. */
const BOUND_MS = 15_000;

interface Waiting<Question, Answer> {
  question: Question;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

/**
 * Makes a question for one caller out of `ask`, which answers many in their order. When it fails, everybody in the
 * batch fails with it.
 */
export function together<Question, Answer>(
  ask: (questions: readonly Question[]) => Promise<readonly Answer[]>,
): (question: Question) => Promise<Answer> {
  let next: Waiting<Question, Answer>[] = [];
  let isUnderWay = false;
  const run = async () => {
    isUnderWay = true;
    while (next.length > 0) {
      const batch = next;
      next = [];
      try {
        const answers = await withinDeadline(BOUND_MS, () => ask(batch.map(({ question }) => question)));
        for (const [i, { resolve }] of batch.entries()) resolve(answers[i] as Answer);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    isUnderWay = false;
  };
  return (question) => {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    next.push({ question, resolve, reject });
    if (!isUnderWay) void run();
    return inTime(promise);
  };
}
