/** Commands on signing envelopes. Part of `lifecycle.ts`. */
import type { Command } from '../../contracts/machinery/command.ts';
import { signingEnvelopeTarget } from '../../contracts/machinery/targets.ts';
import { type EnvelopeOutcome, sendEnvelopeUpdate, voidEnvelopeUpdate } from '../../contracts/signing.ts';
import type { Gateway } from './gateway.ts';

/** `entityId` is the envelope's id; its row exists. */
export interface SigningLifecycle {
  /** Sends a document to its signers. @throws DomainError validation_failed if the provider refuses it */
  sendEnvelope(command: Command): Promise<EnvelopeOutcome>;
  /** Voids it. @throws DomainError invalid_state_transition */
  voidEnvelope(command: Command): Promise<EnvelopeOutcome>;
}

/** Builds the commands on a gateway. */
export function signingLifecycle(gateway: Gateway, deadlineMs: number): SigningLifecycle {
  return {
    sendEnvelope: (command) => gateway.start(targetOf(command), sendEnvelopeUpdate, command, deadlineMs),
    voidEnvelope: (command) => gateway.start(targetOf(command), voidEnvelopeUpdate, command, deadlineMs),
  };
}

function targetOf({ orgId, entityId }: Command<unknown>) {
  return signingEnvelopeTarget(orgId, entityId);
}
