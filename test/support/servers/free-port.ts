// A port for a server that a test starts: free, and reserved so that no other test gets it.
import { randomInt } from 'node:crypto';
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isTaken } from '../../../scripts/start/ports.ts';

/**
 * Below the range from which systems assign ports to outgoing connections and to servers that request any port:
 * nothing else on the machine takes it by chance between the choice of a port and its server's start.
 */
const PORTS = { from: 20_000, below: 32_768 };
const ATTEMPTS = 1000;
/** Claims of runs long over do not count. */
const CLAIM_MS = 30 * 60_000;
const CLAIMS = join(tmpdir(), 'bindery-test-ports');

/** Finds a loopback port that nothing listens on and claims it among all test processes on this machine. */
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
