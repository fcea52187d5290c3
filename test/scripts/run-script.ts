// Runs one of our scripts as a real process, and collects its output.
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PATIENCE_MS } from '../support/patience.ts';

export const ROOT = join(import.meta.dirname, '../..');
const folders: string[] = [];

process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/** The variables of a person who has configured nothing. */
export function bareEnvironment(variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { PATH, HOME } = process.env;
  return { PATH, HOME, ...variables };
}

/** Runs `node <script>` until it ends. */
export function runScript(script: string, env: NodeJS.ProcessEnv, args: string[] = []): Promise<Ended> {
  const child = spawn(process.execPath, [join(ROOT, script), ...args], { env, cwd: ROOT, timeout: PATIENCE_MS });
  return collect(child);
}

/** Waits for a process to end and returns its output. */
export async function collect(child: ChildProcess): Promise<Ended> {
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
    child.once('error', reject).once('close', (...end) => resolve(end));
  });
  return { code, signal, stdout, stderr };
}

/** An empty folder that other system users can enter; it is removed when the file's tests are done. */
export function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'bindery-scripts-'));
  chmodSync(folder, 0o755);
  folders.push(folder);
  return folder;
}
