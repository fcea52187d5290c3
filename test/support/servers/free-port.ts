// A port for a server that a test starts: free, and given to nobody else meanwhile.
import { randomInt } from 'node:crypto';
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isTaken } from '../../../scripts/start/ports.ts';

/**
 * Below the range from which systems take the port of an outgoing connection or of a server that asks for any port:
 * between the choice of a port and the start of its server, nothing else on the machine comes upon it by chance.
 */
const PORTS = { from: 20_000, below: 32_768 };
const ATTEMPTS = 1000;
/** Claims of runs that are long over do not count. */
const CLAIM_MS = 30 * 60_000;
const CLAIMS = join(tmpdir(), 'bindery-test-ports');

/**
 * Finds a port of the loopback address that nothing listens on and claims it among all test processes of this machine.
 */
export async function freePort(): Promise<number> {
  mkdirSync(CLAIMS, { recursive: true });
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = randomInt(PORTS.from, PORTS.below);
    if (claim(join(CLAIMS, String(port))) && !(await isTaken(port))) return port;
  }
  throw new Error(`No free port was found in ${ATTEMPTS} attempts`);
}

function claim(file: string): boolean {
  const age = Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
  if (age > CLAIM_MS) rmSync(file, { force: true });
  try {
    writeFileSync(file, '', { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
