/** A step's calls to the e-signature provider: an outage is retried, a refusal is final. */
import { ApplicationFailure } from '@temporalio/common';
import { DomainError, isNotSetUp } from '../../domain/errors.ts';
import { activityFailure, type Deps, type Step } from '../context.ts';

/** Makes a call. The failure says nothing about the signers. */
export async function atProvider<R>(deps: Deps, step: Step, call: () => Promise<R>): Promise<R> {
  try {
    return await call();
  } catch (error) {
    const isOutage = error instanceof DomainError && error.code === 'service_unavailable' && !isNotSetUp(error);
    if (!isOutage) throw activityFailure(deps, step, error);
    deps.logger.warn({ ...step }, 'the e-signature provider has not answered; the call will be retried');
    throw ApplicationFailure.retryable(error.message, error.code);
  }
}
