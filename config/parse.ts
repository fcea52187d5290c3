// Reads variables by a schema. A fault names its variable and never shows a value.
import type { z } from 'zod';

export type Variables = Readonly<Record<string, string | undefined>>;

/** The configuration cannot be used; the message has one line for each variable at fault and no values. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** @throws ConfigError naming each variable that is missing or malformed; an empty one counts as not set */
export function parse<Schema extends z.ZodType>(schema: Schema, variables: Variables): z.infer<Schema> {
  const present = Object.fromEntries(Object.entries(variables).filter(([, value]) => isSet(value)));
  const result = schema.safeParse(present);
  if (result.success) return result.data;
  const lines = result.error.issues.map((issue) => {
    const name = String(issue.path[0]);
    return `${name} ${name in present ? issue.message : 'is missing'}`;
  });
  throw new ConfigError(
    ['The configuration cannot be used (.env.example documents every variable):', ...lines].join('\n  '),
  );
}

/** An empty variable counts as not set. */
export function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '';
}
