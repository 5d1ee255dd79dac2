/** A look-up library for ORD, as the Ruby gem ndr_lookup has it: records, searches and codes. */
import { type OrdRecord, type OrdRow, ordError, ordRecord, ordSearch } from './ord-payloads.ts';

/** An answer that is an error: its code and text are in the body. */
export class OrdFailure extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export class OrdLookup {
  readonly #base: string;

  constructor(base: string) {
    this.#base = base;
  }

  async find(code: string): Promise<OrdRecord> {
    const { body } = await this.#get(`${this.#base}/organisations/${code}`);
    return ordRecord.parse(body).Organisation;
  }

  /** All pages, by the header Next-Page. */
  async search(parameters: Readonly<Record<string, string>>): Promise<OrdRow[]> {
    const rows: OrdRow[] = [];
    let url: string | null = `${this.#base}/organisations?${new URLSearchParams(parameters)}`;
    while (url !== null) {
      const { body, headers }: { body: unknown; headers: Headers } = await this.#get(url);
      const { Organisations } = ordSearch.parse(body);
      if (Number(headers.get('Returned-Records')) !== Organisations.length) {
        throw new Error('Returned-Records is not the number of rows');
      }
      rows.push(...Organisations);
      url = headers.get('Next-Page');
    }
    return rows;
  }

  /** `roles`, `rels` or `recordclasses`, with or without an id. */
  async codes(path: string): Promise<unknown> {
    return (await this.#get(`${this.#base}/${path}`)).body;
  }

  async #get(url: string) {
    const response = await fetch(url, { headers: { 'User-Agent': 'rest-client/2.1.0' } });
    const body: unknown = await response.json();
    if (response.ok) return { body, headers: response.headers };
    const { errorCode, errorText } = ordError.parse(body);
    throw new OrdFailure(errorCode, errorText);
  }
}
