// Who is processing a provider's event: a claim in the key-value store, which expires if its holder dies, and is
// replaced by the mark of a processed event. Spec 6.3, Contract 3.6. If the store loses the mark, the only cost is a
// look at the event's workflow, which is identified by its id and not run again.
import { INBOUND_DEDUPLICATION_HOURS } from '../../domain/limits.ts';
import type { KvStore } from '../../providers/ports.ts';

/** How much longer a claim lasts than the work on its event. */
const CLAIM_MARGIN_SECONDS = 12;
const MARK_LIFETIME_SECONDS = INBOUND_DEDUPLICATION_HOURS * 3_600;

type ClaimMark = { holder: string } | { isDone: true };

/** `taken` by the caller, `held` by someone else, or already `done`. */
export type ClaimState = 'taken' | 'held' | 'done';

/** The claim of one caller on one event. */
export class EventClaim {
  readonly #kv: KvStore;
  readonly #key: string;
  readonly #kept: ClaimMark;
  readonly #lifetimeSeconds: number;

  /** `holder` is unique for the attempt; `workMs` is how long the event is processed while its sender waits. */
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

  /** Takes the claim if it is free. */
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
