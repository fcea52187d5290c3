// The people of an organization who work on its policies: they send every command until it is answered, and an answer
// that no one should get ends the life. Recorded in the order in which it happened.
import type { Answer, PatientClient } from '../chaos/patient-client.ts';
import { ensureInvoicesAddUp } from './invoice-sums.ts';
import { count, kindOf, type Tally } from './tally.ts';

/** A command refused for a business reason changes nothing, and life goes on. */
const REFUSED = [409, 422];
/** The same goes for a command whose effect is already there. */
const NO_CHANGE = 'no_change';

export class Desk {
  readonly #admin: PatientClient;
  /** Another person, who approves. */
  readonly #other: PatientClient;
  /** How often each kind of command was carried out, over all records of these people. */
  readonly tally: Tally;
  readonly #lines: string[] = [];

  constructor(admin: PatientClient, other: PatientClient, tally: Tally = new Map()) {
    this.#admin = admin;
    this.#other = other;
    this.tally = tally;
  }

  /** The same people, starting a new record. */
  another(): Desk {
    return new Desk(this.#admin, this.#other, this.tally);
  }

  /** Everything so far, one line per command. */
  get story(): readonly string[] {
    return this.#lines;
  }

  note(line: string): void {
    this.#lines.push(line);
  }

  /** Counts what happened without a command. */
  count(kind: string): void {
    count(this.tally, kind);
  }

  /** Returns the body, or null when the command was refused. @throws Error for any other answer */
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
  async send(path: string, body: object = {}): Promise<any> {
    return this.#judged(path, body, await this.#admin.send(`/v1${path}`, body));
  }

  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
  async approve(path: string, body: object = {}): Promise<any> {
    return this.#judged(path, body, await this.#other.send(`/v1${path}`, body));
  }

  /** Takes something back. @throws Error for an answer that no one should get */
  async remove(path: string): Promise<void> {
    this.#judged(`${path}/withdraw`, {}, await this.#admin.remove(`/v1${path}`));
  }

  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
  async read(path: string): Promise<any> {
    const body = await this.#admin.read(`/v1${path}`);
    ensureInvoicesAddUp(body);
    return body;
  }

  #judged(path: string, body: object, { status, body: answer }: Answer) {
    const code = status < 300 ? '' : `, ${answer?.error} ${JSON.stringify(answer?.details ?? {})}`;
    this.note(`${path} ${JSON.stringify(body)} → ${status}${code}`);
    if (status < 300) {
      this.count(kindOf(path, body));
      return answer;
    }
    if (REFUSED.includes(status) || answer?.details?.rule === NO_CHANGE) return null;
    throw new Error(`${path} ${JSON.stringify(body)} was answered ${status} ${JSON.stringify(answer)}`);
  }
}
