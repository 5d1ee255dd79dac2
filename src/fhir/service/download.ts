/** A file that a service offers in addition to its FHIR interactions. */

export interface Download {
  /** Absolute. */
  readonly url: string;
  /** The id of the operation in the OpenAPI description: `currentEdition`. */
  readonly name: string;
  readonly documentation: string;
  /** The only media type. The header Accept does not matter. */
  readonly contentType: string;
  /** The type of the resources in it: a client needs the scope to read them. Absent: no scope. */
  readonly type?: string;
  /** Throws a FhirError if there is nothing to download. */
  readonly open: () => OpenDownload;
}

export interface OpenDownload {
  readonly etag: string;
  /** An HTTP date. */
  readonly lastModified?: string;
  /** More headers of the answer: each name is followed by its value. */
  readonly headers?: readonly string[];
  /**
   * Makes the bytes, or their gzip, while they are read. May throw a FhirError. The reader must
   * read to the end, or call `return` (`destroy` of a stream). `addressOf`: the address of the client.
   */
  readonly pieces: (
    isGzip: boolean,
    addressOf?: () => string,
  ) => Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
}
