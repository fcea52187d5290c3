// A reason or note on a claim: the api writes it once, before the step that names it, so that it never passes through a
// workflow.
import { defineEntity, p } from '@mikro-orm/core';
import { createdAtColumn, idColumn, orgIdColumn } from '../../columns.ts';

const ClaimNoteSchema = defineEntity({
  name: 'ClaimNote',
  tableName: 'claim_notes',
  properties: {
    id: idColumn('claimNote'),
    orgId: orgIdColumn(),
    claimId: p.text(),
    text: p.text(),
    createdAt: createdAtColumn(),
  },
});

export class ClaimNote extends ClaimNoteSchema.class {}
ClaimNoteSchema.setClass(ClaimNote);
