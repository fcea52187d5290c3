// Signing envelopes: their workflow's updates, its input, and what it knows of the row. Signers and void reasons stay
// in the row.
import { defineUpdate } from '@temporalio/workflow';
import type { BusinessDate } from '../domain/dates.ts';
import type { EnvelopeStatus } from '../domain/signing/envelope.ts';
import type { Command } from './machinery/command.ts';
import type { Standing } from './standing.ts';

export interface SigningEnvelopeInput {
  orgId: string;
  envelopeId: string;
  /** Set by continue-as-new only. */
  standing?: Omit<Standing, 'recentCommandIds'>;
  /** Replaces the default pauses after a failed step. */
  backOff?: { firstMs: number; longestMs: number };
}

export interface EnvelopeOutcome {
  envelopeId: string;
  status: EnvelopeStatus;
}

/** What decides on the next step. */
export interface EnvelopeStanding {
  status: EnvelopeStatus;
  expiresOn: BusinessDate;
  /** The next reminder, or expiration; null once the status is final. */
  nextStepOn: BusinessDate | null;
  hasSignedFile: boolean;
  clockOffsetDays: number;
}

export const sendEnvelopeUpdate = defineUpdate<EnvelopeOutcome, [Command]>('send');

export const voidEnvelopeUpdate = defineUpdate<EnvelopeOutcome, [Command]>('void');
