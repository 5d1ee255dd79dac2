/** A directory of four organisations, and the answers of national services about them. */
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { openEdition } from '../../../src/directory/edition/edition.ts';
import { sourceRecordAt } from '../../../src/directory/edition/source-record.ts';
import type { SourceRecord } from '../../../src/directory/record/record.ts';
import { importSources, type SourcesReport } from '../../../src/sources/import/import-sources.ts';
import { madeOnce } from '../../made-once.ts';
import { organisation, releaseXml } from '../release-file/release-fixture.ts';
import { createSourceRun, type SourceRun } from '../source-run.ts';

export interface TopUpRun extends SourceRun {
  /** Imports a file with this content. */
  import(content: string | object, name?: string): Promise<SourcesReport>;
  /** The records of the current edition, with their relationships. */
  whole(): Promise<ReadonlyMap<string, SourceRecord>>;
}

const trust =
  '<Name>LEEDS TEACHING HOSPITALS NHS TRUST</Name>' +
  '<Date><Type value="Operational"/><Start value="1998-04-01"/></Date>' +
  '<LastChangeDate value="2020-04-06"/>' +
  '<GeoLoc><Location><AddrLn1>BECKETT STREET</AddrLn1><Town>LEEDS</Town><County>WEST YORKSHIRE</County>' +
  '<PostCode>LS9 7TF</PostCode><Country>ENGLAND</Country></Location></GeoLoc>' +
  '<Contacts><Contact type="tel" value="0113 0000000"/><Contact type="fax" value="0113 1111111"/></Contacts>' +
  '<Rels><Rel id="RE5" uniqueRelId="11"><Date><Type value="Operational"/><Start value="2020-04-01"/></Date>' +
  '<Status value="Active"/><Target><OrgId extension="QWO"/><PrimaryRoleId id="RO197" uniqueRoleId="4"/></Target></Rel></Rels>' +
  '<Succs><Succ uniqueSuccId="21"><Date><Type value="Legal"/><Start value="1998-04-01"/></Date>' +
  '<Type>Predecessor</Type><Target><OrgId extension="OLD"/></Target></Succ></Succs>';

const trustRoles =
  '<Roles><Role id="RO57" uniqueRoleId="2"><Status value="Active"/></Role>' +
  '<Role id="RO197" uniqueRoleId="37525" primaryRole="true">' +
  '<Date><Type value="Operational"/><Start value="1998-04-01"/></Date><Status value="Active"/></Role></Roles>';

export function baseRelease(trustContent = trust, publicationDate = '2020-05-01'): string {
  return releaseXml(
    [
      organisation(trustContent, { code: 'RR8', roles: trustRoles }),
      organisation('<Name>AN ICB</Name>', { code: 'QWO' }),
      organisation('<Name>A PRACTICE</Name>', { code: 'A81001' }),
      organisation('<Name>REFERRED TO</Name>', {
        code: 'R1',
        attributes: 'orgRecordClass="RC1" refOnly="true"',
      }),
    ],
    { publicationDate },
  );
}

/** With an edition of `baseRelease`. */
export async function createTopUpRun(context: TestContext): Promise<TopUpRun> {
  const imported = await madeOnce('top-up', async (path) => {
    const run = createSourceRun(context);
    await extended(run).import(baseRelease(), 'release.xml');
    cpSync(run.data.path, path, { recursive: true });
  });
  return extended(createSourceRun(context, imported));
}

function extended(run: SourceRun): TopUpRun {
  let files = 0;
  return Object.assign(run, {
    import: async (content: string | object, name = `file-${++files}`) => {
      const file = join(run.data.path, name);
      writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
      return await importSources({
        ...run.options,
        files: [file],
        source: name,
        includeArchive: false,
        allowShrink: true,
      });
    },
    whole: async () => {
      const current = await run.store.current();
      if (current === undefined) return new Map<string, SourceRecord>();
      const edition = openEdition(current, await run.store.load(current.number));
      const records = Array.from({ length: edition.links.rowCount }, (_, row) =>
        sourceRecordAt(edition, row),
      );
      return new Map(records.map((record) => [record.code, record]));
    },
  });
}

const ENGLAND = 'https://fhir.nhs.uk/England/StructureDefinition';
const ODS = 'https://digital.nhs.uk/services/organisation-data-service/CodeSystem';

interface R4Role {
  readonly code: string;
  readonly id: number;
  readonly active?: boolean;
  /** Empty for a role without a period. */
  readonly start?: string;
  readonly end?: string;
}

export function r4Organization(
  id: string,
  options: {
    readonly changed: string;
    readonly name?: string;
    readonly active?: boolean;
    readonly roles: readonly R4Role[];
    readonly refOnly?: boolean;
    readonly more?: object;
  },
): object {
  const { changed, name = id, active = true, roles, refOnly = false, more } = options;
  return {
    resourceType: 'Organization',
    id,
    meta: { profile: [`${ENGLAND}/England-Organization-ODS`] },
    extension: [...roles.map(r4Role), lastChange(changed)],
    identifier: [
      { use: 'official', system: 'https://fhir.nhs.uk/Id/ods-organization-code', value: id },
    ],
    active,
    type: [
      {
        coding: [
          {
            system: 'https://fhir.nhs.uk/England/CodeSystem/England-ODSRecordUseType',
            code: refOnly ? 'RefOnly' : 'Full',
          },
        ],
      },
      { coding: [{ system: `${ODS}/ODSRecordClass`, code: 'RC1', display: 'HSCOrg' }] },
    ],
    name,
    ...more,
  };
}

function r4Role({ code, id, active = true, start = '2001-01-01', end }: R4Role): object {
  const coding = { system: `${ODS}/ODSOrganisationRole`, code, display: `ROLE ${code}` };
  return {
    url: `${ENGLAND}/Extension-England-OrganisationRole`,
    extension: [
      { url: 'instanceID', valueInteger: id },
      { url: 'roleCode', valueCodeableConcept: { coding: [coding] } },
      ...(start === '' ? [] : [typedPeriod(start, end)]),
      { url: 'active', valueBoolean: active },
    ],
  };
}

function typedPeriod(start: string, end?: string): object {
  return {
    url: `${ENGLAND}/Extension-England-TypedPeriod`,
    extension: [
      { url: 'dateType', valueCoding: { code: 'Operational' } },
      { url: 'period', valuePeriod: { start, ...(end && { end }) } },
    ],
  };
}

function lastChange(date: string): object {
  return {
    url: `${ENGLAND}/Extension-England-TypedDateTime`,
    extension: [
      { url: 'type', valueCoding: { code: 'LastChangeDate' } },
      { url: 'dateTime', valueDateTime: date },
    ],
  };
}

export function r4Affiliation(
  id: number,
  [source, target]: readonly [string, string],
  { code = 'RE5', active = true, end }: { code?: string; active?: boolean; end?: string } = {},
): object {
  const system = 'https://fhir.nhs.uk/Id/ods-organization-code';
  const reference = (value: string) => ({ identifier: { system, value } });
  return {
    resourceType: 'OrganizationAffiliation',
    id: String(id),
    extension: [typedPeriod('2021-01-01', end)],
    active,
    organization: reference(source),
    participatingOrganization: reference(target),
    code: [{ coding: [{ system: `${ODS}/ODSRelationship`, code }] }],
  };
}

export function r4Bundle(...resources: readonly object[]): object {
  return {
    resourceType: 'Bundle',
    type: 'searchset',
    entry: resources.map((resource) => ({ resource })),
  };
}

/** A list of the R4 service that says what it has removed, and when. */
export function deletionList(id: string, value: string, date: string): object {
  return {
    resourceType: 'List',
    id,
    status: 'current',
    mode: 'working',
    entry: [{ date, item: { identifier: { value } } }],
  };
}
