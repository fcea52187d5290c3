/** Referrals that end without a decision, because something else has happened to their submission or policy. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { Referral } from '../../db/entities/authority/referral.ts';
import { changeRow } from '../../db/plain-table.ts';
import { openReferralOf } from '../../db/queries/authority/referrals.ts';
import { type AuditFact, writeAudit } from '../../db/queries/platform/audit.ts';
import { auditedChanges } from '../../domain/audit.ts';
import { nextReferralStatus } from '../../domain/authority/referral.ts';
import { auditOf, type Origin } from '../audit.ts';

/** Withdraws the referral of a submission that has changed or ended. */
export async function withdrawReferral(em: EntityManager, origin: Origin): Promise<void> {
  const referral = await openReferralOf(em, { submissionId: origin.entityId });
  if (referral !== null) writeAudit(em, withdraw(referral, origin));
}

/** Marks a referral as withdrawn. @returns the audit row to write */
export function withdraw(referral: Referral, origin: Origin): AuditFact {
  const fact = withdrawal(referral, origin);
  referral.status = nextReferralStatus(referral.status, 'withdraw');
  return fact;
}

/** Withdraws a referral in favor of a later one on the same subject, which its notes name. */
export function giveWayTo(laterId: string, referral: Referral, origin: Origin): AuditFact {
  referral.notes = `Replaced by a later request: ${laterId}.`;
  return withdraw(referral, origin);
}

/** Withdraws the referral given as a plain row, immediately, and records it. */
export async function withdrawPlain(em: EntityManager, row: Readonly<Referral>, origin: Origin): Promise<void> {
  writeAudit(em, withdrawal(row, origin));
  await changeRow(em, Referral, row, { status: nextReferralStatus(row.status, 'withdraw') });
}

function withdrawal({ id, status }: Readonly<Referral>, origin: Origin): AuditFact {
  const changes = auditedChanges({ status }, { status: nextReferralStatus(status, 'withdraw') });
  return auditOf({ ...origin, entityId: id }, 'referral:withdraw', 'referral', changes);
}
