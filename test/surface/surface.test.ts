/** What users rely on stays as long as the page on stability promises. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, it } from 'node:test';
import { parseSurface, SURFACES, type Surface, surfaceOf, textOf } from '../../scripts/surface.ts';
import { breaches, byAge, stepOf } from '../../scripts/surface-changes.ts';
import { SOFTWARE } from '../../src/config/version.ts';

const surface = surfaceOf();

/** The surface of the newest version before this one. */
function recorded(): { readonly version: string; readonly surface: Surface } {
  const versions = globSync('*.txt', { cwd: SURFACES })
    .map((name) => basename(name, '.txt'))
    .filter((version) => byAge(version, SOFTWARE.version) < 0)
    .sort(byAge);
  const version = versions.at(-1);
  assert.ok(version !== undefined, 'no surface of an earlier version is recorded');
  return {
    version,
    surface: parseSurface(readFileSync(join(SURFACES, `${version}.txt`), 'utf8')),
  };
}

/** What a step to the next patch, minor or major version of 1.4.0 does not allow. */
function refused(changed: Surface, version = '1.4.1'): readonly string[] {
  return breaches({ version: '1.4.0', surface }, { version, surface: changed }).map(
    ({ name, problem }) => `${name} ${problem}`,
  );
}

function without(name: string): Map<string, string> {
  assert.ok(surface.has(name), name);
  const changed = new Map(surface);
  changed.delete(name);
  return changed;
}

describe('the surface', () => {
  it('has what this version may not have changed since the last one', () => {
    const before = recorded();
    const found = breaches(before, { version: SOFTWARE.version, surface });
    assert.deepEqual(found, [], `compared with version ${before.version}`);
  });

  it('is the same after it was written to a file', () => {
    assert.deepEqual(parseSurface(textOf(surface)), surface);
  });

  it('has settings, commands, exit codes, metrics, log codes, columns, types and operations', () => {
    const kinds = new Set(
      [...surface.keys()].map((name) => name.replace(/^((log|exit|report) )?(\S+) .*/, '$1$3')),
    );
    for (const kind of [
      'setting',
      'command',
      'option',
      'exit code',
      'metric',
      'log code',
      'column',
    ]) {
      assert.ok(kinds.has(kind), kind);
    }
    for (const kind of ['report column', 'export', 'type', 'operation', 'parameter']) {
      assert.ok(kinds.has(kind), kind);
    }
  });
});

describe('a patch', () => {
  it('cannot rename a setting', () => {
    const renamed = without('setting log.requests').set('setting log.asked', 'true|false');
    assert.deepEqual(refused(renamed), [
      'setting log.requests is gone',
      'setting log.asked is new',
    ]);
  });

  it('cannot remove a column', () => {
    const name = 'column organisation.name';
    assert.deepEqual(refused(without(name)), [`${name} is gone`]);
  });

  it('cannot change an exit code', () => {
    const changed = new Map(surface).set('exit code misused', '64');
    assert.deepEqual(refused(changed), ['exit code misused has changed']);
  });

  it('can add a code of the log, and nothing else', () => {
    const more = new Map(surface).set('log code GZ999', 'warn').set('metric new_total', 'counter');
    assert.deepEqual(refused(more), ['metric new_total is new']);
  });
});

describe('a minor version', () => {
  it('can add, but not change or remove', () => {
    const changed = without('metric gazetteer_connections')
      .set('metric new_total', 'counter')
      .set('exit code failed', '3');
    assert.deepEqual(refused(changed, '1.5.0'), [
      'exit code failed has changed',
      'metric gazetteer_connections is gone',
    ]);
  });

  it('before 1.0.0 can change everything, as a major version can', () => {
    const changed = without('metric gazetteer_connections');
    assert.deepEqual(refused(changed, '2.0.0'), []);
    assert.equal(stepOf('0.2.2', '0.3.0'), 'major');
    assert.equal(stepOf('0.9.0', '1.0.0'), 'major');
    assert.equal(stepOf('0.3.0', '0.3.1'), 'patch');
    assert.equal(stepOf('1.4.7', '1.5.0'), 'minor');
  });

  it('must be newer than the one before', () => {
    assert.throws(() => stepOf('1.5.0', '1.5.0'), RangeError);
    assert.throws(() => stepOf('1.5.0', '1.4.9'), RangeError);
  });
});
