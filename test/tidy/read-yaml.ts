/** Reads the YAML files of the project with Python, because no package of the project reads YAML. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './source-files.ts';

/** The documents of a file; none if no program here reads YAML. */
export function readYaml<Document>(path: string): readonly Document[] {
  const script = 'import json,sys,yaml; print(json.dumps(list(yaml.safe_load_all(sys.stdin))))';
  const { status, stdout, stderr } = spawnSync('python3', ['-c', script], {
    input: readFileSync(join(ROOT, path)),
    encoding: 'utf8',
  });
  if (status === 0) return JSON.parse(stdout);
  assert.ok(stderr === null || stderr.includes("No module named 'yaml'"), stderr);
  return [];
}
