// Our own words in a statement, as the list of an `in`. Anything from outside is a parameter.

export const quoted = (words: readonly string[]) => words.map((word) => `'${word}'`).join(', ');
