// What share of a busy machine's processors a program takes. One that gives way runs as fast as before on an idle one.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/** As `nice` counts: about a third of what a program at 0 takes, so that nothing that has a deadline starves. */
const NICENESS = 5;

/**
 * Lets a running program, with all that it has started, give way to the others. Where the system does not allow it, it
 * stays as it is.
 */
export function giveWay(pid: number): void {
  attempt(() => setPriority(pid, NICENESS));
  // Linux counts each thread for itself, and weighs sessions against each other where it groups by them.
  attempt(() => {
    for (const thread of threadsOf(String(pid))) setPriority(Number(thread), NICENESS);
  });
  attempt(() => writeFileSync(`/proc/${pid}/autogroup`, String(NICENESS)));
}

/** The threads of a program and of the programs below it. */
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
