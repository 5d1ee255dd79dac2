/** The kinds of input to attack, with the length limit of each and the code that reads it. */
import { generateKeyPairSync } from 'node:crypto';
import { createAuthenticator, createAuthorize } from '../../src/auth/authenticator.ts';
import { sectionOf } from '../../src/config/section.ts';
import { rolesMeant } from '../../src/directory/ask/role-words.ts';
import type { Edition } from '../../src/directory/edition/edition.ts';
import { NO_HISTORY } from '../../src/directory/edition/edition-store.ts';
import { createCollector } from '../../src/directory/import/collector.ts';
import { serveFace } from '../../src/interfaces/faces/rendered-edition.ts';
import { DIRECTORY_FACES } from '../../src/interfaces/served-faces.ts';
import { LISTENER_LIMITS } from '../../src/server/http-listener.ts';
import { understoodUris } from '../../src/sources/fhir/organization-record.ts';
import { readFhir } from '../../src/sources/fhir/read-fhir.ts';
import { readRelease } from '../../src/sources/release-file/read-release.ts';
import { lookUpPage } from '../../src/web/look-up/look-up-page.ts';
import { parameterProblems } from '../../src/web/look-up/parameter-problems.ts';
import { suggest } from '../../src/web/look-up/suggestions.ts';
import { readCuts, readState, readText } from '../../src/web/matches/state.ts';
import { createAddresses } from '../../src/web/parts/addresses.ts';
import {
  type Asked,
  CONFIG,
  createAsk,
  DIRECTORY,
  type Headers,
  SERVER_URL,
  TAKES_ALL,
} from './ask.ts';
import { pagesOf } from './pages.ts';
import type { Input } from './shapes.ts';
import * as shapes from './shapes.ts';
import { terminologyOf } from './terminology.ts';

/** Leaves room for a path and other headers. */
const HEADER_BYTES = LISTENER_LIMITS.headerBytesMax - 200;
const JSON_TYPE = { 'content-type': 'application/json+fhir' };
const R4_TYPE = { 'content-type': 'application/fhir+json' };
const XML_TYPE = { 'content-type': 'application/xml+fhir' };
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };
const LENIENT = { prefer: 'handling=lenient' };

/** Every kind of input, read as a server or an import reads it. */
export function inputsOf(edition: Edition): readonly Input[] {
  return [
    ...bodiesOf(edition),
    ...addressesOf(edition),
    ...searchesOf(edition),
    ...headersOf(edition),
    ...pagesOf(edition),
    ...terminologyOf(edition),
    ...IMPORTS,
  ];
}

function bodiesOf(edition: Edition): Input[] {
  const ask = createAsk(edition, TAKES_ALL);
  const body = (name: string, headers: Headers, made: shapes.Shapes): Input => ({
    name,
    bytesMax: LISTENER_LIMITS.bodyBytesMax,
    isRequest: true,
    ...made,
    read: (text) => ask({ method: 'POST', path: '/OrderResponse', headers }, text),
  });
  const bundle = (name: string, headers: Headers, made: shapes.Shapes): Input => ({
    ...body(name, headers, made),
    // Above the limit of elements, a Bundle is refused before most of the work.
    timesMax: 49_000,
    read: (text) => ask({ method: 'POST', path: '/', headers }, text),
  });
  return [
    body('JSON body', JSON_TYPE, shapes.JSON_SHAPES),
    body('XML body', XML_TYPE, shapes.XML_SHAPES),
    bundle('JSON Bundle', JSON_TYPE, shapes.JSON_BUNDLE_SHAPES),
    bundle('XML Bundle', XML_TYPE, shapes.XML_BUNDLE_SHAPES),
    body('narrative', JSON_TYPE, shapes.NARRATIVE_SHAPES),
    body('style', JSON_TYPE, shapes.STYLE_SHAPES),
    {
      ...body('R4 Parameters body', R4_TYPE, shapes.PARAMETERS_SHAPES),
      read: (text) =>
        ask({ method: 'POST', path: '/R4/CodeSystem/$lookup', headers: R4_TYPE }, text),
    },
    {
      name: 'form',
      bytesMax: LISTENER_LIMITS.formBytesMax,
      isRequest: true,
      ...shapes.SEARCH_SHAPES,
      read: (text) =>
        ask({ method: 'POST', path: '/STU3/Organization/_search', headers: FORM_TYPE }, text),
    },
  ];
}

function addressesOf(edition: Edition): Input[] {
  const ask = createAsk(edition, TAKES_ALL);
  const addresses = createAddresses(
    serveFace(DIRECTORY_FACES[0], { settings: DIRECTORY, serverUrl: SERVER_URL }),
  );
  const address = (name: string, made: shapes.Shapes, read: Input['read']): Input => ({
    name,
    bytesMax: HEADER_BYTES,
    isRequest: true,
    ...made,
    read,
  });
  const query = (name: string, path: string) =>
    address(name, shapes.SEARCH_SHAPES, (text) =>
      ask({ method: 'GET', path, query: text, headers: LENIENT }),
    );
  return [
    query('query of a search', '/STU3/Organization'),
    query('query of a history', '/OrderResponse/a/_history'),
    query('query of metadata', '/STU3/metadata'),
    address('path', shapes.PATH_SHAPES, (path) => ask({ method: 'GET', path })),
    address('page look-up', shapes.PAGE_SHAPES, (text) => {
      const parameters = new URLSearchParams(text);
      const options = { addresses, history: NO_HISTORY, today: () => TODAY };
      const state = readState(parameters, (role) => rolesMeant(edition, role));
      return lookUpPage(edition, state, options, {
        cuts: readCuts(parameters),
        problems: parameterProblems(edition, parameters),
      });
    }),
    address('page suggestions', shapes.PAGE_SHAPES, (text) =>
      suggest(edition, readText(new URLSearchParams(text).get('q'))),
    ),
  ];
}

/** Each request asks for another page, because a server keeps the answers of the last searches. */
function searchesOf(edition: Edition): Input[] {
  const ask = createAsk(edition, TAKES_ALL);
  let asked = 0;
  const search = (name: string, path: string, offset: string, made: shapes.Shapes): Input => ({
    name,
    bytesMax: HEADER_BYTES,
    isRequest: true,
    ...made,
    read: (text) => {
      asked += 1;
      return ask({ method: 'GET', path, query: `${text}&${offset}=${asked}` });
    },
  });
  const organization = '/R4/Organization';
  const affiliation = '/R4/OrganizationAffiliation';
  return [
    search('R4 search, parameters', organization, '_offset', shapes.R4_PARAMETERS_SHAPES),
    search('R4 search, values', organization, '_offset', shapes.R4_VALUES_SHAPES),
    search('R4 affiliations', affiliation, '_offset', shapes.AFFILIATION_SHAPES),
    search('ORD search', '/ORD/2-0-0/organisations', 'Offset', shapes.ORD_SHAPES),
  ];
}

/**
 * Sends each header to the interaction that uses it. A request for an order response without a
 * token is refused.
 */
function headersOf(edition: Edition): Input[] {
  const ask = createAsk(edition, TAKES_ALL);
  const authorize = createAuthorize(
    createAuthenticator(sectionOf(CONFIG, 'auth'), {
      audienceDefault: SERVER_URL,
      ownKey: { issuer: 'bench', publicKey: KEY },
      onProblem: () => {},
    }),
  );
  const askWithToken = createAsk(edition, authorize);
  const search = { method: 'GET', path: '/STU3/Organization', query: '_count=1' };
  const create = { method: 'POST', path: '/OrderResponse' };
  const update = { method: 'PUT', path: '/OrderResponse/a' };
  const requests: Readonly<Record<string, Asked>> = {
    ...Object.fromEntries(['content-type', 'if-none-exist'].map((name) => [name, create])),
    ...Object.fromEntries(['if-match', 'if-unmodified-since'].map((name) => [name, update])),
    authorization: create,
  };
  return Object.entries(shapes.HEADER_SHAPES).map(([name, made]) => ({
    name,
    bytesMax: HEADER_BYTES,
    isRequest: true,
    ...made,
    read: (text) => {
      // Node gives headers as Latin-1.
      const headers = { ...JSON_TYPE, [name]: Buffer.from(text).toString('latin1') };
      const asked = requests[name] ?? search;
      const body = asked === search ? undefined : `${shapes.JSON_START}}`;
      return (name === 'authorization' ? askWithToken : ask)({ ...asked, headers }, body);
    },
  }));
}

const KEY = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });

const IMPORTS: readonly Input[] = [
  {
    name: 'release XML',
    bytesMax: 1024 ** 2,
    isRequest: false,
    ...shapes.RELEASE_SHAPES,
    read: (text) =>
      quietly(
        readRelease(
          documentOf(text),
          createCollector(() => {}),
        ),
      ),
  },
  {
    name: 'FHIR import line',
    bytesMax: 1024 ** 2 - 64,
    isRequest: false,
    ...shapes.FHIR_LINE_SHAPES,
    read: (text) => {
      const receiver = createCollector(() => {});
      const uris = understoodUris([DIRECTORY]);
      const options = { receiver, form: 'ndjson', uris, now: new Date(0) } as const;
      return quietly(readFhir(documentOf(`${text}\n`), options));
    },
  },
];

function documentOf(text: string) {
  return { name: 'a', chunks: [Buffer.from(text)], bytesBefore: 0, bytesTotal: () => undefined };
}

/** Refused input counts, because the server has read it. */
async function quietly(reading: Promise<unknown>): Promise<void> {
  try {
    await reading;
  } catch {
    // A refused source ends with an error.
  }
}

const TODAY = '2026-11-24';
