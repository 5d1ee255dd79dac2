/** Whether memory, descriptors and threads stayed level: the end of a run beside its beginning. */
import { spreadOf } from '../figures.ts';
import { HEADINGS, type Minute } from './minutes.ts';

interface Limit {
  readonly name: 'memoryMb' | 'descriptors' | 'threads';
  /** How much more the last third of the minutes may have than the first one. */
  readonly share: number;
  /** What comes and goes with connections and short work. */
  readonly slack: number;
  /** Runs that are shorter say nothing about it. */
  readonly minutesMin: number;
}

const LIMITS: readonly Limit[] = [
  { name: 'memoryMb', share: 0.05, slack: 0, minutesMin: 30 },
  { name: 'descriptors', share: 0.1, slack: 16, minutesMin: 3 },
  { name: 'threads', share: 0, slack: 2, minutesMin: 3 },
];

/** Caches fill, and the engine compiles what is used often. */
const WARM_UP_MINUTES = 10;

export interface Change {
  readonly server: string;
  readonly what: string;
  /** The median of the first third after the first minutes, and of the last third. */
  readonly first: number;
  readonly last: number;
  readonly isGrowth: boolean;
}

/** The change of each reading of each server that the run is long enough for. */
export function changesIn(minutes: readonly Minute[]): Change[] {
  const servers = Map.groupBy(minutes, ({ server }) => server);
  return [...servers].flatMap(([server, own]) =>
    LIMITS.filter(({ minutesMin }) => own.length >= minutesMin).map((limit) =>
      changeOf(server, own, limit),
    ),
  );
}

function changeOf(server: string, own: readonly Minute[], limit: Limit): Change {
  const { name, share, slack } = limit;
  const warmUp = Math.min(WARM_UP_MINUTES, Math.floor(own.length / 3));
  const values = own.slice(warmUp).map((minute) => minute[name]);
  const length = Math.ceil(values.length / 3);
  const first = spreadOf(values.slice(0, length)).median;
  const last = spreadOf(values.slice(-length)).median;
  const isGrowth = !(last <= first * (1 + share) + slack);
  return { server, what: HEADINGS[name], first, last, isGrowth };
}

export function textOfChange({ server, what, first, last, isGrowth }: Change): string {
  const percent = ((last / first - 1) * 100).toFixed(1);
  const end = `${Math.round(first)} at first, ${Math.round(last)} at the end (${percent} %)`;
  return `${server}: ${what}: ${end}${isGrowth ? ', which is growth' : ''}`;
}
