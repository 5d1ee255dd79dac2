/** The answers of the national interface, made again from the release file of the same time. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { buildEdition } from '../../../src/directory/edition/build-edition.ts';
import { openEdition } from '../../../src/directory/edition/edition.ts';
import { createCollector } from '../../../src/directory/import/collector.ts';
import { readReleaseFile } from '../../../src/sources/release-file/read-release-file.ts';
import { type Owner, ownerOfSuite } from '../../owner.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { ROOT } from '../../tidy/source-files.ts';
import type { DirectoryServer } from '../directory-server.ts';
import { ORD_BASE, startOrd } from './ord-server.ts';

const FIXTURES = join(ROOT, 'test', 'fixtures', 'ord');
const RELEASE = join(FIXTURES, 'release-RWR.xml');

const NATIONAL_BASE = 'https://directory.spineservices.nhs.uk/ORD/2-0-0';

describe('the samples of the national interface', () => {
  const owner = ownerOfSuite();
  let server: DirectoryServer;
  before(async () => {
    server = await startRelease(owner);
  });

  it('a record has the same members in the same order', async () => {
    const { text } = await server.get('organisations/RWR');
    assert.equal(text, JSON.stringify(fixture('organisation-RWR.json')));
  });

  it('a record in XML is the element of the release file', async () => {
    const { text } = await server.get('organisations/RWR?_format=xml');
    const [element] = /<Organisation .*<\/Organisation>/s.exec(readFileSync(RELEASE, 'utf8')) ?? [];
    const compact = element?.replaceAll(/>\s+</g, '><');
    assert.equal(text, `<?xml version="1.0" encoding="UTF-8"?>${compact}`);
  });

  it('a row of a search has the same members in the same order', async () => {
    const { text } = await server.get('organisations?Name=partnership%20university');
    const national = JSON.stringify(fixture('search-RWR.json'));
    assert.equal(text, national.replace(NATIONAL_BASE, ORD_BASE));
  });
});

function fixture(name: string): unknown {
  return JSON.parse(readFileSync(join(FIXTURES, name), 'utf8'));
}

async function startRelease(owner: Owner): Promise<DirectoryServer> {
  const collector = createCollector(() => {});
  await readReleaseFile({
    file: RELEASE,
    includeArchive: false,
    temporaryFolder: temporaryFolder(owner),
    receiver: collector,
  });
  const arrays = buildEdition({ ...collector.finish(), hasLinks: true });
  const server = await startOrd(
    openEdition({ number: 1, publishedAt: '2020-05-01T00:00:00.000Z' }, arrays),
  );
  owner.after(() => server.close());
  return server;
}
