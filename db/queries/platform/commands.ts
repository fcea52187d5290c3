// The stored results of commands.

import type { EntityManager } from '@mikro-orm/postgresql';
import { Command } from '../../entities/platform/command.ts';
import { findById } from '../../entity-rows.ts';
import { addRow } from '../../new-rows.ts';

/** Reads the result of a command that was already carried out; otherwise null. */
export async function commandResult(em: EntityManager, id: string): Promise<unknown> {
  const command = await findById(em, Command, id);
  return command?.result ?? null;
}

/**
 * Stores a command's result in the transaction that carries it out. If another transaction has meanwhile stored one for
 * the same id, the flush fails with a unique violation and nothing of this one stays.
 */
export function saveCommand(em: EntityManager, id: string, kind: string, result: unknown): void {
  addRow(em, Command, { id, kind, result });
}
