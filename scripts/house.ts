/**
 * The folders of `src/` in floors, from the ground up: a folder imports only folders that stand
 * before it in its list. `test/tidy/floors.test.ts` checks this rule, and ARCHITECTURE.md shows the
 * lists as a picture.
 */

/** A folder. */
export interface Room {
  readonly name: string;
  /** A phrase for the contents of the folder. */
  readonly holds: string;
  /** The files (`FILES`) and folders in the folder, from the ground up. Absent: it has no folders. */
  readonly floors?: readonly Room[];
}

/** The name of the files that a folder has beside the folders in it. */
export const FILES = '.';

export const HOUSE: readonly Room[] = [
  {
    name: 'threads',
    holds:
      'worker threads and their supervisor, limits of what runs at a time, pauses of long work',
  },
  {
    name: 'config',
    holds: 'the settings, and the version of the program',
    floors: [
      { name: 'settings', holds: 'each setting: its check, its default, its help text' },
      { name: FILES, holds: 'how settings are loaded from flags, variables and a file' },
    ],
  },
  {
    name: 'fhir',
    holds: 'the core for all FHIR versions',
    floors: [
      {
        name: 'request',
        holds:
          'a request and its answer as plain data, what can go wrong, and codes that all rooms share',
      },
      { name: 'definitions', holds: 'the elements of each FHIR version, as data' },
      {
        name: 'format',
        holds: 'JSON and XML: reading, checking against the definitions, writing',
        floors: [
          { name: 'xml-tokenizer', holds: 'XML as tags and texts' },
          {
            name: FILES,
            holds: 'reading and writing bodies, and checking them while they are read',
          },
        ],
      },
      { name: 'rules', holds: 'the rules for resources beyond the structure of their types' },
      { name: 'http', holds: 'headers, media types, the choice of a format, query strings, gzip' },
      {
        name: 'search',
        holds:
          'search parameters as criteria, with a file for each type: dates, references, strings, tokens',
      },
      { name: 'audit', holds: 'the entries of the audit log, and these as resources' },
      {
        name: 'stored',
        holds:
          'the repository as an interface: its calls, the preconditions of writes, the changes of a feed',
      },
      {
        name: 'service',
        holds: 'services as values, and the way from a request to its answer or error',
      },
      { name: 'statement', holds: 'what a service says of itself: capabilities, OpenAPI' },
      { name: 'bundle', holds: 'batches and transactions that clients send' },
      {
        name: 'interactions',
        holds:
          'the interactions, one file for each, and what several of them share: feeds, preconditions',
      },
      { name: FILES, holds: 'the way in: `handle.ts` answers a request' },
    ],
  },
  { name: 'nhs', holds: 'the error codes of the Spine, which both services use' },
  {
    name: 'directory',
    holds:
      'the engine of the directory, without HTTP: records, their index, and questions about them',
    floors: [
      {
        name: 'arrays',
        holds: 'named arrays of numbers, in which an edition is built, stored and shared',
      },
      {
        name: 'record',
        holds: 'records as sources describe them, and the compact rows made of them',
      },
      { name: 'links', holds: 'relationships and successions as arrays' },
      { name: 'places', holds: 'postcodes: positions and areas' },
      {
        name: 'practitioners',
        holds: 'practitioners: codes, names, numbers, memberships of organisations',
      },
      {
        name: 'index',
        holds: 'the search index',
        floors: [
          { name: 'sets', holds: 'sets of rows' },
          { name: 'texts', holds: 'texts and their sorted suffixes: built, merged, searched' },
          { name: 'columns', holds: 'the index of each kind of field' },
          { name: 'positions', holds: 'what is near a place' },
          { name: 'search', holds: 'all criteria of a search, and a page of what they find' },
          { name: FILES, holds: 'the indexes of organisations and of relationships' },
        ],
      },
      { name: 'edition', holds: 'editions: building, opening, comparing' },
      { name: 'import', holds: 'from the records of sources to a published edition' },
      {
        name: 'ask',
        holds:
          'questions about an edition and a day: successors, what belongs to what, names, places',
        floors: [
          { name: FILES, holds: 'questions about one organisation or place' },
          { name: 'events', holds: 'what happened between two days' },
          { name: 'match', holds: 'which code a name means' },
          { name: 'order', holds: 'the order of results that people expect' },
        ],
      },
    ],
  },
  {
    name: 'interfaces',
    holds: 'the interfaces of the directory over HTTP, and its files',
    floors: [
      {
        name: 'answer',
        holds: 'how all interfaces answer: editions in memory, templates, caches, downloads',
      },
      { name: 'faces', holds: 'what the FHIR faces share: searches, searchsets, definitions' },
      { name: 'json', holds: 'what the interfaces share that are not FHIR' },
      {
        name: 'stu3',
        holds: 'the STU3 faces: parameters, mapping, the JSON of the retired service',
      },
      {
        name: 'r4',
        holds: 'the R4 face',
        floors: [
          { name: 'resources', holds: 'organisations, affiliations and deletion lists' },
          {
            name: 'terminology',
            holds: 'code systems, value sets and their operations',
            floors: [
              { name: 'systems', holds: 'each code system as a row, and how its codes are found' },
              { name: FILES, holds: 'the table of code systems, and the operations' },
            ],
          },
          { name: FILES, holds: 'the face' },
        ],
      },
      { name: 'ord', holds: 'the ORD interface' },
      {
        name: 'reports',
        holds: 'the reports and searches of the national Data Search and Export',
        floors: [
          {
            name: 'csv',
            holds: 'the reports as CSV: their columns, and which organisations they list',
          },
          { name: 'search', holds: 'the searches in JSON' },
          { name: FILES, holds: 'both as a service' },
        ],
      },
      {
        name: 'questions',
        holds:
          '`/resolve`, `/hierarchy`, `/match` and `/postcodes`, one by one and as tables; `/roles`',
      },
      { name: 'events', holds: '`/events`: what happened between two days' },
      {
        name: 'assistants',
        holds: 'tools for assistants, by the Model Context Protocol',
        floors: [
          { name: 'tools', holds: 'each tool: its inputs, its answer, and their schemas' },
          { name: FILES, holds: 'the protocol, and the tools over HTTP' },
        ],
      },
      {
        name: 'files',
        holds: 'downloads and exports',
        floors: [
          { name: 'tables', holds: 'SQLite and Parquet' },
          { name: FILES, holds: 'CSV, GeoJSON, FHIR and release files' },
        ],
      },
      { name: FILES, holds: 'the faces that the program serves, each as a service' },
    ],
  },
  {
    name: 'orders',
    holds: 'order responses as a service, and the notifications of both services',
    floors: [
      { name: 'subscriptions', holds: 'subscriptions, their rules and secrets, and the deliverer' },
      { name: 'order-response', holds: 'the service, its rules and search parameters' },
    ],
  },
  {
    name: 'storage',
    holds: 'the stores: a data folder with SQLite, or a PostgreSQL database',
    floors: [
      { name: 'files', holds: 'the data folder: files, keys, locks; and the errors of all stores' },
      {
        name: 'repository',
        holds:
          'the calls of a repository, their batches, SQL as values, and the audit log, in every kind of store',
      },
      {
        name: 'sql',
        holds: 'searches, the feed, erasures and verification in SQL, for both kinds of store',
      },
      {
        name: 'threads',
        holds: 'the storage and reader threads, their messages, and who waits for a commit',
      },
      {
        name: 'editions',
        holds: 'editions in every kind of store: the list, drafts, folders of arrays',
      },
      {
        name: 'tables',
        holds: 'what an operator imports beside the editions, as bytes: postcodes, practitioners',
      },
      { name: 'store', holds: 'the interfaces of a store, for servers and for commands' },
      {
        name: 'sqlite',
        holds: 'the store in a data folder',
        floors: [
          { name: 'database', holds: 'SQLite databases: opened durably, with the newest schema' },
          { name: 'migrations', holds: 'the SQL of each schema' },
          {
            name: 'editions',
            holds: 'the editions in a data folder, and their publication in one transaction',
          },
          { name: FILES, holds: 'order responses, and the whole store' },
        ],
      },
      {
        name: 'postgres',
        holds: 'the store in a database',
        floors: [
          { name: 'connection', holds: 'connections and their errors' },
          { name: 'tables', holds: 'the SQL of PostgreSQL, and inserts of many rows' },
          { name: 'migrations', holds: 'the SQL of each schema' },
          {
            name: 'schema',
            holds: 'applies the migrations, checks rights, and has the locks of programs',
          },
          {
            name: 'editions',
            holds: 'the editions in a database, and their publication in one transaction',
          },
          { name: 'orders', holds: 'order responses, as commands and readers use them' },
          { name: 'lanes', holds: 'the connections that write batches' },
          { name: FILES, holds: 'the whole store, and its threads' },
        ],
      },
      { name: FILES, holds: 'chooses the kind of store by URL' },
    ],
  },
  {
    name: 'sources',
    holds: 'the sources of records, and how they are fetched',
    floors: [
      { name: 'text', holds: 'texts, codes and addresses as sources have them' },
      { name: 'archive', holds: 'zip files' },
      { name: 'http', holds: 'a client with a limited rate, and files that collect what it gets' },
      {
        name: 'release-file',
        holds: 'the national release file',
        floors: [
          { name: 'parse', holds: 'its XML as records' },
          {
            name: FILES,
            holds: 'finds its files, also in zips, and reads them in several threads',
          },
        ],
      },
      {
        name: 'fhir',
        holds: 'files of Organizations in STU3, and what readers of other FHIR versions share',
      },
      { name: 'ord', holds: 'files of ORD' },
      { name: 'r4', holds: 'files of the national R4 service' },
      { name: 'postcodes', holds: 'files of postcodes' },
      { name: 'practitioners', holds: 'reports of practitioners' },
      { name: 'import', holds: 'reads a file of any kind, and imports it' },
      { name: 'fetch', holds: 'TRUD, ORD, R4 and peers over HTTP' },
    ],
  },
  { name: 'auth', holds: 'bearer tokens: signed ones (JWT), keys, introspection, scopes' },
  {
    name: 'server',
    holds: 'connections, limits, threads that answer, the log and the metrics',
    floors: [
      { name: 'sockets', holds: 'ports, certificates, and the order of answers on a connection' },
      { name: 'monitoring', holds: 'log, health, metrics' },
      {
        name: 'limits',
        holds:
          'what clients may use at a time, each and together: connections, bodies, requests a second',
      },
      { name: FILES, holds: 'the listener of a thread, the threads, and requests that wait' },
    ],
  },
  { name: 'telemetry', holds: 'the traces of requests' },
  { name: 'library', holds: 'the directory without a server: the entry of the npm package' },
  {
    name: 'web',
    holds: 'the pages for people',
    floors: [
      { name: 'parts', holds: 'what pages share: addresses, answers, names, styles' },
      { name: 'matches', holds: 'what the search box means, and what it finds' },
      { name: 'charts', holds: 'charts as SVG' },
      { name: 'editions', holds: 'the pages of editions' },
      { name: 'statistics', holds: 'the statistics page' },
      { name: 'reports', holds: 'the page of reports' },
      { name: 'postcodes', holds: 'the page of a postcode' },
      { name: 'practitioners', holds: 'the pages of practitioners' },
      { name: 'check-a-list', holds: 'the page that checks a list of names, codes or postcodes' },
      { name: 'events', holds: 'the page What changed, and timelines' },
      { name: 'organization', holds: 'the page of an organisation' },
      { name: 'look-up', holds: 'the look-up page' },
      { name: 'api', holds: 'the pages for developers' },
      { name: 'documents', holds: 'the documents as pages, and their search' },
      { name: 'fhir', holds: 'the page of a FHIR address in a browser' },
      { name: FILES, holds: 'finds the page of a request' },
    ],
  },
  {
    name: 'cli',
    holds: 'the command line',
    floors: [
      { name: 'parts', holds: 'what commands share: options, output, how they open a store' },
      {
        name: 'subscriptions',
        holds: 'the commands for subscriptions, and the key of their secrets',
      },
      { name: 'practitioners', holds: 'the commands for practitioners' },
      { name: 'sources', holds: 'what `import`, `fetch` and `sync` share' },
      {
        name: 'serve',
        holds: '`gazetteer serve`',
        floors: [
          { name: 'threads', holds: 'what a server thread serves, and what it gets at its start' },
          { name: 'editions', holds: 'loads editions for the threads' },
          { name: 'deliveries', holds: 'the thread that delivers notifications' },
          { name: 'monitoring', holds: 'health and metrics of a running server' },
          { name: FILES, holds: 'the main thread' },
        ],
      },
      { name: 'completion', holds: '`gazetteer completion`, and what its scripts ask' },
      { name: 'doctor', holds: '`gazetteer doctor`' },
      {
        name: 'mcp',
        holds: '`gazetteer mcp`: tools for assistants over standard input and output',
      },
      { name: 'commands', holds: 'the other commands' },
      { name: FILES, holds: 'the program: from arguments to a command' },
    ],
  },
  { name: FILES, holds: '`main.ts`, which starts the program' },
];

/** The number of the floor that a file is on; undefined if it is on none. `parent`: from `src/`. */
export function floorOf(path: string, floors: readonly Room[], parent: string): number | undefined {
  const start = parent === '' ? 'src/' : `src/${parent}/`;
  if (!path.startsWith(start)) return undefined;
  const inside = path.slice(start.length);
  const name = inside.includes('/') ? inside.slice(0, inside.indexOf('/')) : FILES;
  const at = floors.findIndex((room) => room.name === name);
  return at < 0 ? undefined : at;
}

/** The path of a room in another, from `src/`. */
export function pathOf(parent: string, name: string): string {
  if (name === FILES) return parent;
  return parent === '' ? name : `${parent}/${name}`;
}
