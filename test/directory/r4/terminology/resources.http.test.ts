/** The resources of code systems and value sets in R4, their search, and `$subsumes`. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { startDirectory } from '../../directory-server.ts';
import { startTerminology, validAnswer } from '../terminology-server.ts';

const ODS = 'https://digital.nhs.uk/services/organisation-data-service';
const RELATIONSHIPS = `${ODS}/ValueSet/ODSRelationship`;

const server = await startTerminology();
after(() => server.close());

const answerOf = (target: string, body?: string) => validAnswer(server, target, { body });

interface Contained {
  readonly code: string;
}

const IDS = [
  'ods-organization-code',
  'ODSOrganisationRole',
  'ODSRelationship',
  'ODSRecordClass',
  'England-ODSRecordUseType',
  'organization-role-instance',
  'organization-relationship-instance',
  'succession',
  'geography-name',
];

describe('code systems and value sets in R4', () => {
  for (const id of IDS) {
    it(`CodeSystem/${id} is valid, and found by its URL`, async () => {
      const read = await answerOf(`CodeSystem/${id}`);
      assert.equal(read.id, id);
      assert.match(read.name, /^[A-Z][A-Za-z0-9_]{0,254}$/);
      const found = await answerOf(`CodeSystem?url=${read.url}`);
      assert.equal(found.total, 1);
      assert.deepEqual(found.entry[0].resource, read);
    });
  }

  it('each code system has a value set with the same id, and the small ones list their codes', async () => {
    const { entry } = await answerOf('ValueSet');
    const listed: string[] = [];
    for (const { resource } of entry) {
      const system = await answerOf(`CodeSystem/${resource.id}`);
      assert.equal(system.valueSet, resource.url);
      assert.deepEqual(resource.compose, { include: [{ system: system.url }] });
      assert.equal(system.content, system.concept === undefined ? 'not-present' : 'complete');
      assert.equal(system.concept?.length, system.count);
      if (system.concept !== undefined) listed.push(resource.id);
    }
    assert.equal(entry.length, IDS.length);
    assert.deepEqual(listed, [
      'ODSOrganisationRole',
      'ODSRelationship',
      'ODSRecordClass',
      'England-ODSRecordUseType',
    ]);
  });

  it('organisation codes are not listed, and their properties are declared', async () => {
    const { content, count, concept, property } = await answerOf(
      'CodeSystem/ods-organization-code',
    );
    assert.deepEqual([content, count, concept], ['not-present', undefined, undefined]);
    assert.deepEqual(property.at(-2), {
      code: 'RE4',
      description:
        'Each organisation to which this one has the active relationship IS COMMISSIONED BY.',
      type: 'code',
    });
  });

  it('the roles that are primary roles of organisations say so', async () => {
    const { concept } = await answerOf('CodeSystem/ODSOrganisationRole');
    const primary = concept.filter(
      ({ property }: { property: readonly { valueBoolean: boolean }[] }) =>
        property[0]?.valueBoolean,
    );
    assert.deepEqual(
      primary.map(({ code }: Contained) => code),
      ['RO76', 'RO197'],
    );
  });
});

describe('a search of code systems in R4', () => {
  const CASES: readonly (readonly [query: string, total: number])[] = [
    ['status=active', IDS.length],
    ['status=draft', 0],
    ['version=1&title=organisation role', 1],
    ['version=2', 0],
    ['version=|1', IDS.length],
    ['status=http://hl7.org/fhir/publication-status|active', IDS.length],
    ['status=http://hl7.org/fhir/publication-status|draft', 0],
    ['status=urn:x|active', 0],
    [`system=${ODS}/CodeSystem/ODSRelationship`, 1],
    [`system=${RELATIONSHIPS}`, 0],
    ['identifier=ODSRelationship', 0],
    ['_lastUpdated=ge2026-09-01&_total=accurate', IDS.length],
    ['_lastUpdated=gt2026-09-01', 0],
    ['status=active&name=ODSR', 2],
    ['content-mode=complete', 4],
    ['content-mode=http://hl7.org/fhir/codesystem-content-mode|not-present', IDS.length - 4],
    ['description=organisation role codes', 1],
    ['publisher=nhs', 0],
    ['context=x', 0],
    ['_tag=x', 0],
    ['_security=urn:x|y', 0],
  ];
  for (const [query, total] of CASES) {
    it(`by ${query} finds ${total}`, async () => {
      assert.equal((await answerOf(`CodeSystem?${query}`)).total, total);
    });
  }

  it('finds the value sets of a code system by reference', async () => {
    const { entry } = await answerOf(`ValueSet?reference=${ODS}/CodeSystem/ODSRelationship`);
    assert.deepEqual(idsOf(entry), ['ODSRelationship']);
  });

  for (const type of ['CodeSystem', 'ValueSet']) {
    it(`has only the wanted elements of each ${type}`, async () => {
      const { entry } = await answerOf(`${type}?_elements=url,title&_id=ODSOrganisationRole`);
      const { meta, ...rest } = entry[0].resource;
      assert.equal(meta.tag[0].code, 'SUBSETTED');
      const { content, ...others } = rest;
      assert.equal(content, type === 'CodeSystem' ? 'complete' : undefined);
      assert.deepEqual(Object.keys(others).sort(), [
        'id',
        'resourceType',
        'status',
        'title',
        'url',
      ]);
    });

    it(`has no codes in the summary of a ${type}`, async () => {
      const { entry } = await answerOf(`${type}?_summary=true`);
      for (const { resource } of entry) {
        assert.equal(resource.concept ?? resource.compose, undefined);
        assert.ok(resource.url);
      }
    });
  }

  it('has pages, with links to the others', async () => {
    const all = await answerOf('CodeSystem');
    let url: string | undefined = 'CodeSystem?_count=2';
    const ids: string[] = [];
    while (url !== undefined) {
      const { total, entry, link } = await answerOf(url);
      assert.equal(total, IDS.length);
      ids.push(...idsOf(entry));
      const next = link.find(({ relation }: { relation: string }) => relation === 'next');
      url = next?.url.replace(/^.*\/R4\//, '');
    }
    assert.deepEqual(ids, idsOf(all.entry));
    const { link, entry } = await answerOf('CodeSystem?_count=0');
    assert.deepEqual([link[0].relation, entry], ['self', undefined]);
  });

  it('has at most the matches that the setting allows on a page', async (context) => {
    const small = await startDirectory({ settings: { 'r4.countMax': 1 } });
    context.after(() => small.close());
    const { text } = await small.get('/fhir/R4/CodeSystem?_count=1000');
    const { entry, link } = JSON.parse(text);
    assert.equal(entry.length, 1);
    assert.match(link[0].url, /\?_count=1&_offset=0$/);
  });
});

function idsOf(entry: readonly { readonly resource: { readonly id: string } }[]): string[] {
  return entry.map(({ resource }) => resource.id);
}

describe('$subsumes', () => {
  const system = `${ODS}/CodeSystem/ODSOrganisationRole`;
  const target = (codes: string) => `CodeSystem/$subsumes?system=${system}&${codes}`;
  for (const [codes, outcome] of [
    ['codeA=RO197&codeB=RO197', 'equivalent'],
    ['codeA=RO197&codeB=RO57', 'not-subsumed'],
  ] as const) {
    it(`of ${codes} is ${outcome}`, async () => {
      const { parameter } = await answerOf(target(codes));
      assert.deepEqual(parameter, [{ name: 'outcome', valueCode: outcome }]);
    });
  }

  it('works for the code system of the path', async () => {
    const path = 'CodeSystem/ODSOrganisationRole/$subsumes?codeA=RO197&codeB=RO57';
    assert.equal((await answerOf(path)).parameter[0].valueCode, 'not-subsumed');
    const other = await server.get(`/fhir/R4/${path}&system=urn:x`);
    assert.equal(other.status, 400);
  });

  it('takes codings, which have the same code system', async () => {
    const bodyWith = (systemOfB: string) => {
      const parameter = [
        { name: 'codingA', valueCoding: { system, code: 'RO197' } },
        { name: 'codingB', valueCoding: { system: systemOfB, code: 'RO197' } },
      ];
      return JSON.stringify({ resourceType: 'Parameters', parameter });
    };
    const { parameter } = await answerOf('CodeSystem/$subsumes', bodyWith(system));
    assert.equal(parameter[0].valueCode, 'equivalent');
    const refused = await validAnswer(server, 'CodeSystem/$subsumes', {
      body: bodyWith('urn:x'),
      status: 400,
    });
    assert.equal(refused.issue[0].diagnostics, 'The codes have different code systems.');
  });

  it('needs both codes and the system, and knows them', async () => {
    assert.equal((await server.get('/fhir/R4/CodeSystem/$subsumes?codeA=RO197')).status, 400);
    assert.equal((await server.get(`/fhir/R4/${target('codeA=RO197&codeB=NONE')}`)).status, 404);
  });
});
