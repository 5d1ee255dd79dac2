/** The versions of resources in R4 after a second import: only what changed has a new one. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { runInProcess } from '../cli/run-in-process.ts';
import { organisation, releaseXml } from '../sources/release-file/release-fixture.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { serve } from './program.ts';

const RELATED =
  '<Rels><Rel id="RE4" uniqueRelId="7"><Date><Type value="Operational"/>' +
  '<Start value="2013-04-01"/></Date><Status value="Active"/>' +
  '<Target><OrgId root="2.16.840.1.113883.2.1.3.2.4.18.48" extension="A1"/></Target></Rel></Rels>';

const release = (names: Readonly<Record<string, string>>, publicationDate: string) =>
  releaseXml(
    Object.entries(names).map(([code, name]) =>
      organisation(`<Name>${name}</Name>${code === 'A2' ? RELATED : ''}`, { code }),
    ),
    { publicationDate },
  );

it('an organisation that did not change keeps its version, its time and its entity tag', async (context) => {
  const folder = temporaryFolder(context);
  const data = join(folder, 'data');
  const importRelease = async (name: string, xml: string) => {
    const file = join(folder, name);
    writeFileSync(file, xml);
    const { code, stderr } = await runInProcess(['import', file, '--data', data, '--quiet']);
    assert.equal(code, 0, stderr);
  };
  const words = ['--data', data, '--threads', '1'];
  const answers = async () => {
    const server = await serve(context, words);
    const ask = async (path: string) => {
      const answer = await fetch(`${server.origin}/R4/${path}`);
      return { etag: answer.headers.get('etag'), resource: JSON.parse(await answer.text()) };
    };
    const [same, changed, affiliation] = await Promise.all([
      ask('Organization/A1'),
      ask('Organization/A2'),
      ask('OrganizationAffiliation/7'),
    ]);
    const { lastUpdated } = changed.resource.meta;
    const recent = await ask(`Organization?_lastUpdated=ge${encodeURIComponent(lastUpdated)}`);
    await server.stop();
    return { same, changed, affiliation, recent };
  };

  await importRelease('1.xml', release({ A1: 'ONE', A2: 'TWO' }, '2026-08-28'));
  const before = await answers();
  await importRelease('2.xml', release({ A1: 'ONE', A2: 'SECOND' }, '2026-09-28'));
  const after = await answers();

  assert.equal(before.recent.resource.total, 2);
  const { versionId } = before.changed.resource.meta;
  assert.equal(before.changed.etag, `W/"${versionId}"`);
  assert.equal(after.same.etag, before.same.etag);
  assert.deepEqual(after.same.resource, before.same.resource);
  assert.notEqual(after.changed.etag, before.changed.etag);
  assert.ok(after.changed.resource.meta.versionId > versionId);
  assert.equal(after.affiliation.resource.meta.versionId, after.changed.resource.meta.versionId);
  assert.equal(after.recent.resource.total, 1);
  assert.equal(after.recent.resource.entry[0].resource.id, 'A2');
});
