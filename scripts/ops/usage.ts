// The commands of `npm run ops`, shown if none was given.
import { QUESTIONS } from './questions.ts';

export const USAGE = `npm run ops -- list
           -- retry <workflowId> [--operator <you>]
           -- retry --all [--org <organization>] [--operator <you>]
           -- skip <workflowId> --reason "why you skip it" [--operator <you>]
           -- heal [--org <organization>] [--dry-run]
           -- where <id or number>    the workflows of a policy, claim, invoice or other entity, and what they wait for
           -- tenant <organization>   where the data of an organization is
           -- rebuild-facts [--org <organization>]   build the sums of analytics again from the rows
           -- print-again [--org <organization>]     send again for the documents that could not be made
${Object.entries<{ answers: string; takes?: string }>(QUESTIONS)
  .map(([name, { answers, takes }]) => `           -- ${`${name}${takes ? ' <id>' : ''}`.padEnd(24)}${answers}`)
  .join('\n')}`;
