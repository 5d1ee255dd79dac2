/** The container image: the commands of the manual build it, run it, import into it and stop it. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { commandsOf } from '../documents/commands.ts';
import { until } from '../faults/until.ts';
import { ownerOfSuite } from '../owner.ts';
import { openDockerMachine } from './docker-machine.ts';

const IMAGE_BYTES_MAX = 250_000_000;
const COMMANDS = commandsOf('docs/how-to/run-in-a-container.md');
const TESTED = /^(docker (build|run --detach|run --rm|exec|logs|stop|start|ps|rm)|curl) ?/;

const machine = await openDockerMachine(ownerOfSuite());

it('every command of the manual is tested', () => {
  assert.deepEqual(
    COMMANDS.filter(({ text }) => !TESTED.test(text)),
    [],
  );
});

describe('the image', { skip: typeof machine === 'string' && machine }, () => {
  if (typeof machine === 'string') return;

  /** The state of the container. */
  const inspect = async (format: string) =>
    (await machine.mustRun(`docker inspect --format '{{${format}}}' gazetteer`)).trim();
  const inContainer = (command: string) =>
    machine.run(`docker exec gazetteer sh -euc '${command}'`);
  const log = async () => (await machine.mustRun('docker logs gazetteer')).trim().split('\n');

  it('is built by the command of the manual', async (context) => {
    await machine.mustRun(commandWith('docker build'));
    const bytes = Number(
      await machine.mustRun("docker image inspect gazetteer --format '{{.Size}}'"),
    );
    context.diagnostic(`figures: ${Math.round(bytes / 1_000_000)} megabytes of the image`);
    assert.ok(bytes <= IMAGE_BYTES_MAX, `${bytes} bytes`);
  });

  it('starts as the manual shows', async () => {
    await machine.mustRun(commandWith('docker run --detach'));
    await until('the server listens', async () => (await log()).some(hasMessage('listening')));
  });

  it('runs as a user without rights, and can write only the volume and /tmp', async () => {
    const user = await inContainer('id -u; id -g; grep -E "^(CapEff|NoNewPrivs)" /proc/1/status');
    assert.deepEqual(user.stdout.trim().split(/\s+/), [
      '10001',
      '10001',
      'CapEff:',
      '0'.repeat(16),
      'NoNewPrivs:',
      '1',
    ]);
    const refused = await inContainer('touch /opt/gazetteer/new');
    assert.match(refused.stderr, /Read-only file system/);
    for (const folder of ['/data', '/tmp']) {
      const written = await inContainer(`touch ${folder}/new; rm ${folder}/new`);
      assert.equal(written.code, 0, written.stderr);
    }
  });

  it('has a health check', async () => {
    const checked = await machine.run('docker healthcheck run gazetteer');
    assert.equal(checked.code, 0, checked.stdout + checked.stderr);
    await machine.mustRun(
      'docker run --detach --name asleep --entrypoint sleep gazetteer infinity',
    );
    const failed = await machine.run('docker healthcheck run asleep');
    await machine.mustRun('docker rm --force --time 0 asleep');
    assert.notEqual(failed.code, 0, 'no server runs');
  });

  it('imports in a second container while the first one serves', async () => {
    const before = await inspect('.State.StartedAt');
    await machine.mustRun(commandWith('docker run --rm'));
    const search = commandWith('curl').replace('curl', 'curl --fail --include');
    await until('the edition is served', async () => (await machine.run(search)).code === 0);
    assert.match(await machine.mustRun(search), /"resourceType":\s*"Organization"/);
    assert.equal(await inspect('.State.StartedAt'), before);
  });

  it('runs the other commands of the manual', async () => {
    const others = COMMANDS.filter(({ text }) => /^docker (exec|logs) /.test(text));
    assert.ok(others.length >= 3);
    for (const { text } of others) await machine.mustRun(text);
  });

  it('ends within its time, with exit code 0, when it is stopped', async () => {
    assert.match(commandWith('docker run --detach'), / --stop-timeout 20 /);
    await machine.mustRun(commandWith('docker stop'));
    // Docker kills what takes longer, and the code is then 137.
    assert.equal(await inspect('.State.ExitCode'), '0');
    assert.ok(hasMessage('stopped')((await log()).at(-1) ?? ''));
  });

  it('has its data again after a start', async () => {
    await machine.mustRun(commandWith('docker start'));
    const search = commandWith('curl').replace('curl', 'curl --fail');
    await until('the edition is served', async () => (await machine.run(search)).code === 0);
  });
});

function commandWith(beginning: string): string {
  const command = COMMANDS.find(({ text }) => text.startsWith(beginning));
  assert.ok(command !== undefined, beginning);
  return command.text;
}

function hasMessage(message: string): (line: string) => boolean {
  return (line) => line.startsWith('{') && JSON.parse(line).msg === message;
}
