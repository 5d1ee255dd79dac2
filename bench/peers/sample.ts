/** The organisations of the comparison, and the texts for queries that are drawn from them. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync } from 'node:fs';
import { randomFor } from '../../scripts/release/random.ts';
import { dataFolder, ROOT } from '../data.ts';

export interface Organization {
  readonly id: string;
  readonly meta: { readonly lastUpdated: string };
  readonly name?: string;
  readonly address?: readonly { readonly postalCode?: string }[];
  readonly extension?: readonly {
    readonly url: string;
    readonly extension?: readonly { readonly valueCoding?: { readonly code?: string } }[];
  }[];
}

export interface Sample {
  /** The file has a line of JSON for each organisation. */
  readonly file: string;
  readonly organizations: readonly Organization[];
}

/** A generated release, exported as FHIR. The file is created once and kept. */
export function openPeerSample(records: number): Sample {
  const folder = dataFolder(records);
  const file = `${folder}.ndjson`;
  if (!existsSync(file)) {
    const made = `${file}.part`;
    const words = ['src/main.ts', 'export', '--data', folder, '--format', 'ndjson'];
    const { status, stderr } = spawnSync(process.execPath, [...words, '--output', made], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(stderr);
    renameSync(made, file);
  }
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return { file, organizations: lines.map((line) => JSON.parse(line)) };
}

/** Draws different texts from the organisations. Returns the same texts each time. */
export function drawTexts(
  { organizations }: Sample,
  count: number,
  textOf: (organization: Organization) => string | undefined,
): readonly string[] {
  const random = randomFor(17, 0);
  const texts = new Set<string>();
  for (let attempt = 0; attempt < count * ATTEMPTS && texts.size < count; attempt++) {
    const text = textOf(random.pick(organizations));
    if (text !== undefined) texts.add(text);
  }
  return [...texts];
}

/** Some organisations have no such text, or a text that was drawn before. */
const ATTEMPTS = 20;
