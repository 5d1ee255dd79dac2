/** The addresses of a peer: its base as given, and the addresses that a sync may request. */
import { SourceError } from '../../directory/import/source.ts';

export interface PeerAddress {
  /** The FHIR base as it was given, without a slash at the end. */
  readonly baseUrl: string;
  /** All organisations of a peer that is Gazetteer, in one document: FHIR, without relationships. */
  readonly editionUrl: string;
  /** The same in the form of the national release, with everything that an edition keeps. */
  readonly releaseUrl: string;
  /** Whether no other program can read what is sent there: https, or this machine. */
  readonly isPrivate: boolean;
}

/** Throws a SourceError if the text is not the address of a FHIR base. */
export function parsePeerAddress(text: string): PeerAddress {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new SourceError(
      `"${text}" is not an address. Use the FHIR base of a directory, such as https://directory.example/STU3.`,
    );
  }
  if (/[?#]/.test(text) || url.username !== '' || url.password !== '') {
    throw new SourceError(
      `Give the FHIR base alone, without query, fragment or user, such as ${url.origin}/STU3. ` +
        'Put a token in a file, and name the file with --sync-token-file.',
    );
  }
  const path = url.pathname.replace(/\/+$/, '');
  const [below] = BELOW_BASE.exec(path) ?? [];
  if (below !== undefined) {
    const base = url.origin + path.slice(0, -below.length);
    throw new SourceError(`Give the FHIR base, without ${below}: ${base}.`);
  }
  // Gazetteer has its services beside each other. The document is not part of any of them.
  const editions = `${url.origin}${path.replace(/(\/legacy)?\/[^/]*$/, '')}/editions`;
  return {
    baseUrl: url.origin + path,
    editionUrl: `${editions}/current.ndjson`,
    releaseUrl: `${editions}/current.xml`,
    isPrivate: url.protocol === 'https:' || LOOPBACK.test(url.hostname),
  };
}

/** Paths that people often copy together with the base. */
const BELOW_BASE = /\/(Organization|metadata)$/;

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * The address of a `next` link, which may be relative, or not percent-encoded.
 * Throws a SourceError if it is not below the base: another origin, or another path.
 */
export function nextAddress(
  link: string,
  from: string,
  { baseUrl }: Pick<PeerAddress, 'baseUrl'>,
): string {
  const next = URL.parse(link, from);
  const base = new URL(baseUrl);
  const isBelow =
    next !== null &&
    next.origin === base.origin &&
    `${next.pathname}/`.startsWith(`${base.pathname.replace(/\/$/, '')}/`);
  if (!isBelow || next.username !== '' || next.password !== '') {
    throw new SourceError(
      `${baseUrl} has a next page at ${next?.href ?? JSON.stringify(link)}, which is not below this address. ` +
        'Give the address that the directory has in its links.',
    );
  }
  next.hash = '';
  return next.href;
}
