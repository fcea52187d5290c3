// Who decides: a decision is recorded under a name that identifies a person.

/** Shared accounts, or accounts that a container runs as. */
const NOBODY_IN_PARTICULAR = new Set(['root', 'node', 'nobody', 'app', 'bindery', 'docker', 'ubuntu', 'admin']);
const NAME = /^[\w.@+-][\w.@+ -]{0,99}$/;

/**
 * Validates an operator's name.
 * @throws Error if it does not identify a person
 */
export function operatorOf(given: string): string {
  const name = given.trim();
  if (NAME.test(name) && !NOBODY_IN_PARTICULAR.has(name.toLowerCase())) return name;
  throw new Error(
    `${JSON.stringify(name)} does not say who decides: give your name with --operator or in the variable OPERATOR.`,
  );
}
