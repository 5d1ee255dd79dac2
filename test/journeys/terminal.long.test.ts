/** `gazetteer serve` on a terminal: lines for people, with the addresses to open. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { temporaryFolder } from '../temporary-folder.ts';
import { ROOT } from '../tidy/source-files.ts';
import { keptEnvironment } from './program.ts';

/** A program of util-linux that runs a command on a pseudo-terminal. */
const SCRIPT = '/usr/bin/script';
const isMissing = process.platform !== 'linux' || !existsSync(SCRIPT);

const END = 'Ctrl+C stops the server.';

it('the log is text, and the addresses follow it', {
  skip: isMissing && `${SCRIPT} of util-linux is not installed`,
}, async (context) => {
  const words = ['--port', '0', '--metrics-port', '0', '--threads', '1'];
  const terminal = openTerminal(`serve ${words.join(' ')} --data ${temporaryFolder(context)}/data`);
  context.after(() => terminal.stdin.end());
  const exited = once(terminal, 'exit');
  let shown = '';
  for await (const piece of terminal.stdout.setEncoding('utf8')) {
    const before = shown;
    shown += piece;
    // The terminal turns this character into an interrupt, as Ctrl+C does.
    if (shown.includes(END) && !before.includes(END)) terminal.stdin.write('\x03');
  }
  assert.deepEqual(await exited, [0, null], shown);
  const port = /^\d\d:\d\d:\d\d {2}listening .* port=(\d+) /m.exec(shown)?.[1];
  const health = /health and metrics .* port=(\d+)/.exec(shown)?.[1];
  const url = `http://localhost:${port}`;
  const addresses = shown
    .split(/\r\n/)
    .filter((line) => line.startsWith('  '))
    .map((line) => line.trim().split(/ {2,}/));
  assert.deepEqual(addresses, [
    [`Open ${url}/`],
    ['FHIR STU3', `${url}/STU3`],
    ['FHIR STU3 with legacy JSON', `${url}/legacy/STU3`],
    ['FHIR R4', `${url}/R4`],
    ['ORD', `${url}/ORD/2-0-0`],
    ['Order responses', url],
    ['Health', `http://127.0.0.1:${health}/readyz`],
    [END],
  ]);
});

/** Runs the program on a pseudo-terminal. */
function openTerminal(command: string) {
  const program = `exec ${process.execPath} ${join(ROOT, 'src/main.ts')} ${command}`;
  return spawn(SCRIPT, ['--quiet', '--return', '--command', program, '/dev/null'], {
    cwd: ROOT,
    env: { ...keptEnvironment(), SHELL: '/bin/sh' },
  });
}
