// Whether this machine can run the Python client.
import { spawnSync } from 'node:child_process';

export const python = 'python3';

const { status } = spawnSync(python, ['-c', 'import sys; sys.exit(sys.version_info < (3, 11))']);

/** The reason for the title of a test that is left out; null when there is a Python that is new enough. */
export const pythonFault: string | null = status === 0 ? null : ' (no python3 of 3.11 or newer on PATH)';
