/** The workflow of a term: started after its rows, which nobody waits for, and woken when another step changed them. */
import type { Command, EntityRef, Repeatable } from '../../contracts/machinery/command.ts';
import type { PolicyOutcome } from '../../contracts/policy.ts';
import type { Deps } from '../context.ts';

/**
 * Wraps a command that binds or renews; its term is null where it did neither. A repeated command asks for the workflow
 * again, so an attempt that was cut off
 * after its commit leaves no term without one.
 */
export function startingTerm<P, R extends object>(
  deps: Deps,
  termOf: (outcome: R) => PolicyOutcome | null,
  run: (command: Command<P>) => Promise<Repeatable<R>>,
) {
  return async (command: Command<P>): Promise<Repeatable<R>> => {
    const outcome = await run(command);
    const term = termOf(outcome);
    if (term !== null) deps.engine.startTerm(command.orgId, term);
    return outcome;
  };
}

/** Has the workflow of a term read its row, also while it sleeps: a signal would not wake it. */
export const wakeTerm =
  (deps: Deps) =>
  async ({ orgId, entityId, clockOffsetDays }: EntityRef & { clockOffsetDays: number }): Promise<void> => {
    await deps.engine.advanceClock({ kind: 'policy', orgId, id: entityId }, clockOffsetDays);
  };
