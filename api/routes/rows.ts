// How handlers check a row before and after the step they start.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Submission } from '../../db/entities/submission/submission.ts';
import { commandResult } from '../../db/queries/platform/commands.ts';
import { DomainError } from '../../domain/errors.ts';
import { isOpen } from '../../domain/submission/submission.ts';
import type { CommandBuilder, OrganizationDatabase } from '../spine/route.ts';
import { notFound } from '../spine/validation.ts';

/** Returns a row that this call has just found or written. @throws DomainError not_found if it is gone */
export function present<Row>(row: Row | null): Row {
  if (row === null) throw notFound();
  return row;
}

/**
 * Rejects what an ended submission does not allow, without waking its workflow. A command carried out before the end is
 * let through: repeated under its key, it gets its stored outcome. `refuse` is the rule that throws.
 */
export async function ensureOpen(
  submission: Submission,
  { db, command }: { db: OrganizationDatabase; command: CommandBuilder },
  refuse: () => unknown,
): Promise<void> {
  if (isOpen(submission.status)) return;
  if ((await db.read((em) => commandResult(em, command.commandId))) === null) refuse();
}

/**
 * Applies the rule `check`, which throws, without waking a workflow. A command that was already carried out is let
 * through: repeated under its key, it gets its stored outcome.
 */
export function ensureBeforeCommand(
  { db, command }: { db: OrganizationDatabase; command: CommandBuilder },
  check: (em: EntityManager) => unknown,
): Promise<void> {
  return db.read(async (em) => {
    try {
      await check(em);
    } catch (error) {
      const isRefusal = error instanceof DomainError;
      if (!isRefusal || (await commandResult(em, command.commandId)) === null) throw error;
    }
  });
}
