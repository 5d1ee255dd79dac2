/** How the server tells systemd that it listens. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { notifyReady } from '../../src/cli/serve/monitoring/notify-ready.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const reported: unknown[][] = [];
const log = { report: (...line: unknown[]) => void reported.push(line) };

it('systemd is notified only if it waits for it', async (context) => {
  const folder = temporaryFolder(context);
  const told = join(folder, 'told');
  const script = '#!/bin/sh\necho "$NOTIFY_SOCKET $*" >> "$TOLD"\n';
  writeFileSync(join(folder, 'systemd-notify'), script, { mode: 0o700 });
  const environment = { PATH: `${folder}:${process.env.PATH}`, TOLD: told };
  writeFileSync(told, '');
  await notifyReady(environment, log);
  assert.equal(readFileSync(told, 'utf8'), '');
  await notifyReady({ ...environment, NOTIFY_SOCKET: '/run/notify' }, log);
  assert.equal(readFileSync(told, 'utf8'), '/run/notify --ready\n');
  assert.deepEqual(reported, []);
});

it('without the program, the reason names the remedy', async (context) => {
  const environment = { PATH: temporaryFolder(context), NOTIFY_SOCKET: '/run/notify' };
  await notifyReady(environment, log);
  assert.match(JSON.stringify(reported), /^\[\["GZ107".*ENOENT.*set Type=exec in the unit\."/);
});
