/** The client of HAPI FHIR, as Java programs use it: asks what the server is, then for XML. */
import assert from 'node:assert/strict';
import { STU3 } from '../../../src/fhir/definitions/fhir-version.ts';
import { decodeXml } from '../../../src/fhir/format/xml.ts';

/** How its generations ask for XML: the old one by the old name, the later one by both. */
export const HAPI_ACCEPT = {
  dstu2: 'application/xml+fhir',
  dstu3: 'application/fhir+xml;q=1.0, application/xml+fhir;q=0.9',
} as const;

export type HapiGeneration = keyof typeof HAPI_ACCEPT;

export interface HapiAnswer {
  readonly status: number;
  readonly resource: unknown;
}

export class HapiClient {
  readonly #server: string;
  readonly #generation: HapiGeneration;
  /** Every request so far, in order: its path and query. */
  readonly requests: string[] = [];
  #isKnown = false;

  constructor(server: string, generation: HapiGeneration) {
    this.#server = server;
    this.#generation = generation;
  }

  read(type: string, id: string): Promise<HapiAnswer> {
    return this.#invoke(`${type}/${id}`);
  }

  search(type: string, query: string): Promise<HapiAnswer> {
    return this.#invoke(`${type}?${query}`);
  }

  /** A link of a Bundle, as it is: it carries the format already. */
  async page(url: string): Promise<HapiAnswer> {
    return this.#get(url);
  }

  async #invoke(path: string): Promise<HapiAnswer> {
    if (!this.#isKnown) await this.#checkServer();
    return this.#get(`${this.#server}/${path}${path.includes('?') ? '&' : '?'}_format=xml`);
  }

  /** Once for each client, before anything else is asked. */
  async #checkServer(): Promise<void> {
    const { status, resource } = await this.#get(`${this.#server}/metadata?_format=xml`);
    const { resourceType, fhirVersion }: Record<string, unknown> = Object(resource);
    assert.equal(status, 200);
    assert.equal(resourceType, 'CapabilityStatement');
    assert.match(String(fhirVersion), /^3\.0\./);
    this.#isKnown = true;
  }

  async #get(url: string): Promise<HapiAnswer> {
    this.requests.push(url.slice(this.#server.length));
    const response = await fetch(url, {
      headers: {
        Accept: HAPI_ACCEPT[this.#generation],
        'Accept-Charset': 'utf-8',
        'Accept-Encoding': 'gzip',
        'User-Agent': `HAPI-FHIR/2.5 (FHIR Client; ${this.#generation.toUpperCase()}; apache)`,
      },
    });
    const type = response.headers.get('Content-Type') ?? '';
    if (!XML_TYPES.test(type)) throw new TypeError(`${type} is no XML of FHIR`);
    const body = Buffer.from(await response.arrayBuffer());
    const { resource, findings } = decodeXml(body, STU3.definitions);
    assert.deepEqual(findings, []);
    return { status: response.status, resource };
  }
}

const XML_TYPES = /^(application\/fhir\+xml|application\/xml\+fhir|application\/xml|text\/xml);/;
