// A payee whose name is on a sanctions list: nothing is paid to them on the claim until the name is cleared. The name
// itself is in claim-payee.ts.
import { defineEntity, p } from '@mikro-orm/core';
import type { HoldStep } from '../../../domain/claim/payee-hold.ts';
import type { ActorRef } from '../../../domain/permissions.ts';
import type { SanctionsMatch } from '../../../domain/submission/sanctions.ts';
import { businessDate, code, createdAtColumn, idColumn, json, orgIdColumn, updatedAtColumn } from '../../columns.ts';

const ClaimPayeeHoldSchema = defineEntity({
  name: 'ClaimPayeeHold',
  tableName: 'claim_payee_holds',
  properties: {
    id: idColumn('payeeHold'),
    orgId: orgIdColumn(),
    claimId: p.text(),
    /** The payee id of the settlement or the payment. */
    payeeId: p.text(),
    /** The first step that was stopped. */
    step: code<HoldStep>(),
    /** The list entries with a similar name; a clearance covers these and no others. */
    matches: json<SanctionsMatch[]>(),
    heldOn: businessDate(),
    clearedBy: json<ActorRef>().strictNullable(),
    clearedOn: businessDate().strictNullable(),
    clearNoteId: p.text().strictNullable(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class ClaimPayeeHold extends ClaimPayeeHoldSchema.class {}
ClaimPayeeHoldSchema.setClass(ClaimPayeeHold);
