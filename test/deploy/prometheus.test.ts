/** The alert rules: Prometheus accepts them, and they fire when they should. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ROOT } from '../tidy/source-files.ts';

const isMissing = spawnSync('promtool', ['--version']).error !== undefined;
const skip = isMissing && 'there is no promtool, which is in the Debian package prometheus';

function promtool(...words: string[]) {
  const { status, stdout, stderr } = spawnSync('promtool', words, { encoding: 'utf8' });
  assert.equal(status, 0, stdout + stderr);
}

describe('the alert rules', { skip }, () => {
  it('are accepted by Prometheus', () =>
    promtool(
      'check',
      'rules',
      '--lint-fatal',
      join(ROOT, 'deploy/prometheus/gazetteer-rules.yml'),
    ));

  it('fire when they should, and not on a healthy server', () =>
    promtool('test', 'rules', join(ROOT, 'test/deploy/gazetteer-rules.test.yml')));
});
