/** The addresses of a peer: its base as given, and the folder of its editions. */
import { SourceError } from '../../directory/import/source.ts';

export interface PeerAddress {
  /** The FHIR base as it was given, without a slash at the end. */
  readonly baseUrl: string;
  /** The folder of the downloads of a Gazetteer, without a slash at the end. */
  readonly editionsUrl: string;
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
  return {
    baseUrl: url.origin + path,
    // Gazetteer has its services beside each other. The downloads are not part of any of them.
    editionsUrl: `${url.origin}${path.replace(/(\/legacy)?\/[^/]*$/, '')}/editions`,
    isPrivate: url.protocol === 'https:' || LOOPBACK.test(url.hostname),
  };
}

/** Paths that people often copy together with the base. */
const BELOW_BASE = /\/(Organization|metadata)$/;

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
