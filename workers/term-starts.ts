/** New terms' workflows: started after the answer, asleep until their first date. Decision 0026. */
import type { Logger } from 'pino';
import { termTarget } from '../contracts/machinery/targets.ts';
import type { PolicyOutcome } from '../contracts/policy.ts';
import { startOfDayMs } from '../domain/business-day.ts';
import { firstDateOf } from '../domain/policy/first-date.ts';
import type { EngineClient } from '../providers/engine-client.ts';
import { logEngineFault } from '../providers/temporal-errors.ts';

export class TermStarts {
  readonly #workflows: EngineClient;
  readonly #logger: Logger;
  readonly #underWay = new Set<Promise<void>>();

  constructor(workflows: EngineClient, logger: Logger) {
    this.#workflows = workflows;
    this.#logger = logger;
  }

  /** Sends the start without waiting. Healing finds any that could not be started. */
  start(orgId: string, term: PolicyOutcome): void {
    const wakesAtMs = startOfDayMs(firstDateOf(term), term.clockOffsetDays);
    const starting = this.#workflows
      .startAsleep(termTarget(orgId, term), wakesAtMs - Date.now())
      .catch((error: unknown) => logEngineFault(this.#logger, error, { call: 'startTerm' }))
      .finally(() => this.#underWay.delete(starting));
    this.#underWay.add(starting);
  }

  /** Waits for starts in progress, before the connection is closed. */
  async settled(): Promise<void> {
    await Promise.all(this.#underWay);
  }
}
