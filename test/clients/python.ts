// Whether this machine can run the Python client.
import { spawnSync } from 'node:child_process';

export const python = 'python3';

const { status } = spawnSync(python, ['-c', 'import sys; sys.exit(sys.version_info < (3, 11))']);

/** The reason in the title of a skipped test; null when there is a recent enough Python. */
export const pythonFault: string | null = status === 0 ? null : ' (no python3 of 3.11 or newer on PATH)';
