// A worker process's memory, by its own figures.
import type { Platform } from '../faults/platform.ts';
import { eventually } from '../support/eventually.ts';

const MIB = 1_048_576;
const RESIDENT = /^process_resident_memory_bytes (\S+)$/m;

/** Checks the worker for events, documents and reports from time to time, including the replacement of a killed one. */
export class WorkerMemory {
  readonly #url: string;
  readonly #warmMiB: number;
  #mostMiB: number;

  private constructor(url: string, warmMiB: number) {
    this.#url = url;
    this.#warmMiB = warmMiB;
    this.#mostMiB = warmMiB;
  }

  /** Starts from what the worker uses now. */
  static async of({ backgroundUrl }: Platform): Promise<WorkerMemory> {
    return new WorkerMemory(
      backgroundUrl,
      await eventually(() => residentMiB(backgroundUrl), { what: 'figures of the worker' }),
    );
  }

  async look(): Promise<void> {
    this.#mostMiB = Math.max(this.#mostMiB, (await residentMiB(this.#url)) ?? 0);
  }

  get grownMiB(): number {
    return Math.round(this.#mostMiB - this.#warmMiB);
  }
}

/** Null while no worker answers. */
async function residentMiB(workerUrl: string): Promise<number | null> {
  try {
    const figures = await (await fetch(`${workerUrl}/metrics`)).text();
    return Number(RESIDENT.exec(figures)?.[1]) / MIB || null;
  } catch {
    return null;
  }
}
