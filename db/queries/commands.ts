// The kept results of commands: commandResult, saveCommand.

import type { EntityManager } from '@mikro-orm/postgresql';
import { Command } from '../entities/command.ts';
import { addRow } from '../new-rows.ts';

/** Reads the result of a command that was carried out before; null when it was not. */
export async function commandResult(em: EntityManager, id: string): Promise<unknown> {
  const command = await em.findOne(Command, { id });
  return command?.result ?? null;
}

/**
 * Adds the result of a command to the transaction that carries it out. When another transaction has kept a result for
 * the same id meanwhile, the flush fails with a unique violation and nothing of this one stays.
 */
export function saveCommand(em: EntityManager, id: string, kind: string, result: unknown): void {
  addRow(em, Command, { id, kind, result });
}
