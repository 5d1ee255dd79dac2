/**
 * Searches for inputs that the product treats wrongly:
 * `npm run fuzz -- KIND [--minutes N] [--inputs N] [--seed N]`. Each find is kept in
 * `test/fuzz/cases/`, where `npm run check` tries it again. Exits with 1 if there was one.
 */
import { parseArgs } from 'node:util';
import { userMs } from '../../bench/machine-speed.ts';
import { collectGarbage } from '../../src/threads/collect-garbage.ts';
import { keepCase } from './cases.ts';
import { atUsualSpeed, type FuzzKind, STALL_MS } from './fuzz-kind.ts';
import { isKindName, KIND_NAMES, openKind } from './kinds.ts';
import { seededRandom } from './seeded-random.ts';
import { startWatchdog } from './watchdog.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string', default: '1' },
    inputs: { type: 'string', default: 'Infinity' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});
const [name] = positionals;
const minutes = Number(values.minutes);
/** With a seed, a number of inputs makes the same run on every machine. */
const inputsMax = Number(values.inputs);
const seed = Number(values.seed);
if (!isKindName(name) || !(minutes > 0) || !(inputsMax > 0) || !Number.isSafeInteger(seed)) {
  console.error(
    `Usage: npm run fuzz -- ${KIND_NAMES.join('|')} [--minutes N] [--inputs N] [--seed N]`,
  );
  process.exit(2);
}

const INSPECT_EVERY = 500;
const MEASURE_EVERY = 20_000;
const REPORT_EVERY_MS = 30_000;
/** After this many finds, more are most likely the same fault. */
const FINDS_MAX = 20;
/** Memory that may come to be in use after the first measurement. */
const GROWTH_BYTES_MAX = 64 * 1024 ** 2;

const random = seededRandom(seed);
const kind = await openKind(name);
const watchdog = startWatchdog(name);
const endMs = performance.now() + minutes * 60_000;
let reportMs = performance.now() + REPORT_EVERY_MS;
let tried = 0;
let slowestMs = 0;
let finds = 0;
let usedAtStart: number | undefined;
let growthBytes = 0;

const found = (reason: string, input: Buffer): void => {
  finds += 1;
  const file = input.length > 0 ? keepCase(name, input) : 'no input of its own';
  console.error(`Found: ${reason} (${file})`);
};

/** Tries one input, and again where it was slow: something may have been compiled or collected. */
const attemptTimed = async (input: Buffer): Promise<string | undefined> => {
  let leastMs = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 3 && leastMs > STALL_MS; attempt++) {
    const startMs = userMs();
    const reason = await kind.attempt(input);
    if (reason !== undefined) return reason;
    leastMs = Math.min(leastMs, atUsualSpeed(userMs() - startMs));
  }
  slowestMs = Math.max(slowestMs, leastMs);
  return leastMs > STALL_MS ? `takes ${Math.round(leastMs)} ms of CPU time` : undefined;
};

const properties = Object.getOwnPropertyNames(Object.prototype).length;
const tryInput = async (input: Buffer): Promise<void> => {
  const isAlone = (kind.concurrency ?? 1) === 1;
  if (isAlone) watchdog.begin(input);
  const reason = isAlone ? await attemptTimed(input) : await kind.attempt(input);
  if (isAlone) watchdog.end();
  if (reason !== undefined) found(reason, input);
  if (Object.getOwnPropertyNames(Object.prototype).length !== properties) {
    found('the prototype of all objects was changed', input);
    finds = FINDS_MAX;
  }
};

const measureMemory = (): void => {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  usedAtStart ??= heapUsed + external;
  growthBytes = heapUsed + external - usedAtStart;
  if (growthBytes > GROWTH_BYTES_MAX) {
    found(`memory in use grew by ${Math.round(growthBytes / 1024 ** 2)} MiB`, Buffer.alloc(0));
    usedAtStart = heapUsed + external;
  }
};

const inspect = async (recent: readonly Buffer[]): Promise<void> => {
  for (const { reason, input } of (await kind.inspect?.(recent)) ?? []) found(reason, input);
};

console.log(`Fuzzing ${name} for ${minutes} min at most with seed ${seed}`);
try {
  while (performance.now() < endMs && tried < inputsMax && finds < FINDS_MAX) {
    const count = Math.min(INSPECT_EVERY, inputsMax - tried);
    const recent = Array.from({ length: count }, () => kind.generate(random));
    const waiting = recent.values();
    const clients = Array.from({ length: kind.concurrency ?? 1 }, async () => {
      for (const input of waiting) {
        if (performance.now() > endMs || finds >= FINDS_MAX) return;
        await tryInput(input);
        tried += 1;
      }
    });
    await Promise.all(clients);
    await inspect(recent);
    if (usedAtStart === undefined || tried % MEASURE_EVERY < INSPECT_EVERY) measureMemory();
    if (performance.now() > reportMs) {
      console.error(`${tried} inputs, ${finds} finds`);
      reportMs += REPORT_EVERY_MS;
    }
  }
  measureMemory();
} finally {
  watchdog.stop();
  await kind.close?.();
}
const figures = figuresOf(kind);
console.log(
  `${name}, seed ${seed}: ${tried} inputs, ${figures}slowest ${slowestMs.toFixed(1)} ms, ` +
    `memory ${(growthBytes / 1024 ** 2).toFixed(1)} MiB more than at the start`,
);
if (Number.isFinite(inputsMax) && tried < inputsMax && finds === 0) {
  console.log(`Skipped ${inputsMax - tried} of ${inputsMax} inputs: the time is over.`);
}
console.log(`${tried - finds} passed, ${finds} failed`);
if (finds > 0 || tried === 0) process.exitCode = 1;

function figuresOf({ figures }: FuzzKind): string {
  const pairs = Object.entries(figures?.() ?? {});
  return pairs.map(([label, value]) => `${label} ${value}, `).join('');
}
