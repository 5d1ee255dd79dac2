/** Which organisations a generated release holds, in the order of its files. */
import { drawOrganisation, referenceTo } from './draw.ts';
import { codeAt, type OrganisationKind, organisationKinds } from './kinds.ts';
import { releaseLandmarks } from './landmarks.ts';
import { IssuedCodes } from './links.ts';
import type { SampleOrganisation } from './organisation.ts';
import { randomFor } from './random.ts';

export interface ReleaseOptions {
  /** How many Organisation elements the full file holds, `refOnly` and repeated ones included. */
  readonly records: number;
  readonly seed: number;
  /** `YYYY-MM-DD`, 2025 or later. */
  readonly publicationDate: string;
  readonly sequence: number;
  /** How many Organisation elements the archive file holds; none, and there is no archive. */
  readonly archive: number;
  /** 0 for the first release; a later one of the same seed differs in about two records of a hundred. */
  readonly revision: number;
}

export const releaseDefaults: ReleaseOptions = {
  records: 800,
  seed: 1,
  publicationDate: '2026-08-28',
  sequence: 1,
  archive: 0,
  revision: 0,
};

/** The organisations of the full file in its order. */
export function* fullOrganisations(
  options: ReleaseOptions,
): Generator<SampleOrganisation, void, undefined> {
  const landmarks = releaseLandmarks().slice(0, options.records);
  yield* landmarks;
  const codes = new CodeSequence(landmarks.map((landmark) => landmark.code));
  let previous: SampleOrganisation | undefined;
  for (let index = landmarks.length; index < options.records; index++) {
    const organisation = drawAt(options, index, codes);
    const random = randomFor(options.seed ^ 0x0f0f, index);
    if (previous !== undefined && random.isChance(DUPLICATE_CHANCE)) {
      yield { ...previous, status: 'Inactive', lastChangeDate: '2012-04-01' };
    } else if (random.isChance(REFERENCE_CHANCE)) {
      yield referenceTo(organisation);
    } else {
      yield revised(organisation, index, options);
      previous = organisation;
    }
  }
}

/** The organisations of the archive file in its order. */
export function* archiveOrganisations(
  options: ReleaseOptions,
): Generator<SampleOrganisation, void, undefined> {
  const landmarks = releaseLandmarks().slice(0, options.records);
  const codes = new CodeSequence(landmarks.map((landmark) => landmark.code));
  let count = 0;
  for (let index = landmarks.length; count < options.archive; index++) {
    const organisation = drawAt(options, index, codes);
    const random = randomFor(options.seed ^ 0x0f0f, index);
    const isInFull = index < options.records;
    // The two chances are drawn as in the full file, so that the same records are chosen.
    const isDuplicate = isInFull && random.isChance(DUPLICATE_CHANCE);
    const isReference = isInFull && !isDuplicate && random.isChance(REFERENCE_CHANCE);
    if (isReference || !isInFull) yield organisation;
    else if (!isDuplicate && random.isChance(REFERENCE_CHANCE)) yield referenceTo(organisation);
    else continue;
    count++;
  }
}

/** Repeated codes and `refOnly` records in 10,000, as in the national file. */
const DUPLICATE_CHANCE = 5;
const REFERENCE_CHANCE = 330;

function drawAt(options: ReleaseOptions, index: number, codes: CodeSequence): SampleOrganisation {
  const random = randomFor(options.seed, index);
  const { kind, code } = codes.next(random.below(1000));
  const { publicationDate } = options;
  const { issued } = codes;
  return drawOrganisation({ kind, code, number: index, publicationDate, issued }, random);
}

/** What a later release says of an organisation: as before, renamed, or closed. */
function revised(
  organisation: SampleOrganisation,
  index: number,
  options: ReleaseOptions,
): SampleOrganisation {
  const random = randomFor(options.seed ^ options.revision, index ^ 0x5555);
  if (options.revision === 0 || !random.isChance(200)) return organisation;
  const lastChangeDate = options.publicationDate;
  if (random.isChance(5000)) {
    return {
      ...organisation,
      name: `${organisation.name} (REVISED ${options.revision})`,
      lastChangeDate,
    };
  }
  if (random.isChance(7000)) return { ...organisation, status: 'Inactive', lastChangeDate };
  // Gone, and another in its place: no kind's code starts with W.
  const number = options.revision * NUMBERS_OF_REVISION + index;
  return { ...organisation, code: `W${options.revision}X${index}`, number, lastChangeDate };
}

/** More than the organisations of a release. */
const NUMBERS_OF_REVISION = 1_000_000;

/** Returns the codes of each kind one after the other, each once. */
class CodeSequence {
  readonly issued = new IssuedCodes();
  readonly #taken: ReadonlySet<string>;
  readonly #ordinals = new Map<OrganisationKind, number>();

  constructor(taken: readonly string[]) {
    this.#taken = new Set(taken);
  }

  /** The kind that holds the `share`th of 1,000 shares, or the next one that has codes left. */
  next(share: number): { kind: OrganisationKind; code: string } {
    let first = 0;
    for (let rest = share; first < organisationKinds.length - 1; first++) {
      rest -= organisationKinds[first]?.share ?? 0;
      if (rest < 0) break;
    }
    for (let step = 0; step < organisationKinds.length; step++) {
      const kind = organisationKinds[(first + step) % organisationKinds.length];
      const code = kind && this.#nextOf(kind);
      if (kind && code !== undefined) return { kind, code };
    }
    throw new RangeError('There are no more organisation codes.');
  }

  #nextOf(kind: OrganisationKind): string | undefined {
    let ordinal = this.#ordinals.get(kind) ?? 0;
    let code = codeAt(kind.code, ordinal++);
    while (code !== undefined && this.#taken.has(code)) code = codeAt(kind.code, ordinal++);
    this.#ordinals.set(kind, ordinal);
    return code;
  }
}
