// What happens to the parts: one random accident after another, each only after the previous one is repaired and work
// has been done.
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../support/eventually.ts';
import type { Dice } from './dice.ts';
import type { Part } from './parts.ts';
import { send } from './processes.ts';

const KILLED_OF_100 = 60;

export interface AccidentOptions {
  dice: Dice;
  parts: readonly Part[];
  /** How long a part stays frozen at most. */
  longestFreezeMs: number;
  /** How many commands have been answered so far. */
  answered: () => number;
  /** How many must be answered between two accidents. */
  answersBetween: number;
  isOver: (accidents: number) => boolean;
  report: (line: string) => void;
}

/** How often each thing happened, as `killed worker-1`. */
export type Tally = Record<string, number>;

/** Continues until `isOver` says so. */
export async function causeAccidents(options: AccidentOptions): Promise<Tally> {
  const { dice, isOver, parts } = options;
  const tally: Tally = {};
  let turn: Part[] = [];
  for (let count = 0; !isOver(count); count += 1) {
    // Every part has its turn before any has a second.
    if (turn.length === 0) turn = [...parts];
    const [part] = turn.splice(dice.below(turn.length), 1) as [Part];
    const isKill = dice.percent(KILLED_OF_100);
    const freezeMs = 1_000 + dice.below(options.longestFreezeMs - 1_000);
    const what = `${isKill ? 'killed' : 'frozen'} ${part.name}`;
    options.report(isKill ? what : `${what} for ${freezeMs} ms`);
    tally[what] = (tally[what] ?? 0) + 1;
    await (isKill ? kill(part) : freeze(part, freezeMs));
    await recovered(options);
  }
  return tally;
}

async function kill(part: Part): Promise<void> {
  const [main] = part.processIds() as [number];
  send(main, 'SIGKILL');
  await eventually(() => part.processIds()[0] !== main, { what: `another process of ${part.name}` });
}

/** The duration is the accident itself, so this does not wait for a condition. */
async function freeze(part: Part, freezeMs: number): Promise<void> {
  const frozen = part.processIds();
  const thaw = () => {
    for (const pid of frozen) send(pid, 'SIGCONT');
  };
  // Nothing stays frozen if this process is interrupted.
  process.once('exit', thaw);
  for (const pid of frozen) send(pid, 'SIGSTOP');
  await delay(freezeMs);
  thaw();
  process.off('exit', thaw);
}

async function recovered({ parts, answered, answersBetween }: AccidentOptions): Promise<void> {
  for (const part of parts) await eventually(() => part.isReady(), { what: `${part.name} to be ready again` });
  const enough = answered() + answersBetween;
  await eventually(() => answered() >= enough, { what: 'work to be done between two accidents' });
}
