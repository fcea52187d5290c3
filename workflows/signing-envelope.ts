/**
 * A document at the e-signature provider, from sending to the signed file. The provider's events change the row and
 * signal this workflow, which sends reminders, lets the envelope expire, and fetches the signed file. The row is the
 * truth. Spec 3.2.
 */
import {
  condition,
  continueAsNew,
  proxyLocalActivities,
  rootCause,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../activities/create-activities.ts';
import { advanceClockUpdate, type ClockAdvanced } from '../contracts/clock.ts';
import { type Command, type EntityRef, rowChangedSignal } from '../contracts/machinery/command.ts';
import {
  type EnvelopeStanding,
  type SigningEnvelopeInput,
  sendEnvelopeUpdate,
  voidEnvelopeUpdate,
} from '../contracts/signing.ts';
import type { Standing, StepName } from '../contracts/standing.ts';
import { hasEnvelopeEnded } from '../domain/signing/envelope.ts';
import { serveBurst } from './machinery/burst.ts';
import { BusinessClock } from './machinery/business-clock.ts';
import { CommandQueue } from './machinery/command-queue.ts';
import { isStepFailure } from './machinery/failures.ts';
import { StepHolder } from './machinery/held-step.ts';
import { recordSkip } from './machinery/operator-decision.ts';
import { ONE_TRANSACTION, SIGNING } from './machinery/options.ts';
import { activitiesOn } from './machinery/queues.ts';

const { readEnvelope } = proxyLocalActivities<Activities>(ONE_TRANSACTION);
const patient = activitiesOn('outside', SIGNING);
/** For the test clock, which skips a step that the provider does not answer. */
const brief = activitiesOn('outside', {
  ...SIGNING,
  startToCloseTimeout: '10 seconds',
  scheduleToCloseTimeout: '10 seconds',
});

/** The steps by their operator-visible names, and the activity for each. */
const TAKEN_BY = {
  sending: 'sendEnvelope',
  reminder: 'remindSigners',
  expiry: 'expireEnvelope',
  'signed file': 'fetchSignedFile',
} as const;

type EnvelopeStep = keyof typeof TAKEN_BY;

export async function signingEnvelopeWorkflow(of: SigningEnvelopeInput): Promise<void> {
  const life = new EnvelopeLife(of);
  if ((await life.live()) === 'over') return;
  await continueAsNew<typeof signingEnvelopeWorkflow>({ ...of, standing: life.standing });
}

/** One writer: commands and due steps take turns. */
class EnvelopeLife {
  readonly #ref: EntityRef;
  readonly #commands = new CommandQueue();
  readonly #clock = new BusinessClock(0);
  /** Whether, as far as is known here, the row is unchanged since it was read. */
  #isRead = false;
  readonly #steps: StepHolder;

  constructor({ orgId, envelopeId, standing, backOff }: SigningEnvelopeInput) {
    this.#ref = { orgId, entityId: envelopeId };
    this.#steps = new StepHolder(standing ?? {}, backOff);
    const send = this.#carriedOut(() => patient.sendEnvelope(this.#ref));
    setHandler(sendEnvelopeUpdate, send, { description: 'Sends the document to the signers.' });
    setHandler(voidEnvelopeUpdate, this.#carriedOut(patient.voidEnvelope), {
      description: 'Withdraws the document from its signers.',
    });
    setHandler(rowChangedSignal, () => this.#readAgain(), {
      description: 'Reads the row again after an event of the provider has changed it.',
    });
    setHandler(advanceClockUpdate, () => this.#commands.submit(null, () => this.#doAllThatIsDue()), {
      description: 'Adopts the business date of the organization and does everything that has fallen due.',
    });
  }

  /** What the next run needs to know. */
  get standing(): Omit<Standing, 'recentCommandIds'> {
    return this.#steps.standing;
  }

  async live(): Promise<'over' | 'continue'> {
    for (;;) {
      await this.#commands.drain();
      await this.#obey();
      const now = await this.#read();
      const end = isOver(now) ? 'over' : workflowInfo().continueAsNewSuggested ? 'continue' : null;
      if (end === null) await this.#goOn(now);
      else {
        await serveBurst(this.#commands);
        return end;
      }
    }
  }

  /** Takes the step that is due, or waits. */
  async #goOn(now: EnvelopeStanding): Promise<void> {
    const interrupted = () => this.#isInterrupted();
    if (!this.#isDue(now)) {
      return this.#clock.until(now.nextStepOn ?? now.expiresOn, interrupted, 'reminder or expiry');
    }
    const step = this.#nameOf(now);
    if (this.#steps.isSkipped(step)) await this.#restUntilExpiry(now, interrupted);
    else if (this.#steps.isResting(step)) await this.#steps.rest(interrupted);
    else await this.#tryStep(now, patient);
  }

  /** A skipped step does not keep the envelope open: it still expires on its day. */
  async #restUntilExpiry({ expiresOn }: EnvelopeStanding, interrupted: () => boolean): Promise<void> {
    if (this.#clock.hasReached(expiresOn)) await condition(interrupted);
    else await this.#clock.until(expiresOn, interrupted, 'expiry');
  }

  /** Carries out the operator's decision about the held step. A step is skipped only once that is on record. */
  async #obey(): Promise<void> {
    const decision = this.#steps.operator.take();
    const { held } = this.#steps;
    if (decision === null || held === null || held.step !== decision.step) return;
    if (decision.kind === 'retry') return this.#steps.release();
    const fault = await recordSkip({ ...this.#ref, entityType: 'envelope' }, decision);
    if (fault === null) this.#steps.skip();
    else this.#steps.hold(held, fault);
  }

  #carriedOut<R>(step: (command: Command) => Promise<R>) {
    return (command: Command) =>
      this.#commands.submit(command.commandId, () => {
        this.#readAgain();
        return step(command);
      });
  }

  /** After a change, a skipped or failed step may be valid. */
  #readAgain(): void {
    this.#isRead = false;
    this.#steps.forgetSkipped();
    this.#steps.release();
  }

  #isInterrupted(): boolean {
    return !this.#isRead || !this.#commands.isEmpty || this.#steps.operator.hasDecided;
  }

  async #read(): Promise<EnvelopeStanding> {
    this.#isRead = true;
    const now = await readEnvelope(this.#ref);
    this.#clock.setOffset(now.clockOffsetDays);
    this.#steps.keepOnly(!isOver(now) && this.#isDue(now) ? this.#nameOf(now) : null);
    if (this.#steps.held === null) {
      setCurrentDetails(`The envelope is **${now.status}**`);
      this.#steps.operator.goOn();
    } else this.#steps.show();
    return now;
  }

  #isDue({ status, nextStepOn }: EnvelopeStanding): boolean {
    return nextStepOn === null || status === 'created' || this.#clock.hasReached(nextStepOn);
  }

  /** The step as the operator sees it. */
  #nameOf({ status, expiresOn, nextStepOn }: EnvelopeStanding): StepName & { step: EnvelopeStep } {
    const due = this.#clock.hasReached(expiresOn) ? 'expiry' : status === 'created' ? 'sending' : 'reminder';
    return { step: status === 'completed' ? 'signed file' : due, on: nextStepOn };
  }

  /** A failed step is retried later; commands and events do not wait for that. */
  async #tryStep(now: EnvelopeStanding, activities: typeof patient): Promise<void> {
    const step = this.#nameOf(now);
    this.#isRead = false;
    try {
      await activities[TAKEN_BY[step.step]](this.#ref);
      this.#steps.done(step);
    } catch (error) {
      if (!isStepFailure(error)) throw error;
      this.#isRead = true;
      this.#steps.hold(step, rootCause(error) ?? 'unknown');
    }
  }

  /** A failed step is not retried for the test clock, which comes by on every later day. */
  async #doAllThatIsDue(): Promise<ClockAdvanced> {
    const now = await this.#read();
    const isOpen = !isOver(now) && this.#isDue(now) && !this.#steps.isResting(this.#nameOf(now));
    if (isOpen && !this.#steps.isSkipped(this.#nameOf(now))) await this.#tryStep(now, brief);
    const then = await this.#read();
    return { isDone: isOver(then) || !this.#isDue(then) };
  }
}

/** Ended, and any signed file is stored. */
function isOver({ status, hasSignedFile }: EnvelopeStanding): boolean {
  return hasEnvelopeEnded(status) && (status !== 'completed' || hasSignedFile);
}
