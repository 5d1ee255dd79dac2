/** Where a peer is: the address that was given, and what may be asked on the strength of it. */
import { SourceError } from '../../directory/import/source.ts';

export interface PeerAddress {
  /** The FHIR base as it was given, without a slash at the end. */
  readonly baseUrl: string;
  /** All organisations of a peer that is Gazetteer, in one document. */
  readonly editionUrl: string;
  /** Whether what is sent there is seen by nobody else: https, or this machine. */
  readonly isPrivate: boolean;
}

/** Throws a SourceError where the text is no address of a FHIR base. */
export function parsePeerAddress(text: string): PeerAddress {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new SourceError(
      `"${text}" is no address: give the FHIR base of a directory, as https://directory.example/STU3.`,
    );
  }
  if (/[?#]/.test(text) || url.username !== '' || url.password !== '') {
    throw new SourceError(
      `Give the FHIR base alone, without query, fragment or user, as ${url.origin}/STU3. ` +
        'A token belongs in a file: --sync-token-file.',
    );
  }
  const path = url.pathname.replace(/\/+$/, '');
  const [below] = BELOW_BASE.exec(path) ?? [];
  if (below !== undefined) {
    const base = url.origin + path.slice(0, -below.length);
    throw new SourceError(`Give the FHIR base, without ${below}: ${base}.`);
  }
  return {
    baseUrl: url.origin + path,
    // Gazetteer has its services beside each other; the document belongs to none of them.
    editionUrl: `${url.origin}${path.replace(/\/[^/]*$/, '')}/editions/current.ndjson`,
    isPrivate: url.protocol === 'https:' || LOOPBACK.test(url.hostname),
  };
}

/** What people copy along with the base. */
const BELOW_BASE = /\/(Organization|metadata)$/;

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * The address of a `next` link, which may be relative, or hold what should be percent-encoded.
 * Throws a SourceError where it leads away from the base: to another origin, or another path.
 */
export function nextAddress(link: string, from: string, { baseUrl }: PeerAddress): string {
  const next = URL.parse(link, from);
  const base = new URL(baseUrl);
  const isBelow =
    next !== null &&
    next.origin === base.origin &&
    `${next.pathname}/`.startsWith(`${base.pathname.replace(/\/$/, '')}/`);
  if (!isBelow || next.username !== '' || next.password !== '') {
    throw new SourceError(
      `${baseUrl} has a next page at ${next?.href ?? JSON.stringify(link)}, which is not below it, ` +
        'and is not followed. Give the address that the directory has in its links.',
    );
  }
  next.hash = '';
  return next.href;
}
