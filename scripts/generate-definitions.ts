/** Makes the tables in src/fhir/definitions anew from published packages (needs the network). */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { dstu2Table } from './definitions-dstu2.ts';
import { stu3Table } from './definitions-stu3.ts';

/** FHIR 3.0.2: StructureDefinitions, ValueSets and CodeSystems. CC0. */
const STU3_PACKAGE = 'hl7.fhir.r3.examples@3.0.2';
/** Has the StructureDefinitions of DSTU2's (1.0.2) resources, and its schemas. FHIR's are CC0. */
const DSTU2_PACKAGE = 'fhir@3.3.1';

const target = resolve(import.meta.dirname, '../src/fhir/definitions');
const work = mkdtempSync(join(tmpdir(), 'gazetteer-definitions-'));
try {
  write('stu3', STU3_PACKAGE, stu3Table(fetchPackage(STU3_PACKAGE)));
  write('dstu2', DSTU2_PACKAGE, dstu2Table(fetchPackage(DSTU2_PACKAGE)));
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

function write(version: 'stu3' | 'dstu2', source: string, table: string): void {
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
