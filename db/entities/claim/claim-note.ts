// A reason or a note that somebody wrote on a claim: written once by the api, before the step that names it, so that it
// passes through no workflow.
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
