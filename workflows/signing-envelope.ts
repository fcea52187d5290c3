/**
 * A document at the e-signature provider, from sending it to the signed file. The provider's events change the row and
 * say so here; this workflow reminds, lets it expire, and fetches what was signed. The row is the truth. Spec 3.2.
 */
import { condition, log, proxyLocalActivities, setCurrentDetails, setHandler } from '@temporalio/workflow';
import type { Activities } from '../activities/create-activities.ts';
import { advanceClockUpdate, type ClockAdvanced } from '../contracts/clock.ts';
import { type Command, type EntityRef, rowChangedSignal } from '../contracts/machinery/command.ts';
import {
  type EnvelopeStanding,
  type SigningEnvelopeInput,
  sendEnvelopeUpdate,
  voidEnvelopeUpdate,
} from '../contracts/signing.ts';
import { isFinal } from '../domain/signing/envelope.ts';
import { serveBurst } from './machinery/burst.ts';
import { BusinessClock } from './machinery/business-clock.ts';
import { CommandQueue } from './machinery/command-queue.ts';
import { innerFailure, isStepFailure } from './machinery/failures.ts';
import { ONE_TRANSACTION, SIGNING } from './machinery/options.ts';
import { activitiesOn } from './machinery/queues.ts';

const { readEnvelope } = proxyLocalActivities<Activities>(ONE_TRANSACTION);
const { sendEnvelope, remindSigners, voidEnvelope, expireEnvelope, fetchSignedFile } = activitiesOn('outside', SIGNING);

/** After a step that the provider has refused, or has not answered. */
const TRY_AGAIN_AFTER = '5 minutes';
/** A day of attempts at the same step in one run. */
const ATTEMPTS = 288;

export async function signingEnvelopeWorkflow(of: SigningEnvelopeInput): Promise<void> {
  await new EnvelopeLife(of).live();
}

/** One writer: commands and due steps take turns. */
class EnvelopeLife {
  readonly #ref: EntityRef;
  readonly #commands = new CommandQueue();
  readonly #clock = new BusinessClock(0);
  /** Whether the row has not changed since it was read, as far as is known here. */
  #isRead = false;
  #failures = 0;

  constructor({ orgId, envelopeId }: SigningEnvelopeInput) {
    this.#ref = { orgId, entityId: envelopeId };
    const send = this.#carriedOut(() => sendEnvelope(this.#ref));
    setHandler(sendEnvelopeUpdate, send, { description: 'Sends the document to the signers.' });
    setHandler(voidEnvelopeUpdate, this.#carriedOut(voidEnvelope), { description: 'Calls the document back.' });
    setHandler(rowChangedSignal, () => this.#readAgain(), {
      description: 'Reads the row again after an event of the provider has changed it.',
    });
    setHandler(advanceClockUpdate, () => this.#commands.submit(null, () => this.#doAllThatIsDue()), {
      description: 'Adopts the business date of the organization and does everything that has fallen due.',
    });
  }

  async live(): Promise<void> {
    for (;;) {
      await this.#commands.drain();
      const now = await this.#read();
      if (isOver(now)) break;
      if (this.#isDue(now)) await this.#tryStep(now);
      else await this.#clock.until(now.nextStepOn ?? now.expiresOn, () => this.#isInterrupted(), 'reminder or expiry');
    }
    await serveBurst(this.#commands);
  }

  #carriedOut<R>(step: (command: Command) => Promise<R>) {
    return (command: Command) =>
      this.#commands.submit(command.commandId, () => {
        this.#readAgain();
        return step(command);
      });
  }

  #readAgain(): void {
    this.#isRead = false;
  }

  #isInterrupted(): boolean {
    return !this.#isRead || !this.#commands.isEmpty;
  }

  async #read(): Promise<EnvelopeStanding> {
    this.#isRead = true;
    const now = await readEnvelope(this.#ref);
    this.#clock.setOffset(now.clockOffsetDays);
    setCurrentDetails(`The envelope is **${now.status}**`);
    return now;
  }

  #isDue({ status, nextStepOn }: EnvelopeStanding): boolean {
    return nextStepOn === null || status === 'created' || this.#clock.hasReached(nextStepOn);
  }

  async #step({ status, expiresOn }: EnvelopeStanding): Promise<void> {
    this.#readAgain();
    if (status === 'completed') await fetchSignedFile(this.#ref);
    else if (this.#clock.hasReached(expiresOn)) await expireEnvelope(this.#ref);
    else if (status === 'created') await sendEnvelope(this.#ref);
    else await remindSigners(this.#ref);
  }

  /** A step that fails is tried again for a day; a command or an event does not wait for that. */
  async #tryStep(now: EnvelopeStanding): Promise<void> {
    try {
      await this.#step(now);
      this.#failures = 0;
    } catch (error) {
      this.#failures += 1;
      if (!isStepFailure(error) || this.#failures > ATTEMPTS) throw error;
      log.warn('A step of an envelope has failed', { reason: String(innerFailure(error)) });
      this.#isRead = true;
      await condition(() => this.#isInterrupted(), TRY_AGAIN_AFTER);
    }
  }

  async #doAllThatIsDue(): Promise<ClockAdvanced> {
    const now = await this.#read();
    if (!isOver(now) && this.#isDue(now)) await this.#step(now);
    const then = await this.#read();
    return { isDone: isOver(then) || !this.#isDue(then) };
  }
}

/** Ended, and what was signed is here. */
function isOver({ status, hasSignedFile }: EnvelopeStanding): boolean {
  return isFinal(status) && (status !== 'completed' || hasSignedFile);
}
