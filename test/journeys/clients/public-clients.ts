/**
 * Public clients of the retired service: the requests that they send, and the values that they read
 * out of the answers, as their languages read them. The guide for moving a client has the same table.
 */
import { HapiClient } from './hapi-client.ts';
import { columnInR, inJavaScript, inPhp, inPython } from './language-semantics.ts';

export interface PublicClient {
  /** As the guide names it. */
  readonly name: string;
  /** The interfaces that it works with. */
  readonly worksWith: readonly ('STU3' | 'legacy')[];
  /** What happens with the other interface. */
  readonly otherwise?: 'an error' | 'wrong values, without an error';
  /** `base` is the address that replaces `https://directory.spineservices.nhs.uk/STU3`. */
  readonly run: (base: string) => Promise<unknown>;
  readonly reads: unknown;
}

const CODE_SYSTEM = 'https://fhir.nhs.uk/Id/ods-organization-code';
const ROLE_URL = 'https://fhir.nhs.uk/STU3/StructureDefinition/Extension-ODSAPI-OrganizationRole-1';

const RTG = {
  name: 'UNIVERSITY HOSPITALS OF DERBY AND BURTON NHS FOUNDATION TRUST',
  postcode: 'DE22 3NE',
};

/** How the name of a HAPI client says which media types it asks for. */
const MEDIA_TYPES = { dstu2: ', with the media types of DSTU2', dstu3: '' } as const;

export const PUBLIC_CLIENTS: readonly PublicClient[] = [
  {
    name: 'the ODS client of the EPS prescribing API (`live-ods-client`, TypeScript with axios)',
    worksWith: ['legacy'],
    otherwise: 'wrong values, without an error',
    run: async (base) => {
      const accept = { Accept: 'application/json, text/plain, */*' };
      const { status, json } = await get(`${base}/Organization/RTG`, accept);
      const missing = await get(`${base}/Organization/NOPE`, accept);
      // It wraps each single object in the array that its own FHIR version has there.
      const converted = {
        identifier: [json.identifier],
        address: [json.address],
        name: json.name,
      };
      return {
        statuses: [status, missing.status],
        code: inJavaScript(converted, 'identifier', 0, 'value'),
        postcode: inJavaScript(converted, 'address', 0, 'postalCode'),
        name: converted.name,
        primaryRole: primaryRoleOf(json),
      };
    },
    reads: {
      statuses: [200, 404],
      code: 'RTG',
      postcode: RTG.postcode,
      name: RTG.name,
      primaryRole: 'NHS TRUST',
    },
  },
  {
    name: 'the registration check of `hw-feedback` (WordPress, PHP)',
    worksWith: ['legacy'],
    otherwise: 'wrong values, without an error',
    run: async (base) => {
      const { json } = await get(`${base}/Organization/FA00B`, { 'User-Agent': 'WordPress/6.4' });
      return {
        name: inPhp(json, 'name'),
        isActive: inPhp(json, 'active'),
        opened: inPhp(json, 'extension', 0, 'valuePeriod', 'start'),
        street: inPhp(json, 'address', 'line', 0),
        town: inPhp(json, 'address', 'city'),
        postcode: inPhp(json, 'address', 'postalCode'),
        phone: inPhp(json, 'telecom', 0, 'value'),
      };
    },
    reads: {
      name: 'AVON GLADE PHARMACY',
      isActive: false,
      opened: '2004-12-18',
      street: '115 LAVENDER WAY',
      town: 'STOKE-ON-TRENT',
      postcode: 'ST18 8PU',
      phone: null,
    },
  },
  {
    name: 'look-up scripts in R with `jsonlite`, by identifier',
    worksWith: ['legacy'],
    otherwise: 'wrong values, without an error',
    run: async (base) => {
      const { json } = await get(
        `${base}/Organization?identifier=${CODE_SYSTEM}%7CRTG&_format=json`,
        { 'User-Agent': 'libcurl/7.84 r-curl/5.0 httr/1.4', Accept: '*/*' },
      );
      const rows = json.entry;
      return {
        total: Number(json.total),
        names: columnInR(rows, 'resource', 'name'),
        codes: columnInR(rows, 'resource', 'identifier', 'value'),
        postcodes: columnInR(rows, 'resource', 'address', 'postalCode'),
      };
    },
    reads: { total: 1, names: [RTG.name], codes: ['RTG'], postcodes: [RTG.postcode] },
  },
  {
    name: 'look-up scripts in R or Python that read only names',
    worksWith: ['STU3', 'legacy'],
    run: async (base) => {
      const { json } = await get(
        `${base}/Organization?identifier=${CODE_SYSTEM}%7CRTG&_format=json`,
        { 'User-Agent': 'python-requests/2.31.0', Accept: '*/*' },
      );
      return [inPython(json, 'entry', 0, 'resource', 'name'), Number(json.total)];
    },
    reads: [RTG.name, 1],
  },
  {
    name: 'scripts in Python that compare `total` with `"0"`, or read single objects',
    worksWith: ['legacy'],
    otherwise: 'an error',
    run: async (base) => {
      const [none, some] = await Promise.all(
        ['NOPE', 'RTG'].map((code) => get(`${base}/Organization?identifier=${code}`, {})),
      );
      const addressOf = (json: Json) =>
        json.total === '0'
          ? undefined
          : inPython(json, 'entry', 0, 'resource', 'address', 'postalCode');
      return [addressOf(none?.json ?? {}), addressOf(some?.json ?? {})];
    },
    reads: [undefined, RTG.postcode],
  },
  {
    name: 'look-up libraries in Java that map JSON to classes: 404 becomes `null`',
    worksWith: ['legacy'],
    otherwise: 'an error',
    run: async (base) => {
      const headers = { Accept: 'application/json', 'User-Agent': 'Java/1.8.0_202' };
      const found = await get(`${base}/Organization/RTG`, headers);
      const missing = await get(`${base}/Organization/NOPE`, headers);
      // A class for an object cannot be made of an array.
      for (const field of ['identifier', 'address', 'type']) {
        if (Array.isArray(found.json[field])) throw new TypeError(`${field}: START_ARRAY`);
      }
      return [
        inPython(found.json, 'address', 'city'),
        missing.status === 404 ? null : missing.json,
      ];
    },
    reads: ['DERBY', null],
  },
  ...(['dstu2', 'dstu3'] as const).map(
    (generation): PublicClient => ({
      name: `HAPI FHIR for DSTU3 (Java)${MEDIA_TYPES[generation]}: \`metadata\` first, then XML`,
      worksWith: ['STU3', 'legacy'],
      run: async (base) => {
        const client = new HapiClient(base, generation);
        const { resource } = await client.read('Organization', 'RTG');
        const missing = await client.read('Organization', 'NOPE');
        return [client.requests[0], inJavaScript(resource, 'name'), missing.status];
      },
      reads: ['/metadata?_format=xml', RTG.name, 404],
    }),
  ),
  {
    name: 'strict FHIR libraries that ask for JSON (Firely for STU3, `fhirclient`, `fhir.js`)',
    worksWith: ['STU3'],
    otherwise: 'an error',
    run: async (base) => {
      const headers = { Accept: 'application/fhir+json' };
      const { json } = await get(`${base}/Organization?_id=RTG`, headers);
      if (typeof json.total !== 'number') throw new TypeError('total is not a number');
      const resource = Object(inJavaScript(json, 'entry', 0, 'resource'));
      for (const field of ['identifier', 'address', 'type']) {
        if (!Array.isArray(resource[field])) throw new TypeError(`${field} is not an array`);
      }
      return inJavaScript(resource, 'address', 0, 'postalCode');
    },
    reads: RTG.postcode,
  },
  {
    name: 'pages in a browser that show the address and the roles of an organisation',
    worksWith: ['legacy'],
    otherwise: 'wrong values, without an error',
    run: async (base) => {
      const { json, headers } = await get(`${base}/Organization/RTG`, {
        Origin: 'https://demo.example.org',
      });
      return {
        mayRead: headers.get('Access-Control-Allow-Origin'),
        postcode: inJavaScript(json, 'address', 'postalCode'),
        primaryRole: primaryRoleOf(json),
      };
    },
    reads: { mayRead: '*', postcode: RTG.postcode, primaryRole: 'NHS TRUST' },
  },
];

type Json = Readonly<Record<string, unknown>>;

async function get(url: string, headers: Readonly<Record<string, string>>) {
  const response = await fetch(url, { headers });
  const json: Json = Object(await response.json());
  return { status: response.status, headers: response.headers, json };
}

/** By the position of the parts: role, then primaryRole. */
function primaryRoleOf({ extension }: Json): unknown {
  const roles = Array.isArray(extension) ? extension.filter(({ url }) => url === ROLE_URL) : [];
  const primary = roles.find((role) => inJavaScript(role, 'extension', 1, 'valueBoolean'));
  return inJavaScript(primary, 'extension', 0, 'valueCoding', 'display');
}
