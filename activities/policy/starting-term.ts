/** A command that adds a term: its rows come first, then its workflow, which nobody waits for. */
import type { Command, Repeatable } from '../../contracts/command.ts';
import type { PolicyOutcome } from '../../contracts/policy.ts';
import type { Deps } from '../context.ts';

/**
 * Wraps a command that binds or renews. A repeated command asks for the workflow again, so an attempt that was cut off
 * after its commit leaves no term without one.
 */
export function startingTerm<P, R extends object>(
  deps: Deps,
  termOf: (outcome: R) => PolicyOutcome,
  run: (command: Command<P>) => Promise<Repeatable<R>>,
) {
  return async (command: Command<P>): Promise<Repeatable<R>> => {
    const outcome = await run(command);
    deps.engine.startTerm(command.orgId, termOf(outcome));
    return outcome;
  };
}
