/**
 * Sends raw bytes to a real server, and checks its statuses, leaks in its answers and log, the
 * delays of its threads, and its memory.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cpuSeconds, residentMb } from '../../bench/machine.ts';
import { makeToken, type RunningProgram, startProgram } from '../../bench/server.ts';
import { dstu2 } from '../../src/fhir/definitions/published.ts';
import { encodeJson } from '../../src/fhir/format/json.ts';
import { decodeXml } from '../../src/fhir/format/xml.ts';
import { ROOT } from '../tidy/source-files.ts';
import { atUsualSpeed, type Find, type FuzzKind, STALL_MS } from './fuzz-kind.ts';
import { HTTP_WORDS, httpSeeds, ID, MARKER, TOKEN } from './http-words.ts';
import { asOnTheWire, type Material, mutate } from './mutate.ts';
import { pick, type Random } from './seeded-random.ts';

/** A client that has sent everything waits so long for more of an answer before it ends. */
const QUIET_MS = 8;
const FIRST_BYTE_MS = 100;
/** A server that has been told that nothing more comes has to end a connection within this time. */
const HANG_MS = 60_000;
const ANSWER_BYTES_MAX = 64 * 1024;
const GROWTH_MB_MAX = 300;
/** Inspections before memory is measured for the first time: caches fill up until then. */
const WARM_UP = 10;

/** What must not be in an answer: traces, paths of sources, names of errors. */
const LEAK =
  /node_modules|\/src\/|\bat .+\.ts:\d|node:internal|SQLITE|TypeError|RangeError|ReferenceError|Cannot read prop/;

export async function openHttpKind(): Promise<FuzzKind> {
  const folder = mkdtempSync(join(tmpdir(), 'gazetteer-fuzz-'));
  importSample(folder);
  const server = await startProgram(['--data', folder, '--threads', '2']);
  const xml = readFileSync(join(ROOT, 'sample', 'order-response.xml'), 'utf8');
  const { resource } = decodeXml(Buffer.from(xml), dstu2);
  if (resource === undefined) throw new Error('the sample cannot be read');
  const seeds = httpSeeds(xml, encodeJson(resource));
  const token = makeToken(folder);
  const id = await createResource(server, token, xml);
  const ready = (input: Buffer) => replaced(replaced(input, TOKEN, token), ID, id);
  const material = { seeds, dictionary: HTTP_WORDS, boundaries: '\n&=' };
  const statuses = new Map<string, number>();
  const watch = createWatch(server, ready);
  return {
    concurrency: 8,
    generate: (random) => {
      const input = pick(random, WHAT_CHANGES)(random, material);
      return random() < 0.8 ? withRightLength(input) : input;
    },
    attempt: async (input) => {
      const answer = await exchange(server.port, ready(input));
      if (answer.isHanging) return `the connection is open ${HANG_MS / 1000} s after its end`;
      return problemOf(answer.text, input, statuses);
    },
    inspect: (recent) => watch.inspect(recent),
    figures: () => ({ ...Object.fromEntries([...statuses].toSorted()), ...watch.figures() }),
    close: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Any byte of a request, its target alone, or its body alone: the last two get further. */
const WHAT_CHANGES: readonly ((random: Random, material: Material) => Buffer)[] = [
  mutate,
  (random, material) => {
    const seed = pick(random, material.seeds);
    const from = seed.indexOf(' ') + 1;
    const to = seed.indexOf(' HTTP/');
    const target = mutate(random, { ...material, seeds: [seed.subarray(from, to)] });
    const parts = [seed.subarray(0, from), Buffer.from(asOnTheWire(target)), seed.subarray(to)];
    return Buffer.concat(parts);
  },
  (random, material) => {
    const seed = pick(random, material.seeds);
    const bodyStart = seed.indexOf('\r\n\r\n') + 4;
    if (bodyStart === seed.length) return mutate(random, { ...material, seeds: [seed] });
    const body = mutate(random, { ...material, seeds: [seed.subarray(bodyStart)] });
    return Buffer.concat([seed.subarray(0, bodyStart), body]);
  },
];

function problemOf(text: string, input: Buffer, statuses: Map<string, number>): string | undefined {
  const sent = input.toString('latin1');
  for (const [, status = ''] of text.matchAll(/HTTP\/1\.1 (\d{3}) /g)) {
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    const isBusy = status === '503' && /^Retry-After: \d+\r$/im.test(text);
    // RFC 9112, section 6.1: the answer to a transfer coding that the server does not know.
    const isUnknownCoding = status === '501' && /^Transfer-Encoding:/im.test(sent);
    if (status.startsWith('5') && !isBusy && !isUnknownCoding) return `status ${status}`;
  }
  const leak = LEAK.exec(text)?.[0];
  return leak !== undefined && !input.includes(leak) ? `an answer has "${leak}"` : undefined;
}

/** With the length of its body in `Content-Length`, so that the server waits for no more. */
function withRightLength(input: Buffer): Buffer {
  const headEnd = input.indexOf('\r\n\r\n');
  if (headEnd < 0) return input;
  const head = input.subarray(0, headEnd).toString('latin1');
  const body = input.subarray(headEnd + 4);
  const righted = head.replace(/^(Content-Length:) \d+$/im, `$1 ${body.length}`);
  return Buffer.concat([Buffer.from(`${righted}\r\n\r\n`, 'latin1'), body]);
}

interface Exchanged {
  readonly text: string;
  readonly isHanging: boolean;
}

/** Half of the clients close their side at once; the others wait until the answer seems whole. */
function exchange(port: number, input: Buffer): Promise<Exchanged> {
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    let bytes = 0;
    let quiet: NodeJS.Timeout | undefined;
    const socket = connect({ port, host: '127.0.0.1' });
    const finish = (isHanging: boolean) => {
      clearTimeout(quiet);
      clearTimeout(hanging);
      socket.destroy();
      resolve({ text: Buffer.concat(pieces).toString('latin1'), isHanging });
    };
    const hanging = setTimeout(() => finish(true), HANG_MS);
    const endAfter = (ms: number) => {
      clearTimeout(quiet);
      quiet = setTimeout(() => socket.end(), ms);
    };
    socket.on('connect', () => {
      if (input.length % 2 === 0) socket.end(input);
      else socket.write(input, () => endAfter(FIRST_BYTE_MS));
    });
    socket.on('data', (piece: Buffer) => {
      bytes += piece.length;
      if (bytes < ANSWER_BYTES_MAX) pieces.push(piece);
      if (input.length % 2 === 1) endAfter(QUIET_MS);
    });
    // A reset is how a server refuses to read on, and no find.
    socket.on('error', () => finish(false));
    socket.on('close', () => finish(false));
  });
}

interface Watch {
  inspect(recent: readonly Buffer[]): Promise<Find[]>;
  figures(): Readonly<Record<string, number>>;
}

function createWatch(server: RunningProgram, ready: (input: Buffer) => Buffer): Watch {
  let lines = server.log().length;
  let stalls = 0;
  let stallsSeen = 0;
  let inspections = 0;
  let startMb: number | undefined;
  let growthMb = 0;
  return {
    inspect: async (recent) => {
      const finds: Find[] = [];
      const log = server.log();
      for (const line of log.slice(lines)) {
        const reason = problemOfLine(line);
        // Which of the inputs it was is not known; an error also shows in an answer.
        if (reason !== undefined) finds.push({ reason, input: Buffer.alloc(0) });
      }
      lines = log.length;
      const delayed = await countStalls(server);
      if (delayed > stalls) {
        stallsSeen += delayed - stalls;
        finds.push(...(await expensiveInputs(server, recent, ready)));
      }
      stalls = await countStalls(server);
      inspections += 1;
      if (inspections >= WARM_UP) {
        const mb = residentMb(server.process.pid);
        startMb ??= mb;
        growthMb = Math.round(mb - startMb);
        if (growthMb > GROWTH_MB_MAX) {
          finds.push({ reason: `the server has ${growthMb} MB more`, input: Buffer.alloc(0) });
          startMb = mb;
        }
      }
      return finds;
    },
    figures: () => ({ 'late timers': stallsSeen, 'server MB more': growthMb }),
  };
}

/** Paths are logged, values of parameters, headers and bodies are not. */
function problemOfLine(line: object): string | undefined {
  const { level, path: _path, ...rest } = { level: 0, path: '', ...line };
  const text = JSON.stringify(rest);
  if (level >= 50) return `the log has an error: ${text}`;
  return text.includes(MARKER) ? `the log has a part of a request: ${text}` : undefined;
}

/** How often a timer of a server thread was later than a stall may take. */
async function countStalls({ operation }: RunningProgram): Promise<number> {
  const answer = await fetch(`${operation}/metrics`);
  const text = await answer.text();
  const counts = (bound: string) =>
    [
      ...text.matchAll(
        new RegExp(`event_loop_delay_seconds_bucket\\{.*le="${bound}"\\} (\\d+)`, 'g'),
      ),
    ]
      .map(([, count]) => Number(count))
      .reduce((sum, count) => sum + count, 0);
  return counts('\\+Inf') - counts(String(STALL_MS / 1000));
}

/** Late timers may be another program's fault: an input is a find where it takes the CPU so long. */
async function expensiveInputs(
  server: RunningProgram,
  recent: readonly Buffer[],
  ready: (input: Buffer) => Buffer,
): Promise<Find[]> {
  const finds: Find[] = [];
  for (const input of recent) {
    let leastMs = Number.POSITIVE_INFINITY;
    for (let i = 0; i < 3 && leastMs > STALL_MS; i++) {
      const before = cpuSeconds(server.process.pid);
      await exchange(server.port, ready(input));
      const ms = (cpuSeconds(server.process.pid) - before) * 1000;
      leastMs = Math.min(leastMs, atUsualSpeed(ms));
    }
    if (leastMs > STALL_MS)
      finds.push({ reason: `takes ${Math.round(leastMs)} ms of CPU time`, input });
  }
  return finds;
}

function importSample(folder: string): void {
  const words = ['src/main.ts', 'import', 'sample/organisations.zip', '--data', folder, '--quiet'];
  const { status, stderr } = spawnSync(process.execPath, words, { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}

/** Answers the id. */
async function createResource(
  { origin }: RunningProgram,
  token: string,
  body: string,
): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/xml+fhir' };
  const answer = await fetch(`${origin}/OrderResponse`, { method: 'POST', headers, body });
  const id = /OrderResponse\/([^/]+)/.exec(answer.headers.get('location') ?? '')?.[1];
  if (id === undefined) throw new Error(await answer.text());
  return id;
}

/** Every place of a text in the bytes. */
function replaced(input: Buffer, text: string, by: string): Buffer {
  if (!input.includes(text)) return input;
  return Buffer.from(input.toString('latin1').replaceAll(text, by), 'latin1');
}
