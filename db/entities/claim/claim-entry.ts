// One step in the history of a claim: who did what, and what it changed. Rows are append-only; the reserve rows are the
// reserve history.
import { defineEntity, p } from '@mikro-orm/core';
import type { FieldChanges } from '../../../domain/audit.ts';
import type { ClaimAction } from '../../../domain/claim/claim.ts';
import type { ActorRef } from '../../../domain/permissions.ts';
import { businessDate, code, createdAtColumn, idColumn, json, orgIdColumn } from '../../columns.ts';

/** What an entry records; `recheck` follows a policy change, `deadline` one of the clocks. */
export type ClaimEntryAction =
  | ClaimAction
  | 'file'
  | 'recheck'
  | 'deadline'
  | 'status_letter'
  | 'hold_payee'
  | 'clear_payee';

const ClaimEntrySchema = defineEntity({
  name: 'ClaimEntry',
  tableName: 'claim_entries',
  properties: {
    id: idColumn('claimEntry'),
    orgId: orgIdColumn(),
    claimId: p.text(),
    /** Counts the entries of the claim from 1. */
    sequence: p.integer(),
    action: code<ClaimEntryAction>(),
    actor: json<ActorRef>(),
    /** The business date. */
    happenedOn: businessDate(),
    /** Amounts in cents. */
    changes: json<FieldChanges>(),
    noteId: p.text().strictNullable(),
    createdAt: createdAtColumn(),
  },
});

export class ClaimEntry extends ClaimEntrySchema.class {}
ClaimEntrySchema.setClass(ClaimEntry);
