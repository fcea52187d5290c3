// The rule that moves a resource from state to state: a table of allowed moves, and one refusal for all others.
// Spec 3.5, 7.2; Contract 1 `invalid_state_transition`.
import { DomainError } from './errors.ts';

/** From state → action → next state. An action that is absent is not allowed. */
export type TransitionTable<State extends string, Action extends string> = Readonly<
  Record<State, Readonly<Partial<Record<Action, State>>>>
>;

/** Lists the actions a state allows, in the order of the table. */
export function actionsFrom<State extends string, Action extends string>(
  table: TransitionTable<State, Action>,
  from: State,
): Action[] {
  return Object.keys(table[from]) as Action[];
}

/**
 * Returns the state that an action leads to. `resource` is the noun in the refusal, e.g. `submission`.
 * @throws DomainError invalid_state_transition with `{resource, from, action, allowed}`. Contract 1.
 */
export function nextState<State extends string, Action extends string>(
  table: TransitionTable<State, Action>,
  resource: string,
  from: State,
  action: Action,
): State {
  const next: State | undefined = isAllowed(table, from, action) ? table[from][action] : undefined;
  if (next !== undefined) return next;
  throw refusedMove(resource, from, action, actionsFrom(table, from));
}

/** Whether a state allows an action. */
export function isAllowed<State extends string, Action extends string>(
  table: TransitionTable<State, Action>,
  from: State,
  action: Action,
): boolean {
  return Object.hasOwn(table[from], action);
}

/** Makes the refusal of a move; `allowed` lists what the caller may do instead, `extra` other details. Contract 1. */
export function refusedMove(
  resource: string,
  from: string,
  action: string,
  allowed: readonly string[],
  extra: Record<string, unknown> = {},
): DomainError {
  return new DomainError(
    'invalid_state_transition',
    `"${action}" is not allowed: the ${resource} is ${from}.${allowed.length > 0 ? ' See details.allowed.' : ''}`,
    {
      resource,
      from,
      action,
      allowed: [...allowed],
      ...extra,
    },
  );
}
