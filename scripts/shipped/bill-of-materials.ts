/**
 * The software bill of materials (CycloneDX) of what is shipped. The tool of the CycloneDX project
 * reads what esbuild says about the bundle, and the manifests of the packages; the hashes come from
 * the lockfile.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Metafile } from 'esbuild';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TOOL = join(ROOT, 'node_modules/@cyclonedx/cyclonedx-esbuild/bin/cyclonedx-esbuild-cli.js');

export interface Component {
  readonly type: string;
  readonly group?: string;
  readonly name: string;
  readonly version: string;
  readonly 'bom-ref': string;
  readonly purl: string;
  readonly cpe?: string;
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
  readonly licenses?: readonly { readonly license: { readonly id?: string } }[];
  /** The texts of the licences, which the tool found in the package. */
  readonly evidence?: { readonly licenses?: readonly { readonly license: LicenceText }[] };
}

export interface LicenceText {
  /** `file: LICENSE`. */
  readonly name?: string;
  readonly text?: { readonly content: string };
}

export interface Bill {
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly {
    readonly ref: string;
    readonly dependsOn?: readonly string[];
  }[];
}

export interface Shipped {
  /** What esbuild says about the bundle, and the folder that its paths begin at. */
  readonly metafile: Metafile;
  readonly source: string;
  /** The folders of packages of which files are copied, or are in such files. */
  readonly copied: readonly string[];
}

/**
 * The bill, with the texts of the licences. It has no time and no serial number, so the same packages
 * give the same bytes.
 */
export function billOfMaterials({ metafile, source, copied }: Shipped): Bill {
  const folder = mkdtempSync(join(tmpdir(), 'gazetteer-bill-'));
  try {
    const metafilePath = join(folder, 'metafile.json');
    const bill = join(folder, 'bill.json');
    writeFileSync(metafilePath, JSON.stringify(withCopies(metafile, source, copied)));
    const options = ['--gather-license-texts', '--output-reproducible', '--validate'];
    const paths = ['--build-working-dir', source, '--output-file', bill, metafilePath];
    const { status, stderr } = spawnSync(
      process.execPath,
      [TOOL, ...options, '--spec-version', '1.6', ...paths],
      { encoding: 'utf8' },
    );
    if (status !== 0) throw new Error(`There is no bill of materials: ${stderr}`);
    return withHashes(JSON.parse(readFileSync(bill, 'utf8')));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Copied files count like those of the bundle. The manifest of their package stands for them. */
function withCopies(metafile: Metafile, source: string, copied: readonly string[]): Metafile {
  const manifests = copied.map((folder) => relative(source, join(folder, 'package.json')));
  const inputs: Metafile['inputs'] = {};
  const used: Metafile['outputs'][string]['inputs'] = {};
  for (const path of manifests) {
    inputs[path] = { bytes: 1, imports: [] };
    used[path] = { bytesInOutput: 1 };
  }
  return {
    inputs: { ...metafile.inputs, ...inputs },
    outputs: {
      ...metafile.outputs,
      copies: { bytes: 1, imports: [], exports: [], inputs: used },
    },
  };
}

function withHashes(bill: Bill): Bill {
  const locked = lockedIntegrity();
  const components = bill.components.map((component) => {
    const integrity = locked.get(`${fullName(component)}@${component.version}`);
    if (integrity === undefined) throw new Error(`${component.purl} is not in package-lock.json.`);
    return { ...component, hashes: hashesOf(integrity) };
  });
  return { ...bill, components };
}

/** `sha512-…` in base 64, by name and version. */
export function lockedIntegrity(): ReadonlyMap<string, string> {
  const { packages }: { packages: Record<string, { version?: string; integrity?: string }> } =
    JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  return new Map(
    Object.entries(packages).flatMap(([path, { version, integrity }]) => {
      const name = path.replace(/^.*node_modules\//, '');
      return integrity === undefined ? [] : [[`${name}@${version}`, integrity] as const];
    }),
  );
}

export function hashesOf(integrity: string): NonNullable<Component['hashes']> {
  const [, base64 = ''] = /^sha512-(.+)$/.exec(integrity) ?? [];
  return [{ alg: 'SHA-512', content: Buffer.from(base64, 'base64').toString('hex') }];
}

/** As in a manifest: `@noble/curves`. */
export function fullName({ group, name }: Component): string {
  return group === undefined ? name : `${group}/${name}`;
}

/** The bill as a file. The texts of the licences have a file of their own. */
export function writeBill(path: string, bill: Bill): void {
  const withoutTexts = ({ evidence, ...component }: Component) => component;
  const { metadata, components } = bill;
  const written = {
    ...bill,
    metadata: { ...metadata, component: withoutTexts(metadata.component) },
    components: components.map(withoutTexts),
  };
  writeFileSync(path, `${JSON.stringify(written, null, 2)}\n`);
}
