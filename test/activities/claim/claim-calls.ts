// What activity tests do to claims: a policy in force, a claim filed on it, the texts that a step refers to.
import { ApplicationFailure } from '@temporalio/common';
import { newId } from '../../../db/ids.ts';
import { keepNote, keepParticulars, keepPayee } from '../../../db/queries/claim/claim-words.ts';
import type { SubmissionValues } from '../../../domain/submission/submission.ts';
import type { Steps } from '../steps.ts';

/** Binds a policy effective today. */
export async function bound(
  { activities, command, quoted, today }: Steps,
  deductibleCents: number,
  changes: Partial<SubmissionValues> = {},
): Promise<string> {
  const submissionId = await quoted({ effectiveDate: today, deductibleCents, ...changes });
  const bind = { installmentPlan: 'PAY_IN_FULL', quoteId: null } as const;
  return (await activities.bindPolicy(command(submissionId, bind))).policyId;
}

/** Stores the particulars of a loss. */
export function kept({ database, orgId }: Steps, claimId: string, cause: string): Promise<void> {
  const nothingElse = { reportedBy: null, lossLocation: null, claimantName: null, claimantEmail: null };
  return database.transaction(orgId, (em) =>
    keepParticulars(em, { claimId, description: 'A loss.', cause, ...nothingElse, claimantPhone: null }),
  );
}

/** Files a claim for a loss that happened today. */
export async function filed(steps: Steps, policyId: string, cause: string): Promise<string> {
  const { activities, command, today } = steps;
  const claimId = newId('claim');
  await kept(steps, claimId, cause);
  const notice = { policyId, lossDate: today, estimatedAmountCents: null, containsPhi: false };
  await activities.fileClaim(command(claimId, notice));
  return claimId;
}

/** Stores the payee of a settlement or payment. */
export async function paidTo(
  { database, orgId }: Steps,
  claimId: string,
  kind: 'settlement' | 'claimPayment',
  name = 'Ada Guest',
) {
  const id = newId(kind);
  await database.transaction(orgId, (em) => keepPayee(em, { id, claimId, name }));
  return id;
}

/** Stores a reason. */
export async function noted({ database, orgId }: Steps, claimId: string, text: string): Promise<string> {
  const id = newId('claimNote');
  await database.transaction(orgId, (em) => keepNote(em, { id, claimId, text }));
  return id;
}

/** Runs a step; returns the code of its refusal, or null. */
export async function refusalOf(step: () => Promise<unknown>): Promise<string | null> {
  try {
    await step();
    return null;
  } catch (error) {
    if (error instanceof ApplicationFailure && error.nonRetryable) return error.type ?? '';
    throw error;
  }
}
