/** The preconditions of a write, evaluated against the current version. RFC 9110, section 13. */

export interface Preconditions {
  readonly ifMatch?: VersionTags;
  /** Milliseconds since 1970; ignored if `ifMatch` is present. */
  readonly ifUnmodifiedSinceMs?: number;
  readonly ifNoneMatch?: VersionTags;
  /** Only the client that created the resource may write. */
  readonly isCreator?: true;
}

/** The version that a write would replace. */
export interface PreconditionsResult {
  readonly currentVersion: number;
  /** Its resource in JSON; absent if it has no content. No client may see it. */
  readonly text?: string;
  /** The first precondition that is false for the current version. */
  readonly header?: PreconditionHeader;
}

/** A precondition is false for the current version. */
export interface Conflict {
  readonly kind: 'conflict';
  readonly header: PreconditionHeader;
  readonly currentVersion: number;
}

/** The client may not write this: another one created it, or it changes the patient blindly. */
export interface RefusedWrite {
  readonly kind: 'not-creator' | 'other-patient';
}

/** The versions that a header names; `*` means any version. */
export type VersionTags = readonly string[] | '*';

/** What preconditions compare of a version. */
export interface VersionState {
  readonly version: number;
  /** `2026-11-21T09:30:00.123+00:00` */
  readonly writtenAt: string;
  /** Absent if the version deleted the resource. `*` does not match such a version. */
  readonly text?: string;
}

export type PreconditionHeader = 'If-Match' | 'If-Unmodified-Since' | 'If-None-Match';

/**
 * The first header whose condition is false, in the order of RFC 9110, section 13.2.2.
 * `previous` reads the version before the current one, if there is one.
 */
export function brokenPrecondition(
  { ifMatch, ifUnmodifiedSinceMs, ifNoneMatch }: Preconditions,
  current: VersionState,
  previous: () => VersionState | undefined,
): PreconditionHeader | undefined {
  if (ifMatch !== undefined) {
    if (!matchesVersion(ifMatch, current)) return 'If-Match';
  } else if (ifUnmodifiedSinceMs !== undefined) {
    const second = Math.floor(ifUnmodifiedSinceMs / 1000);
    if (!isUnmodifiedSince(second, current, previous)) return 'If-Unmodified-Since';
  }
  if (ifNoneMatch !== undefined && matchesVersion(ifNoneMatch, current)) {
    return 'If-None-Match';
  }
  return undefined;
}

function matchesVersion(tags: VersionTags, { version, text }: VersionState): boolean {
  return tags === '*' ? text !== undefined : tags.includes(String(version));
}

/**
 * Last-Modified has whole seconds. If the previous version was written in the same second, the
 * client may have read either version, and an update could overwrite a version that it has not
 * seen.
 */
function isUnmodifiedSince(
  second: number,
  current: VersionState,
  previous: () => VersionState | undefined,
): boolean {
  const writtenIn = secondOf(current);
  if (writtenIn !== second) return writtenIn < second;
  const before = previous();
  return before === undefined || secondOf(before) < second;
}

function secondOf({ writtenAt }: VersionState): number {
  return Math.floor(Date.parse(writtenAt) / 1000);
}
