// Who decides: a decision is kept under a name that leads to a person.

/** Accounts that many share, or that a container runs as. */
const NOBODY_IN_PARTICULAR = new Set(['root', 'node', 'nobody', 'app', 'bindery', 'docker', 'ubuntu', 'admin']);
const NAME = /^[\w.@+-][\w.@+ -]{0,99}$/;

/**
 * Takes the name of an operator.
 * @throws Error where it leads to no person
 */
export function operatorOf(given: string): string {
  const name = given.trim();
  if (NAME.test(name) && !NOBODY_IN_PARTICULAR.has(name.toLowerCase())) return name;
  throw new Error(
    `${JSON.stringify(name)} does not say who decides: give your name with --operator or in the variable OPERATOR.`,
  );
}
