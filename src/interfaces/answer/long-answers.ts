/** Answers that are long to make: they have a place, are made in slices, and may be kept. */
import { Readable } from 'node:stream';
import { networkOf } from '../../fhir/http/client-network.ts';
import { gzipPieces, inTurns } from '../../fhir/http/gzip.ts';
import { FhirError } from '../../fhir/request/fhir-error.ts';
import type { FhirRequest } from '../../fhir/request/request.ts';
import type { OpenDownload } from '../../fhir/service/interaction.ts';
import type { Pause } from '../../threads/pauses.ts';
import {
  type Job,
  NoPlaceError,
  Work,
  type WorkLimits,
  type WorkPlace,
} from '../../threads/work.ts';
import {
  type AnswerKey,
  createKeptAnswers,
  iteratorOf,
  type KeptAnswers,
  type Pieces,
} from './kept-answers.ts';

export interface LongAnswer {
  /** What clients get, as messages name it: `reports`. */
  readonly kind: string;
  /**
   * Each piece takes a few milliseconds at most, or the making of it awaits the pause; short answers
   * have none. Ends early if `left` aborts.
   */
  readonly make: (left?: AbortSignal, pause?: Pause) => Pieces;
  /** The gzip of the same. By default it is made of the pieces. */
  readonly gzip?: () => Pieces;
  /** What a second request for the same answer has in common with the first. Absent: it is not kept. */
  readonly key?: AnswerKey | undefined;
  /** Whether it is made within a few milliseconds: it then needs no place. Not asked if it is kept. */
  readonly isShort?: () => boolean;
}

/** Work whose result is sent when all of it is there. */
export interface WholeAnswer {
  /** As of `LongAnswer`. */
  readonly kind: string;
  readonly request: Pick<FhirRequest, 'addressOf' | 'leftSignal'>;
}

export interface LongAnswers {
  /**
   * To await before work of one slice, such as reading a table: resolves at once, unless others have
   * their slices. Rejects with a FhirError if the client leaves before.
   */
  begin(request: Pick<FhirRequest, 'leftSignal'>): Promise<void>;
  /**
   * Runs work that awaits the pause after each piece. It has a place from its second slice on. Rejects
   * with a FhirError if there is none, or if the client has left.
   */
  run<Result>(
    answer: WholeAnswer,
    make: (pause: Pause) => Result | Promise<Result>,
  ): Promise<Result>;
  /** The same for a text, which is kept for the next request. Requests at the same time share it. */
  keptText(
    answer: WholeAnswer & { readonly key: AnswerKey },
    make: (pause: Pause, unwanted: AbortSignal) => Promise<string>,
  ): Promise<string>;
  /** The pieces for `answerPieces` and `answerDownload`. */
  pieces(answer: LongAnswer): OpenDownload['pieces'];
  readonly kept: KeptAnswers;
  readonly work: Work;
}

export interface LongAnswerSettings extends WorkLimits {
  /** How many bytes of answers one thread keeps. */
  readonly keptBytesMax: number;
}

/** The long answers of one thread. */
export function createLongAnswers({ keptBytesMax, ...limits }: LongAnswerSettings): LongAnswers {
  const work = new Work(limits);
  const kept = createKeptAnswers(keptBytesMax);
  const run: LongAnswers['run'] = async ({ kind, request }, make) => {
    const jobOf = () => jobOfRequest(kind, request.addressOf, request.leftSignal?.());
    return await refusing(kind, () => work.run(jobOf, make));
  };
  return {
    work,
    kept,
    begin: ({ leftSignal }) => work.begin(() => leftSignal?.()),
    run,
    keptText: async ({ kind, request: { addressOf, leftSignal }, key }, make) => {
      const left = kept.isWhole(key) ? undefined : leftSignal?.();
      let isOwn = false;
      const text = async function* (unwanted: AbortSignal) {
        isOwn = true;
        const jobOf = () => jobOfRequest(kind, addressOf, unwanted);
        yield Buffer.from(await work.run(jobOf, (pause) => make(pause, unwanted)));
      };
      const read = async (under: AnswerKey): Promise<string> => {
        const pieces = await Array.fromAsync(kept.open(under, text, left));
        left?.throwIfAborted();
        return Buffer.concat(pieces).toString();
      };
      const readShared = async (): Promise<string> => {
        try {
          return await read(key);
        } catch (error) {
          if (isOwn || !(error instanceof NoPlaceError)) throw error;
          // The network that began the making has no place. That of this request may have one.
          const network = addressOf && networkOf(addressOf());
          return await read({ ...key, name: `for ${network} ${key.name}` });
        }
      };
      return await refusing(kind, readShared);
    },
    pieces: (answer) => async (isGzip, addressOf, left) => {
      const { make, gzip, key } = answer;
      const keptUnder = key && { ...key, name: `${isGzip ? 'gzip' : 'plain'} ${key.name}` };
      const open = (place?: WorkPlace): Pieces => {
        // Others may read an answer that is kept when this client has left.
        const madeBy = (unwanted?: AbortSignal): Pieces => {
          if (isGzip && gzip !== undefined) return gzip();
          const made = make(unwanted, place?.pause);
          const paced = place === undefined ? made : inSlices(made, place, unwanted);
          return isGzip ? gzipPieces(paced, unwanted) : paced;
        };
        return keptUnder === undefined ? madeBy(left) : kept.open(keptUnder, madeBy, left);
      };
      const isMade = keptUnder !== undefined && kept.isWhole(keptUnder);
      if (isMade || answer.isShort?.() === true) return inTurns(open(), left);
      const place = await enter(work, answer.kind, addressOf, left);
      try {
        left?.addEventListener('abort', place.end);
        return readAtPace(inTurns(open(place), left)).once('close', place.end);
      } catch (error) {
        place.end();
        throw error;
      }
    },
  };
}

async function enter(
  work: Work,
  kind: string,
  addressOf: (() => string) | undefined,
  left: AbortSignal | undefined,
): Promise<WorkPlace> {
  return await refusing(kind, () => work.enter(jobOfRequest(kind, addressOf, left)));
}

function jobOfRequest(
  kind: string,
  addressOf: (() => string) | undefined,
  left: AbortSignal | undefined,
): Job {
  return { kind, client: addressOf && networkOf(addressOf()), left };
}

/** Rejects with a FhirError if the work finds no place. */
async function refusing<Result>(kind: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof NoPlaceError)) throw error;
    const reasons = {
      ofClient: `Your network address is already downloading ${kind}, or other long answers.`,
      ofKind: `Too many clients are downloading ${kind}.`,
      inAll: 'Too many clients are downloading long answers.',
      waiting: 'Too many clients wait for long answers.',
    };
    const headers = ['Retry-After', RETRY_AFTER_SECONDS];
    throw FhirError.of('unavailable', `${reasons[error.taken]} Try again in a moment.`, {
      headers,
    });
  }
}

const RETRY_AFTER_SECONDS = '5';

/** Makes each piece in a slice of the place. Ends when the client leaves. */
async function* inSlices(
  pieces: Pieces,
  place: WorkPlace,
  left: AbortSignal | undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  const iterator = iteratorOf(pieces);
  let isDone = false;
  try {
    while (!isDone && left?.aborted !== true) {
      // The client can leave while the slice waits for its turn.
      const next = await place.slice(() => (left?.aborted === true ? undefined : iterator.next()));
      if (next === undefined) return;
      isDone = next.done === true;
      if (!isDone) yield next.value as Uint8Array;
    }
  } finally {
    if (!isDone) await iterator.return?.();
  }
}

/** Stops if pieces wait and the reader has taken too few in a whole minute. */
function readAtPace(pieces: AsyncIterable<Uint8Array>): Readable {
  let bytes = 0;
  const counted = async function* () {
    for await (const piece of pieces) {
      bytes += piece.length;
      yield piece;
    }
  };
  const source = Readable.from(counted(), { objectMode: false });
  const everyMinute = setInterval(() => {
    if (bytes < BYTES_PER_MINUTE_MIN && source.readableLength > 0) source.destroy();
    bytes = 0;
  }, 60_000);
  everyMinute.unref();
  return source.once('close', () => clearInterval(everyMinute));
}

/** 64 KiB each second. */
const BYTES_PER_MINUTE_MIN = 60 * 64 * 1024;

export type Texts = Iterable<string> | AsyncIterable<string>;

/** Joins the texts to pieces that take a few milliseconds to make at most, apart from a slow text. */
export async function* textPieces(texts: Texts): AsyncGenerator<Buffer, void, undefined> {
  let piece = '';
  let pieceEnd = performance.now() + PIECE_MS;
  for await (const text of texts) {
    piece += text;
    if (piece.length < PIECE_LENGTH && performance.now() < pieceEnd) continue;
    yield Buffer.from(piece);
    piece = '';
    pieceEnd = performance.now() + PIECE_MS;
  }
  if (piece !== '') yield Buffer.from(piece);
}

const PIECE_LENGTH = 32 * 1024;
const PIECE_MS = 5;
