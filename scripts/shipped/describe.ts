/** Writes what a bundle contains: the bill of materials, and the licences. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packagesIn } from '../bundle-program.ts';
import {
  type Bill,
  billOfMaterials,
  type Component,
  fullName,
  hashesOf,
  lockedIntegrity,
  type Shipped,
  writeBill,
} from './bill-of-materials.ts';
import { licencesOf, licencesSection } from './licences.ts';

export const BILL = 'sbom.cdx.json';
export const LICENCES = 'THIRD-PARTY-LICENSES.txt';

/** Throws if the bill lacks a package, or names one that is not shipped. */
export function describeShipped(folder: string, shipped: Shipped): void {
  const bill = billOfMaterials(shipped);
  const folders = [...packagesIn(shipped.metafile, shipped.source), ...shipped.copied];
  const unnamed = new Map(folders.map((path) => [nameOf(manifestOf(path)), path]));
  const licences = licencesOf(bill, (component) => {
    const name = nameOf({ ...component, name: fullName(component) });
    const path = unnamed.get(name);
    if (path === undefined) throw new Error(`The bill of materials names ${name}, without reason.`);
    unnamed.delete(name);
    return path;
  });
  if (unnamed.size > 0) {
    throw new Error(`The bill of materials lacks ${[...unnamed.keys()].join(', ')}.`);
  }
  writeFileSync(join(folder, LICENCES), licences);
  writeBill(join(folder, BILL), bill);
}

/** Adds Node, from the folder of its package, to the bill and the licences in `folder`. */
export function addRuntime(folder: string, runtime: string): void {
  const { name, version, license } = manifestOf(runtime);
  const integrity = lockedIntegrity().get(`${name}@${version}`);
  if (integrity === undefined) throw new Error(`${name} ${version} is not in package-lock.json.`);
  const component: Component = {
    type: 'platform',
    name,
    version,
    'bom-ref': `${name}@${version}`,
    purl: `pkg:npm/${name}@${version}`,
    cpe: `cpe:2.3:a:nodejs:node.js:${version}:*:*:*:*:*:*:*`,
    hashes: hashesOf(integrity),
    licenses: [{ license: { id: license } }],
  };
  const bill: Bill = JSON.parse(readFileSync(join(folder, BILL), 'utf8'));
  const components = [...bill.components, component];
  const dependencies = [...bill.dependencies, { ref: component['bom-ref'] }];
  writeBill(join(folder, BILL), { ...bill, components, dependencies });
  const text = readFileSync(join(runtime, 'LICENSE'));
  const evidence = {
    licenses: [{ license: { name: 'LICENSE', text: { content: text.toString('base64') } } }],
  };
  const licences = readFileSync(join(folder, LICENCES), 'utf8');
  const section = licencesSection({ ...component, evidence }, runtime);
  writeFileSync(join(folder, LICENCES), `${licences}\n${section}`);
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

function nameOf({ name, version }: { readonly name: string; readonly version: string }): string {
  return `${name}@${version}`;
}
