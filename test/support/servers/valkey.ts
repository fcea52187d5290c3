// A real Valkey or Redis for tests: the one named by BINDERY_TEST_KV_CACHE, or either program found on PATH, on its
// own port and keeping nothing on disk.
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Child, launch } from '../../../scripts/start/child.ts';
import { eventually } from '../eventually.ts';
import { freePort } from './free-port.ts';
import { onPath } from './on-path.ts';

const KV_VARIABLE = 'BINDERY_TEST_KV_CACHE';
const PROGRAMS = ['valkey-server', 'redis-server'];
const STOP_GRACE_MS = 5_000;

/** The message for a test that needs a server. */
export const NO_VALKEY = `neither ${PROGRAMS.join(' nor ')} on PATH nor ${KV_VARIABLE}`;

export interface ValkeyServer {
  url: string;
  /** Restarts it on its port, empty. */
  start: () => Promise<void>;
  stop: () => Promise<void>;
}

const program = onPath(...PROGRAMS);

/** Whether a server can be started here. */
export const canStartValkey = program !== null;

/** Whether there is a server to test with, started here or elsewhere. */
export const hasValkey = canStartValkey || process.env[KV_VARIABLE] !== undefined;

/** Address of a server: the one from the environment, or a new one. The caller stops it. */
export async function testValkey(): Promise<Pick<ValkeyServer, 'url' | 'stop'>> {
  const given = process.env[KV_VARIABLE];
  return given === undefined ? startValkey() : { url: given, stop: async () => {} };
}

/** Starts a server of its own, which can be stopped and restarted. The caller stops it. */
export async function startValkey(): Promise<ValkeyServer> {
  if (program === null) throw new Error(`There is ${NO_VALKEY}`);
  const port = await freePort();
  let running: Run | null = await run(program, port);
  return {
    url: `redis://127.0.0.1:${port}`,
    start: async () => {
      running ??= await run(program, port);
    },
    stop: async () => {
      const stopped = running;
      running = null;
      await stopped?.child.stop(STOP_GRACE_MS);
      if (stopped) rmSync(stopped.folder, { recursive: true, force: true });
    },
  };
}

interface Run {
  child: Child;
  folder: string;
}

async function run(command: string, port: number): Promise<Run> {
  const folder = mkdtempSync(join(tmpdir(), 'bindery-valkey-'));
  const args = ['--bind', '127.0.0.1', '--port', String(port), '--save', '', '--appendonly', 'no', '--dir', folder];
  const child = await launch({ name: 'valkey', command, args });
  await eventually(() => answers(port), { what: 'the key-value store to answer' });
  return { child, folder };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    const is = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('data', (data) => is(data.toString().startsWith('+PONG'))).once('error', () => is(false));
  });
}
