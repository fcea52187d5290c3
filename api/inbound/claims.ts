// Who works on an event of a provider: a claim in the key-value store, which ends by itself when its holder dies, and
// in the place of the claim the mark of a processed event. Spec 6.3, Contract 3.6. A store that has lost the mark costs
// a look at the event's workflow, which is known by its id and is not run again.
import { INBOUND_DEDUPLICATION_HOURS } from '../../domain/limits.ts';
import type { KvStore } from '../../providers/ports.ts';

/** A claim outlives the work on its event by this much. */
const CLAIM_MARGIN_SECONDS = 12;
const MARK_LIFETIME_SECONDS = INBOUND_DEDUPLICATION_HOURS * 3_600;

type ClaimMark = { holder: string } | { isDone: true };

/** `taken` by the caller, `held` by somebody else, or `done` before. */
export type ClaimState = 'taken' | 'held' | 'done';

/** The claim of one caller on one event. */
export class EventClaim {
  readonly #kv: KvStore;
  readonly #key: string;
  readonly #kept: ClaimMark;
  readonly #lifetimeSeconds: number;

  /** `holder` is unique for the attempt; `workMs` is how long the event is worked on while its sender waits. */
  constructor(
    kv: KvStore,
    event: { provider: string; eventId: string },
    { holder, workMs }: { holder: string; workMs: number },
  ) {
    this.#kv = kv;
    this.#key = `wh:${event.provider}:${event.eventId}`;
    this.#kept = { holder };
    this.#lifetimeSeconds = Math.ceil(workMs / 1_000) + CLAIM_MARGIN_SECONDS;
  }

  /** Takes the claim if nobody has it. */
  async take(): Promise<ClaimState> {
    const claim = await this.#kv.claim(this.#key, this.#kept, this.#lifetimeSeconds);
    if (claim.claimed) return 'taken';
    return claim.held && 'isDone' in claim.held ? 'done' : 'held';
  }

  /** Marks the event as processed. */
  async markDone(): Promise<void> {
    const mark: ClaimMark = { isDone: true };
    await this.#kv.put(this.#key, mark, MARK_LIFETIME_SECONDS);
  }

  /** Lets the next copy of the event try. */
  async giveBack(): Promise<void> {
    await this.#kv.giveBack(this.#key, this.#kept);
  }
}
