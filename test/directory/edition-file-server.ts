/** A directory whose thread gets the files of editions as a server thread does. */
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import {
  createEditionFiles,
  FilesMaker,
  type FilesMakerOptions,
} from '../../src/cli/serve/threads/files-maker.ts';
import { type Edition, openEdition } from '../../src/directory/edition/edition.ts';
import type { EditionInMemory } from '../../src/interfaces/answer/editions.ts';
import { LOG_PROBLEMS, type LogCode } from '../../src/server/monitoring/log-problems.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { RELATED_CODE_SYSTEMS, RELATED_RECORDS } from '../web/related-records.ts';
import { startDirectory } from './directory-server.ts';
import { editionArrays } from './edition-arrays.ts';
import { fewPlaces } from './few-places.ts';

export const ARRAYS = editionArrays(RELATED_RECORDS, { codeSystems: RELATED_CODE_SYSTEMS });

export function inMemory(number: number, arrays = ARRAYS): EditionInMemory {
  return { number, publishedAt: '2026-09-01T10:00:00.000Z', arrays };
}

export interface TestAnswer {
  readonly status: number;
  readonly bytes: Buffer;
}

export async function startWithFiles(
  context: TestContext,
  {
    first = inMemory(1),
    statfs,
  }: { first?: EditionInMemory } & Pick<FilesMakerOptions, 'statfs'> = {},
) {
  const folder = join(temporaryFolder(context), 'tables');
  const logged: string[] = [];
  let current: Edition = openEdition(first, first.arrays);
  /** The update of the editions is a message that the thread has not taken yet. */
  let sent: EditionInMemory | undefined;
  const takeSent = () => {
    if (sent !== undefined) current = openEdition(sent, sent.arrays);
    sent = undefined;
  };
  const files = createEditionFiles((wanted) => void maker.want(wanted));
  const maker = new FilesMaker({
    folder,
    programVersion: '1.2.3',
    answer: (update) => {
      takeSent();
      files.take(update);
    },
    ...(statfs && { statfs }),
    log: {
      info: (_, message) => logged.push(message),
      report: (code: LogCode) => logged.push(LOG_PROBLEMS[code].message),
    },
  });
  maker.take(first);
  context.after(() => maker.stop());
  const server = await startDirectory({
    editions: { current: () => current, byNumber: () => current, longAnswers: fewPlaces(2) },
    editionFiles: files,
  });
  context.after(() => server.close());
  const bytes = async (path: string, headers = {}) => {
    const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, { headers });
    return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) };
  };
  return {
    folder,
    logged,
    maker,
    server,
    bytes,
    publish: (next: EditionInMemory) => {
      maker.take(next);
      sent = next;
      takeSent();
    },
    /** The thread takes the edition no sooner than the next answer of the main thread. */
    send: (next: EditionInMemory) => {
      maker.take(next);
      sent = next;
    },
  };
}
