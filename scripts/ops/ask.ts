// Prints the answers to operators' questions about rows.
import type { SupervisorConfig } from '../../config.ts';
import { organizationIdFrom } from '../../domain/ids.ts';
import { connectForOperator } from './database.ts';
import { entitiesNamed } from './named.ts';
import { answer, QUESTIONS, type QuestionName, rowsOf } from './questions.ts';
import { tableOf } from './table.ts';

/** Prints the answer to a question. */
export async function ask(config: SupervisorConfig, name: QuestionName, id: string | undefined): Promise<void> {
  const database = await connectForOperator(config);
  try {
    const rows = await answer(database, name, id);
    for (const line of tableOf(rows, QUESTIONS[name].none)) console.log(line);
  } finally {
    await database.close();
  }
}

/** Names the entities that an id or a number is about. */
export async function named(config: SupervisorConfig, text: string): Promise<string[]> {
  const database = await connectForOperator(config);
  try {
    return await entitiesNamed(database, text);
  } finally {
    await database.close();
  }
}

/** Prints where an organization's data is. @throws Error for anything but an organization id */
export async function locateTenant(config: SupervisorConfig, text: string): Promise<void> {
  const orgId = organizationIdFrom(text);
  if (orgId === null) throw new Error(`"${text}" is no organization: write org_…`);
  const database = await connectForOperator(config);
  try {
    const rows = await rowsOf(database, orgId);
    for (const line of tableOf(rows, `There are no rows of ${orgId}.`)) console.log(line);
    console.log(`files: docs/${orgId}/… in the storage; workflows: OrgId = '${orgId}' in Temporal`);
    console.log('sessions and passwords of its users: in the schema auth, by person');
  } finally {
    await database.close();
  }
}
