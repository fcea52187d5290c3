// Processor time of this process's descendants, by kind: steadier than wall-clock time on a machine with other work.
// Read from /proc, so only on Linux; elsewhere every figure is zero.
import { readdirSync, readFileSync } from 'node:fs';

/** `/proc` counts in hundredths of a second on every Linux that matters. */
const MS_PER_TICK = 10;

/** The kind of a process, by its command line; the first match counts. */
const KINDS = {
  api: /api\/server\.ts/,
  worker: /workers\/main\.ts/,
  floor: /bench\/(floor|peer)\//,
  postgres: /postgres/,
  temporal: /temporal/,
  browser: /chrom|headless/,
} as const;

type CpuKind = keyof typeof KINDS;
/** Milliseconds by kind. */
export type Cpu = Record<CpuKind, number>;

interface Process {
  parent: number;
  ticks: number;
}

/** Reads the time that this process's descendants have used so far. */
export function usedCpu(): Cpu {
  const processes = new Map<number, Process>();
  for (const name of entries()) {
    const found = processOf(name);
    if (found) processes.set(Number(name), found);
  }
  const used: Cpu = { api: 0, worker: 0, floor: 0, postgres: 0, temporal: 0, browser: 0 };
  for (const [pid, { ticks }] of processes) {
    const kind = isBelow(processes, pid) ? kindOf(pid) : null;
    if (kind) used[kind] += ticks * MS_PER_TICK;
  }
  return used;
}

/** The time used between two readings, per piece of work. */
export function cpuBetween(before: Cpu, after: Cpu, pieces: number): Cpu {
  const kinds = Object.keys(KINDS) as CpuKind[];
  return Object.fromEntries(kinds.map((kind) => [kind, (after[kind] - before[kind]) / pieces])) as Cpu;
}

/** All kinds together, in milliseconds. */
export function totalCpu(cpu: Cpu): number {
  return Object.values(cpu).reduce((total, ms) => total + ms, 0);
}

function entries(): string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

function processOf(name: string): Process | null {
  try {
    const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
    // The program's name is in brackets and may contain anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // Its own time and that of its ended children.
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return { parent: Number(fields[1]), ticks };
  } catch {
    return null;
  }
}

function isBelow(processes: ReadonlyMap<number, Process>, pid: number): boolean {
  let current = processes.get(pid)?.parent;
  while (current !== undefined && current !== process.pid) current = processes.get(current)?.parent;
  return current === process.pid;
}

function kindOf(pid: number): CpuKind | null {
  try {
    const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    const found = Object.entries(KINDS).find(([, pattern]) => pattern.test(line));
    return found ? (found[0] as CpuKind) : null;
  } catch {
    return null;
  }
}
