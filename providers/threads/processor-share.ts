// Lowers the share of a busy machine's processors that a program gets. On an idle machine it runs as fast as before.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/** A `nice` value: about a third of the share of a program at 0, so that work with a deadline does not starve. */
const NICENESS = 5;

/** Makes a running program and everything it has started yield to others. Does nothing if the system forbids it. */
export function giveWay(pid: number): void {
  attempt(() => setPriority(pid, NICENESS));
  // Linux schedules each thread separately, and weighs sessions against each other if it groups by session.
  attempt(() => {
    for (const thread of threadsOf(String(pid))) setPriority(Number(thread), NICENESS);
  });
  attempt(() => writeFileSync(`/proc/${pid}/autogroup`, String(NICENESS)));
}

/** The threads of a program and of its descendants. */
function threadsOf(pid: string): string[] {
  const own = readdirSync(`/proc/${pid}/task`);
  const below = own.flatMap(
    (thread) => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').match(/\d+/g) ?? [],
  );
  return [...own, ...below.flatMap(threadsOf)];
}

function attempt(work: () => void): void {
  try {
    work();
  } catch {}
}
