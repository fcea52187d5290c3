// Who works on an event of a provider: a claim in the key-value store, which ends by itself when its holder dies, and in the
// place of the claim the mark of a processed event. Spec 6.3, Contract 3.6. The store is the table of the one-time codes, so the
// mark is as durable as the rows that the event has brought about.
import type { Database } from '../../db/orm.ts';
import { type Claim, claimValue, giveBackValue, putValue } from '../../db/queries/kv.ts';
import { PLATFORM_SCOPE } from '../../db/scope.ts';
import { INBOUND_DEDUPLICATION_HOURS } from '../../domain/limits.ts';

/** Longer than an event is worked on while its sender waits. */
const CLAIM_LIFETIME_SECONDS = 20;
const MARK_LIFETIME_SECONDS = INBOUND_DEDUPLICATION_HOURS * 3_600;

type Kept = { holder: string } | { isDone: true };

/** `taken` by the caller, `held` by somebody else, or `done` before. */
export type ClaimState = 'taken' | 'held' | 'done';

/** The claim of one caller on one event. */
export class EventClaim {
  readonly #database: Database;
  readonly #key: string;
  readonly #kept: Kept;

  /** `holder` is unique for the attempt. */
  constructor(database: Database, event: { provider: string; eventId: string }, holder: string) {
    this.#database = database;
    this.#key = `wh:${event.provider}:${event.eventId}`;
    this.#kept = { holder };
  }

  /** Takes the claim if nobody has it. */
  async take(): Promise<ClaimState> {
    const claim = await this.#database.forOrg<Claim<Kept>>(PLATFORM_SCOPE, (em) =>
      claimValue<Kept>(em, this.#key, this.#kept, CLAIM_LIFETIME_SECONDS),
    );
    if (claim.claimed) return 'taken';
    return claim.held && 'isDone' in claim.held ? 'done' : 'held';
  }

  /** Marks the event as processed. */
  async markDone(): Promise<void> {
    const mark: Kept = { isDone: true };
    await this.#database.forOrg(PLATFORM_SCOPE, (em) => putValue(em, this.#key, mark, MARK_LIFETIME_SECONDS));
  }

  /** Lets the next copy of the event try. */
  async giveBack(): Promise<void> {
    await this.#database.forOrg(PLATFORM_SCOPE, (em) => giveBackValue(em, this.#key, this.#kept));
  }
}
