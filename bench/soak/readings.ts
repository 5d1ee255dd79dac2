/** Reads what a server uses now, and gathers the readings and latencies of a minute. Linux only. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { quantile, spreadOf } from '../figures.ts';
import { residentMb } from '../machine.ts';
import type { Minute } from './minutes.ts';
import type { Place } from './place.ts';

interface Reading {
  readonly memoryMb: number;
  readonly heapMb: number;
  readonly descriptors: number;
  readonly threads: number;
}

export type Timed = 'read' | 'create';

export class Meter {
  readonly #place: Place;
  #readings: Reading[] = [];
  #times: Record<Timed, number[]> = { read: [], create: [] };
  #requests = 0;

  constructor(place: Place) {
    this.#place = place;
  }

  /** Counts a request; those that are `timed` have a latency. */
  count(timed?: Timed, ms = 0): void {
    this.#requests += 1;
    if (timed !== undefined) this.#times[timed].push(ms);
  }

  async read(): Promise<void> {
    this.#readings.push(await readServer(this.#place));
  }

  /** What was gathered since the last call. */
  endMinute(minute: number): Minute {
    const readings = this.#readings;
    const median = (name: keyof Reading) => spreadOf(readings.map((one) => one[name])).median;
    const { read, create } = this.#times;
    for (const times of [read, create]) times.sort((a, b) => a - b);
    const ended: Minute = {
      minute,
      server: this.#place.name,
      memoryMb: median('memoryMb'),
      heapMb: median('heapMb'),
      descriptors: median('descriptors'),
      threads: median('threads'),
      diskMb: this.#place.folders.map(folderMb).reduce((sum, one) => sum + one, 0),
      requests: this.#requests,
      readMedianMs: quantile(read, 0.5),
      readP99Ms: quantile(read, 0.99),
      createMedianMs: quantile(create, 0.5),
      createP99Ms: quantile(create, 0.99),
    };
    this.#readings = [];
    this.#times = { read: [], create: [] };
    this.#requests = 0;
    return ended;
  }
}

async function readServer({ server }: Place): Promise<Reading> {
  const { pid } = server.process;
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const metrics = await metricsOf(server.operation);
  const heaps = metrics.matchAll(/^gazetteer_thread_memory_bytes\{.*"heap-used".*\} (\S+)$/gm);
  return {
    memoryMb: residentMb(pid),
    heapMb: [...heaps].reduce((sum, [, bytes]) => sum + Number(bytes), 0) / 1024 ** 2,
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    threads: Number(/^Threads:\s+(\d+)/m.exec(status)?.[1]),
  };
}

/** A server closes connections that wait, which can be in the moment in which one is used again. */
async function metricsOf(origin: string): Promise<string> {
  const read = async () => await (await fetch(`${origin}/metrics`)).text();
  return await read().catch(read);
}

/** What the files of a folder take of the disk. */
function folderMb(folder: string): number {
  if (!existsSync(folder)) return Number.NaN;
  const { stdout } = spawnSync('du', ['-sk', folder], { encoding: 'utf8' });
  return Number(/^\d+/.exec(stdout)?.[0]) / 1024;
}
