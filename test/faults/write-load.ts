/** Clients that write order responses in spite of errors, and record the answer to each write. */
import { gazetteer, type StartOptions } from '../journeys/program.ts';
import { orderClient, type StoredAt } from './order-client.ts';

export interface WriteLoad {
  readonly acknowledged: number;
  /** The diagnostics of counted writes that were not stored, without variable parts. */
  readonly refusals: ReadonlySet<string>;
  /** How many counted writes got each status. */
  readonly statuses: ReadonlyMap<number, number>;
  /** Counts the writes that begin after this call, and forgets those before it. */
  startCounting(): void;
  /** Writes until the returned function is called, which resolves when every answer has arrived. */
  start(origin: string, clients: number): () => Promise<void>;
  /** Where the folder contradicts the answers. No server may have the folder open. */
  faults(data: string): Promise<readonly string[]>;
}

/** Some texts are long, so that a log grows and is cut back. */
const TEXT_LENGTHS = [0, 100, 5000];
const REFUSED = 503;
const PAUSE_AFTER_REFUSAL_MS = 5;

export function createWriteLoad(token: string): WriteLoad {
  const ids: string[] = [];
  const acknowledged = new Map<string, StoredAt>();
  const notStored = new Set<string>();
  let counts = noCounts();
  let marks = 0;

  const write = async (client: ReturnType<typeof orderClient>): Promise<boolean> => {
    const { statuses, refusals } = counts; // of the time when the write begins
    const number = marks++;
    const mark = `mark ${number};`;
    const text = mark + 'x'.repeat(TEXT_LENGTHS[number % TEXT_LENGTHS.length] ?? 0);
    const id = number % 3 === 0 ? ids[number % ids.length] : undefined;
    const answer = await (id === undefined ? client.create(text) : client.update(id, text));
    const { status, stored } = answer;
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (stored !== undefined) {
      acknowledged.set(mark, stored);
      if (id === undefined) ids.push(stored.id);
      return true;
    }
    if (status === 0) return false;
    const { diagnostics }: { diagnostics: string } = JSON.parse(answer.text).issue[0];
    if (status !== REFUSED) throw new Error(`${status} ${diagnostics}`);
    refusals.add(diagnostics);
    if (diagnostics.includes('Nothing was stored')) notStored.add(mark);
    return false;
  };

  return {
    get acknowledged() {
      return acknowledged.size;
    },
    get refusals() {
      return counts.refusals;
    },
    get statuses() {
      return counts.statuses;
    },
    startCounting: () => {
      counts = noCounts();
    },
    start: (origin, clients) => {
      const client = orderClient(origin, token);
      let isStopped = false;
      const loop = async () => {
        while (!isStopped) {
          if (!(await write(client))) {
            await new Promise((resolve) => setTimeout(resolve, PAUSE_AFTER_REFUSAL_MS));
          }
        }
      };
      const all = Promise.all(Array.from({ length: clients }, loop));
      return async () => {
        isStopped = true;
        await all;
      };
    },
    faults: (data) => contradictions(data, acknowledged, notStored),
  };
}

function noCounts() {
  return { statuses: new Map<number, number>(), refusals: new Set<string>() };
}

async function contradictions(
  data: string,
  acknowledged: ReadonlyMap<string, StoredAt>,
  notStored: ReadonlySet<string>,
): Promise<readonly string[]> {
  const verified = await gazetteer(['verify', '--data', data]);
  const faults = verified.code === 0 ? [] : [verified.stdout + verified.stderr];
  const found = new Map(await storedMarks(['--data', data]));
  for (const [mark, { id, version }] of acknowledged) {
    if (found.get(mark) !== `${id}/${version}`) faults.push(`${mark} is lost`);
  }
  for (const mark of notStored) {
    if (found.has(mark)) faults.push(`${mark} is stored, and its client was told that it is not`);
  }
  return faults;
}

/** Every stored mark of order responses with the address of its version. `store`: the words that say where it is. */
export async function storedMarks(
  store: readonly string[],
  options: StartOptions = {},
): Promise<readonly [mark: string, address: string][]> {
  const { code, stdout, stderr } = await gazetteer(['orders', 'export', ...store], options);
  if (code !== 0) throw new Error(stderr);
  const lines = stdout.split('\n').filter((line) => line !== '');
  return lines.flatMap((line): [string, string][] => {
    const { resourceType, id, meta, description } = JSON.parse(line);
    if (resourceType !== 'OrderResponse') return [];
    return [[/^[^;]*;?/.exec(description)?.[0] ?? '', `${id}/${meta.versionId}`]];
  });
}
