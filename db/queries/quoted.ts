// Words of our own within a statement, as the list of an `in`. What comes from outside is a parameter.

export const quoted = (words: readonly string[]) => words.map((word) => `'${word}'`).join(', ');
