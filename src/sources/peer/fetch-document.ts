/** Fetches the whole current edition of a peer that is Gazetteer into the spool, if it is new. */
import type { OnProgress } from '../../directory/import/collector.ts';
import { SourceError } from '../../directory/import/source.ts';
import { mediaTypeOf } from '../../fhir/http/media-type.ts';
import type { Ask, HttpClient } from '../http/http-options.ts';
import type { Spool } from '../http/spool.ts';
import type { PeerAddress } from './peer-address.ts';

export interface FetchDocumentOptions {
  readonly peer: PeerAddress;
  readonly client: HttpClient;
  readonly spool: Spool;
  /** The entity tag of the document that was read before. */
  readonly etag: string | undefined;
  readonly bytesMax: number;
  readonly onProgress: OnProgress;
}

/** `absent`: the peer has no such document, so the sync reads it page by page. */
export type Fetched =
  | 'unchanged'
  | 'absent'
  | { readonly form: DocumentForm; readonly etag?: string | undefined };

/** A release has relationships. Older versions of Gazetteer have only FHIR. */
export type DocumentForm = 'release' | 'fhir';

export async function fetchDocument(options: FetchDocumentOptions): Promise<Fetched> {
  const release = await fetchForm('release', options);
  return release === 'absent' ? await fetchForm('fhir', options) : release;
}

async function fetchForm(form: DocumentForm, options: FetchDocumentOptions): Promise<Fetched> {
  const { peer, client, spool, etag, bytesMax, onProgress } = options;
  const url = form === 'release' ? peer.releaseUrl : peer.editionUrl;
  const types = MEDIA_TYPES[form];
  const ask: Ask = {
    url,
    accept: types[0],
    // The peer answers 304 if its edition still has this entity tag.
    headers: () => (etag === undefined ? {} : { 'If-None-Match': etag }),
    taken: [304, 404],
  };
  return await client.ask(ask, async ({ status, headers, chunks }) => {
    if (status === 304) return 'unchanged';
    const isRightType = types.includes(mediaTypeOf(headers.get('content-type') ?? ''));
    if (status === 404 || !isRightType) return 'absent';
    spool.cutTo(0);
    let records = 0;
    for await (const chunk of chunks) {
      if (spool.bytes + chunk.length > bytesMax) {
        throw new SourceError(
          `${url} has more than ${bytesMax} bytes. If this is correct, raise import.unpackedMax.`,
        );
      }
      spool.add(chunk);
      for (const byte of chunk) if (byte === NEWLINE) records += 1;
      onProgress({ records, bytes: spool.bytes, bytesTotal: undefined });
    }
    return { form, etag: headers.get('etag') ?? undefined };
  });
}

/** The type that is requested, and others with the same meaning. */
const MEDIA_TYPES: Readonly<Record<DocumentForm, readonly [string, ...string[]]>> = {
  release: ['application/xml', 'text/xml'],
  fhir: ['application/fhir+ndjson', 'application/ndjson', 'application/x-ndjson'],
};

const NEWLINE = 0x0a;
