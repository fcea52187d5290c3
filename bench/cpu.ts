// Processor time of the processes below this one, by what they are: steadier than the clock on a machine that has other
// work. Read from /proc, so only Linux has it; elsewhere every figure is zero.
import { readdirSync, readFileSync } from 'node:fs';

/** `/proc` counts in hundredths of a second on every Linux that matters. */
const MS_PER_TICK = 10;

/** What a process is, by its command line; the first that fits. */
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

/** Reads what the processes below this one have used until now. */
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

/** What was used between two readings, for each of so many pieces of work. */
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
    // The name of the program stands in brackets and may hold anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // Its own time, and that of its children that have ended.
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
