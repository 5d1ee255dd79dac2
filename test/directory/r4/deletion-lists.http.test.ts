/** The lists of deletions in R4: their form, their limits, and their search. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Edition } from '../../../src/directory/edition/edition.ts';
import type { DeletedKind, Deletion } from '../../../src/directory/edition/kept-changes.ts';
import { removalsIn } from '../../../src/sources/r4/resources.ts';
import { editionOf } from '../directory-server.ts';
import { LINKED_RECORDS, startTerminology, validAnswer } from './terminology-server.ts';

const IDS = [
  'Organization-deletion',
  'OrganizationAffiliation-deletion',
  'Organization-role-deletion',
  'Organization-succession-deletion',
];
const INSTANCES = 'https://digital.nhs.uk/services/organisation-data-service/CodeSystem';

const SECOND = { number: 2, publishedAt: '2026-09-02T10:00:00.000Z' };
const THIRD = { number: 3, publishedAt: '2026-09-03T10:00:00.000Z' };

const DELETIONS: Readonly<Record<DeletedKind, readonly Deletion[]>> = {
  organizations: [
    { id: 'X1', deletedIn: SECOND },
    { id: 'X2', deletedIn: THIRD },
    { id: 'X3', deletedIn: THIRD },
  ],
  relationships: [{ id: '617400', deletedIn: SECOND }],
  roles: [{ id: '37525', deletedIn: THIRD }],
  successions: [],
};

const EDITION: Edition = { ...editionOf(LINKED_RECORDS, 3), deletions: (kind) => DELETIONS[kind] };
const server = await startTerminology(EDITION);
after(() => server.close());
const read = (path: string) => validAnswer(server, path);

/** An entry of a list of changes has no element `date` (lst-3). */
const deletedOn = ({ publishedAt }: typeof SECOND) => ({
  url: 'https://fhir.nhs.uk/England/StructureDefinition/Extension-England-TypedDateTime',
  extension: [
    { url: 'type', valueCoding: { display: 'Deletion date' } },
    { url: 'dateTime', valueDateTime: publishedAt },
  ],
});

describe('a list of deletions', () => {
  it('is read by an import of this program, with the dates', async () => {
    assert.deepEqual(removalsIn(await read('List/OrganizationAffiliation-deletion')), [
      { kind: 'relationship', id: '617400', date: SECOND.publishedAt },
    ]);
  });

  it('has the deleted organisations of all editions, the newest first, with their dates', async () => {
    const item = (value: string) => ({
      type: 'Organization',
      identifier: { system: 'https://fhir.nhs.uk/Id/ods-organization-code', value },
    });
    assert.deepEqual(await read('List/Organization-deletion'), {
      resourceType: 'List',
      id: 'Organization-deletion',
      meta: { lastUpdated: '2026-09-01T10:00:00.000Z' },
      status: 'current',
      mode: 'changes',
      title: 'Deleted organisations',
      date: '2026-09-01T10:00:00.000Z',
      entry: [
        { extension: [deletedOn(THIRD)], deleted: true, item: item('X2') },
        { extension: [deletedOn(THIRD)], deleted: true, item: item('X3') },
        { extension: [deletedOn(SECOND)], deleted: true, item: item('X1') },
      ],
    });
  });

  const ITEMS: readonly (readonly [id: string, type: string, system: string, value: string])[] = [
    [
      'OrganizationAffiliation-deletion',
      'OrganizationAffiliation',
      `${INSTANCES}/organization-relationship-instance`,
      '617400',
    ],
    [
      'Organization-role-deletion',
      'Organization',
      `${INSTANCES}/organization-role-instance`,
      '37525',
    ],
  ];
  for (const [id, type, system, value] of ITEMS) {
    it(`${id} identifies its items by their numbers`, async () => {
      const { entry } = await read(`List/${id}`);
      assert.deepEqual(
        entry.map(({ item }: { item: object }) => item),
        [{ type, identifier: { system, value } }],
      );
    });
  }

  it('has no entries if nothing was deleted', async () => {
    const { entry, emptyReason } = await read('List/Organization-succession-deletion');
    assert.deepEqual([entry, emptyReason], [undefined, undefined]);
  });

  it('is found by its id, and all lists are found without one', async () => {
    const { total, entry } = await read('List?_id=Organization-role-deletion');
    assert.equal(total, 1);
    assert.deepEqual(entry[0].resource, await read('List/Organization-role-deletion'));
    const all = await read('List');
    assert.deepEqual(
      all.entry.map(({ resource }: { resource: { id: string } }) => resource.id),
      IDS,
    );
    assert.equal((await read('List?_id=none')).total, 0);
    assert.equal((await read('List?_summary=count')).total, 4);
  });

  it('is 404 for other ids, and 400 for a search by other parameters', async () => {
    const unknown = await validAnswer(server, 'List/none', { status: 404 });
    assert.match(unknown.issue[0].diagnostics, /^The lists are Organization-deletion, /);
    for (const query of ['url=urn:x', 'name=a', 'status=current']) {
      const refused = await validAnswer(server, `List?${query}`, { status: 400 });
      assert.match(
        refused.issue[0].diagnostics,
        /The search parameters are _id, _lastUpdated, _count, /,
      );
    }
  });

  it('is the same when it is read again, and 304 with its entity tag', async () => {
    const path = '/fhir/R4/List/Organization-deletion';
    const answers = [];
    for (let time = 0; time < 3; time++) answers.push(await server.get(path));
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
    const etag = answers[0]?.headers.get('etag') ?? '';
    assert.equal((await server.get(path, { 'if-none-match': etag })).status, 304);
  });

  it('has at most 10,000 entries, and then says so', async (context) => {
    const many = Array.from({ length: 10_001 }, (_, i) => ({
      id: `X${i}`,
      deletedIn: i === 0 ? SECOND : THIRD,
    }));
    const other = await startTerminology({ ...EDITION, deletions: () => many });
    context.after(() => other.close());
    const { text } = await other.get('/fhir/R4/List/Organization-deletion');
    const { entry, note } = JSON.parse(text);
    assert.equal(entry.length, 10_000);
    assert.equal(entry[0].item.identifier.value, 'X1');
    assert.match(note[0].text, /^The list has the last 10000 deletions\./);
  });

  it('says if the edition has no relationship data, and is then never presented as complete', async (context) => {
    const other = await startTerminology({ ...EDITION, hasLinks: false });
    context.after(() => other.close());
    for (const id of IDS) {
      const list = await validAnswer(other, `List/${id}`);
      const isUnknown = id !== 'Organization-deletion';
      assert.equal(list.note !== undefined, isUnknown, id);
      assert.equal(list.emptyReason !== undefined, isUnknown && list.entry === undefined, id);
    }
  });
});

it('the capability statement and the description name the lists', async () => {
  const { rest } = await read('metadata');
  const list = rest[0].resource.find(({ type }: { type: string }) => type === 'List');
  assert.deepEqual(
    list.interaction.map(({ code }: { code: string }) => code),
    ['read', 'search-type'],
  );
  assert.deepEqual(
    list.searchParam.map(({ name }: { name: string }) => name),
    ['_id', '_lastUpdated', '_count', '_offset', '_total', '_summary', '_elements'],
  );
  const { paths } = JSON.parse((await server.get('/fhir/openapi.json')).text);
  const [id] = paths['/R4/List/{id}'].get.parameters;
  assert.deepEqual(id.schema.enum, IDS);
});
