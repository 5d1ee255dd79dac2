/** Writes the tables in src/fhir/definitions from published packages. Needs the network. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { dstu2Table } from './definitions-dstu2.ts';
import { packageTable } from './definitions-package.ts';

/** For each FHIR version its npm package, and what makes its table. FHIR's definitions are CC0. */
const VERSIONS = {
  /** FHIR 4.0.1, only what the directory serves. */
  r4: {
    source: 'hl7.fhir.r4.examples@4.0.1',
    tableOf: (folder: string) => packageTable(folder, R4_RESOURCES),
  },
  /** FHIR 3.0.2. Later versions have packages of the same form: `hl7.fhir.r4.examples`. */
  stu3: { source: 'hl7.fhir.r3.examples@3.0.2', tableOf: packageTable },
  /** The StructureDefinitions of FHIR 1.0.2, and its schemas. */
  dstu2: { source: 'fhir@3.3.1', tableOf: dstu2Table },
};

const R4_RESOURCES = [
  'Bundle',
  'CapabilityStatement',
  'CodeSystem',
  'List',
  'OperationOutcome',
  'Organization',
  'OrganizationAffiliation',
  'Parameters',
  'SearchParameter',
  'TerminologyCapabilities',
  'ValueSet',
];

const target = resolve(import.meta.dirname, '../src/fhir/definitions');
const work = mkdtempSync(join(tmpdir(), 'gazetteer-definitions-'));
try {
  for (const [version, { source, tableOf }] of Object.entries(VERSIONS)) {
    write(version, source, tableOf(fetchPackage(source)));
  }
} finally {
  rmSync(work, { recursive: true });
}

/** The folder of the unpacked package. */
function fetchPackage(name: string): string {
  const folder = join(work, name.replaceAll(/\W/g, '-'));
  mkdirSync(folder);
  const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', folder, name]);
  execFileSync('tar', ['xzf', join(folder, packed.toString().trim()), '-C', folder]);
  return join(folder, 'package');
}

function write(version: string, source: string, table: string): void {
  const name = version.toUpperCase();
  const text = [
    `/** FHIR ${name}'s definitions, out of ${source} by scripts/generate-definitions.ts. */`,
    `export const ${name}_TABLE = \``,
    `${table}`,
    '`;',
    '',
  ].join('\n');
  const file = join(target, `${version}.generated.ts`);
  writeFileSync(file, text);
  console.log(`${file}: ${text.length} characters`);
}
