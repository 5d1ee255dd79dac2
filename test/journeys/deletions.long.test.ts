/** Releases that remove organisations, roles, relationships and successions, and the lists of R4. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { runInProcess } from '../cli/run-in-process.ts';
import { organisation, releaseXml } from '../sources/release-file/release-fixture.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { serve } from './program.ts';

interface List {
  readonly entry?: readonly {
    readonly item: { readonly identifier: { readonly value: string } };
  }[];
}

const ORG_ID = 'root="2.16.840.1.113883.2.1.3.2.4.18.48" assigningAuthorityName="HSCIC"';
const SINCE = '<Date><Type value="Operational"/><Start value="2001-04-01"/></Date>';

/** The elements of an organisation with these numbers of its parts. */
function withParts(
  code: string,
  parts: {
    readonly roles?: readonly number[];
    readonly relationships?: readonly number[];
    readonly successions?: readonly number[];
  } = {},
): string {
  const { roles = [], relationships = [], successions = [] } = parts;
  const target = `<Target><OrgId ${ORG_ID} extension="T1"/><PrimaryRoleId id="RO197"/></Target>`;
  const roleXml = roles.map(
    (id, i) =>
      `<Role id="RO${i === 0 ? '197' : '76'}" uniqueRoleId="${id}"${i === 0 ? ' primaryRole="true"' : ''}>` +
      `${SINCE}<Status value="Active"/></Role>`,
  );
  const relXml = relationships.map(
    (id) => `<Rel id="RE4" uniqueRelId="${id}">${SINCE}<Status value="Active"/>${target}</Rel>`,
  );
  const succXml = successions.map(
    (id) =>
      `<Succ uniqueSuccId="${id}"><Date><Type value="Legal"/><Start value="2001-04-01"/></Date>` +
      `<Type>Successor</Type>${target}</Succ>`,
  );
  return organisation(`<Name>NAME OF ${code}</Name>`, {
    code,
    roles:
      `<Roles>${roleXml.join('')}</Roles>` +
      `${relXml.length === 0 ? '' : `<Rels>${relXml.join('')}</Rels>`}` +
      `${succXml.length === 0 ? '' : `<Succs>${succXml.join('')}</Succs>`}`,
  });
}

const FIRST = [
  withParts('A1', { roles: [1, 2], relationships: [11, 12], successions: [21] }),
  withParts('A2', { roles: [3], relationships: [13] }),
  withParts('T1', { roles: [4] }),
];
/** Without `A2`, and without some parts of `A1`. */
const SECOND = [
  withParts('A1', { roles: [1], relationships: [12] }),
  withParts('T1', { roles: [4] }),
];
/** `A2` is back, with another number of its role. */
const THIRD = [
  withParts('A1', { roles: [1], relationships: [12] }),
  withParts('A2', { roles: [5], relationships: [13] }),
  withParts('T1', { roles: [4] }),
];

it('the lists of R4 name what each import removed, until it is back', async (context) => {
  const data = temporaryFolder(context);
  const listsAfter = async (organisations: readonly string[]) => {
    const file = join(temporaryFolder(context), 'release.xml');
    writeFileSync(file, releaseXml(organisations));
    const words = ['import', file, '--data', data, '--allow-shrink', '--quiet'];
    const { code, stderr } = await runInProcess(words);
    assert.equal(code, 0, stderr);
    const server = await serve(context, ['--data', data]);
    const lists = [];
    for (const id of [
      'Organization-deletion',
      'Organization-role-deletion',
      'OrganizationAffiliation-deletion',
      'Organization-succession-deletion',
    ]) {
      const answer = await fetch(`${server.origin}/R4/List/${id}`);
      const { entry = [] }: List = JSON.parse(await answer.text());
      lists.push(entry.map(({ item }) => item.identifier.value).sort());
    }
    await server.stop();
    return lists;
  };
  assert.deepEqual(await listsAfter(FIRST), [[], [], [], []]);
  assert.deepEqual(await listsAfter(SECOND), [['A2'], ['2', '3'], ['11', '13'], ['21']]);
  assert.deepEqual(await listsAfter(THIRD), [[], ['2', '3'], ['11'], ['21']]);
});
