/** A term's workflow: started after its rows, with no one waiting, and woken when another step has changed them. */
import type { Command, EntityRef, Repeatable } from '../../contracts/machinery/command.ts';
import type { PolicyOutcome } from '../../contracts/policy.ts';
import type { Deps } from '../context.ts';

/**
 * Wraps a command that binds or renews; its term is null if it did neither. A repeated command starts the workflow
 * again, so an attempt cut off after its commit leaves no term without one.
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

/** Makes a term's workflow read its row, even while it sleeps: a signal would not wake it. */
export const wakeTerm =
  (deps: Deps) =>
  async ({ orgId, entityId, clockOffsetDays }: EntityRef & { clockOffsetDays: number }): Promise<void> => {
    await deps.engine.advanceClock({ kind: 'policy', orgId, id: entityId }, clockOffsetDays);
  };
