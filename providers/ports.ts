/** Whom the platform calls, as interfaces. An adapter is a file of its own beside this one. */
import type { SanctionsMatch } from '../domain/sanctions.ts';

/** Holds names against a list of persons and entities that must not be insured. */
export interface SanctionsScreening {
  /** The entries that a name resembles; none means that it is clear. Asked while a transaction is open, so it must be quick. */
  screen(name: string): Promise<SanctionsMatch[]>;
}
