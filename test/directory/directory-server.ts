/** A directory of given records behind a real socket, for tests over HTTP. */
import { once } from 'node:events';
import { loadConfig } from '../../src/config/load-config.ts';
import { sectionOf } from '../../src/config/section.ts';
import { buildPlaces, type Edition, openEdition } from '../../src/directory/edition/edition.ts';
import { type EditionHistory, NO_HISTORY } from '../../src/directory/edition/edition-store.ts';
import type { PostcodeFile } from '../../src/directory/places/postcodes.ts';
import type {
  CodeSystems,
  OrganizationRecord,
  SourceRecord,
} from '../../src/directory/record/record.ts';
import { createHandle } from '../../src/fhir/handle.ts';
import type { Editions } from '../../src/interfaces/answer/editions.ts';
import type { DirectorySettings } from '../../src/interfaces/answer/settings.ts';
import { createAssistantsService } from '../../src/interfaces/assistants/service.ts';
import { assistantTools } from '../../src/interfaces/assistants/tools/tools.ts';
import { createEventsService } from '../../src/interfaces/events/service.ts';
import {
  type RenderedEdition,
  renderEdition,
  type ServedFace,
  serveFace,
} from '../../src/interfaces/faces/rendered-edition.ts';
import type { EditionFiles } from '../../src/interfaces/files/edition-files.ts';
import { todayOf } from '../../src/interfaces/json/json-service.ts';
import { createOrdService } from '../../src/interfaces/ord/service.ts';
import { createCodeServices } from '../../src/interfaces/questions/service.ts';
import { createReportServices } from '../../src/interfaces/reports/service.ts';
import { DIRECTORY_FACES } from '../../src/interfaces/served-faces.ts';
import { createDirectoryService } from '../../src/interfaces/service.ts';
import { STU3_FACE } from '../../src/interfaces/stu3/face.ts';
import { createListener } from '../../src/server/http-listener.ts';
import { listenOnLoopback } from '../loopback.ts';
import { editionArrays } from './edition-arrays.ts';
import { CODE_SYSTEMS, RECORDS } from './records.ts';

export const BASE = 'http://directory.test/fhir';

/** The origin of pages that may use the tools of assistants. */
export const PAGE_ORIGIN = 'https://app.example';

export const SOFTWARE = { name: 'Gazetteer', version: '0.0.0', releaseDate: '2026-01-01' };

export interface DirectoryServer {
  /** A path below the base, or a whole target that begins with a slash. */
  get(path: string, headers?: Record<string, string>, method?: string): Promise<Answer>;
  /** A POST of these bytes; a form where the headers do not say otherwise. */
  post(
    path: string,
    body: string | Uint8Array<ArrayBuffer>,
    headers?: Record<string, string>,
  ): Promise<Answer>;
  readonly port: number;
  /** Answers what has come, and ends. */
  stop(): Promise<void>;
  close(): Promise<void>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export const SETTINGS: DirectorySettings = sectionOf(
  loadConfig({ flags: {}, environment: {} }),
  'directory',
);

/** The edition of records that are in the order of their codes. */
export function editionOf(
  records: readonly SourceRecord[],
  number = 1,
  codeSystems: CodeSystems = CODE_SYSTEMS,
  postcodes?: PostcodeFile,
): Edition {
  const identity = { number, publishedAt: '2026-09-01T10:00:00.000Z' };
  const arrays = editionArrays(records, { codeSystems });
  const places = postcodes && buildPlaces(arrays, postcodes);
  return openEdition(identity, { ...arrays, ...places }, postcodes);
}

/** An edition of these records, as the STU3 face shows it. */
export function renderedOf(
  records: readonly OrganizationRecord[],
  settings: DirectorySettings = SETTINGS,
): RenderedEdition {
  return renderEdition(STU3_FACE, editionOf(records), settings);
}

/** The STU3 face, as a server with this address serves it. */
export function servedStu3(settings: DirectorySettings, serverUrl: string): ServedFace {
  return serveFace(STU3_FACE, { settings, serverUrl });
}

export async function startDirectory(
  options: {
    settings?: Partial<DirectorySettings>;
    editions?: Editions;
    editionFiles?: EditionFiles;
    history?: EditionHistory;
    records?: readonly OrganizationRecord[];
    /** The time of reports. */
    now?: () => number;
  } = {},
): Promise<DirectoryServer> {
  const settings = { ...SETTINGS, ...options.settings };
  const edition = editionOf(options.records ?? RECORDS);
  const editions = options.editions ?? {
    current: () => edition,
    byNumber: (number: number) => (number === edition.number ? edition : undefined),
  };
  const plain = { settings, serverUrl: BASE, editions, now: options.now ?? Date.now };
  const openHistory = async () => options.history ?? NO_HISTORY;
  const face = servedStu3(settings, BASE);
  const tools = assistantTools({ editions, face, openHistory, today: todayOf(plain) });
  const handle = createHandle({
    services: DIRECTORY_FACES.map((face) =>
      createDirectoryService(
        serveFace(face, { settings, serverUrl: BASE }),
        editions,
        options.editionFiles,
      ),
    ),
    plainServices: [
      createOrdService({ ...plain, helpUrl: `${BASE}/api` }),
      ...createReportServices(plain),
      ...createCodeServices(plain),
      createEventsService(plain, openHistory),
      createAssistantsService({ ...plain, tools, identity: SOFTWARE, origins: [PAGE_ORIGIN] }),
    ],
    software: SOFTWARE,
    onFault: (error) => {
      throw error;
    },
  });
  const { server, stop } = createListener({
    handle,
    idPrefix: 'test-',
  });
  const port = await listenOnLoopback(server);
  const send = async (path: string, init: RequestInit): Promise<Answer> => {
    const target = path.startsWith('/') ? path : `/fhir/STU3/${path}`;
    const answer = await fetch(`http://127.0.0.1:${port}${target}`, init);
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  return {
    port,
    get: (path, headers = {}, method = 'GET') => send(path, { method, headers }),
    post: (path, body, headers = { 'content-type': 'application/x-www-form-urlencoded' }) =>
      send(path, { method: 'POST', headers, body }),
    stop: async () => {
      stop();
      server.close();
      server.closeIdleConnections();
      await once(server, 'close');
    },
    close: async () => {
      server.closeAllConnections();
      if (!server.listening) return;
      server.close();
      await once(server, 'close');
    },
  };
}
