/** The unit for systemd: the steps of the manual install it on a machine that boots systemd. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { commandsOf } from '../documents/commands.ts';
import { until } from '../faults/until.ts';
import { ownerOfSuite } from '../owner.ts';
import { bootMachine } from './booted-machine.ts';

/** What systemd-analyze calls "exposure", of at most 100. */
const EXPOSURE_MAX = 13;
const MEMORY_MAX_BYTES = 4 * 2 ** 30;

const STEPS = commandsOf('docs/how-to/run-as-a-service.md').map(({ text }) => text);
const INSTALL = /^npm ci /;
/** They need the numbers of processes, or a machine with programs for measurements. */
const MEASUREMENTS = /^(ps|du|\/usr\/bin\/time) /;
const step = (beginning: RegExp) => {
  const found = STEPS.find((text) => beginning.test(text));
  assert.ok(found !== undefined, String(beginning));
  return found;
};

const machine = await bootMachine(ownerOfSuite(), step(INSTALL));

it('the manual installs the packages and the unit, and imports a release', () => {
  for (const part of [INSTALL, /^useradd /, /^systemctl enable /, / import /]) step(part);
});

describe('the unit', { skip: typeof machine === 'string' && machine }, () => {
  if (typeof machine === 'string') return;
  const { run, mustRun } = machine;
  const property = async (name: string) =>
    (await mustRun(`systemctl show --property=${name} --value gazetteer`)).trim();
  const journal = async () =>
    (await mustRun('journalctl --unit gazetteer --output cat')).trim().split('\n');
  // The address of the manual answers as soon as one of the services is ready.
  const untilReady = () =>
    until('the directory is ready', async () => {
      const probe = step(/^curl .*readyz/).replace('curl', 'curl --fail');
      const { code } = await run(`${probe}/directory`);
      return code === 0;
    });

  it('is installed by the steps of the manual', async () => {
    await mustRun('cp sample/organisations.zip RELEASE.zip');
    const steps = STEPS.filter((text) => !INSTALL.test(text) && !MEASUREMENTS.test(text));
    for (const text of steps) {
      if (text.startsWith('curl')) await untilReady();
      await mustRun(text);
    }
    assert.equal(await property('UnitFileState'), 'enabled');
    // The last step restarts the server.
    await untilReady();
    const search = await mustRun(
      'curl --fail --silent http://localhost:8080/STU3/Organization/RR8',
    );
    assert.match(search, /"resourceType":"Organization"/);
  });

  it('has nothing that systemd complains about', async () => {
    const { code, stdout, stderr } = await run('systemd-analyze verify gazetteer.service');
    assert.deepEqual([code, stdout + stderr], [0, '']);
  });

  it('confines the server', async (context) => {
    const analyze = 'systemd-analyze security gazetteer --no-pager';
    const { code, stdout } = await run(`${analyze} --threshold=${EXPOSURE_MAX}`);
    context.diagnostic(stdout.trim().split('\n').at(-1) ?? '');
    assert.equal(code, 0, stdout);
    const id = await property('MainPID');
    const status = await mustRun(`grep -E "^(CapBnd|NoNewPrivs|Seccomp):" /proc/${id}/status`);
    assert.deepEqual(status.trim().split(/\s+/), [
      'CapBnd:',
      '0'.repeat(16),
      'NoNewPrivs:',
      '1',
      'Seccomp:',
      '2',
    ]);
    const refused = await run(`nsenter --target ${id} --mount touch /opt/gazetteer/new`);
    assert.match(refused.stderr, /Read-only file system/);
    assert.equal(await mustRun('stat --format "%U %a" /var/lib/gazetteer'), 'gazetteer 700\n');
    assert.equal(await mustRun(`stat --format %U /proc/${id}`), 'gazetteer\n');
  });

  it('limits the memory of the server', async (context) => {
    assert.equal(await property('MemoryMax'), String(MEMORY_MAX_BYTES));
    const file = `/sys/fs/cgroup${await property('ControlGroup')}/memory.max`;
    const { code, stdout } = await run(`cat ${file}`);
    if (code === 0) assert.equal(Number(stdout), MEMORY_MAX_BYTES);
    else context.diagnostic('this machine cannot limit the memory of a service');
  });

  it('reloads the server', async () => {
    await untilReady();
    const id = await property('MainPID');
    await mustRun('systemctl reload gazetteer');
    await untilReady();
    assert.equal(await property('MainPID'), id);
  });

  it('has a server also after a reload during its start', async () => {
    await mustRun('systemctl restart gazetteer');
    await run('systemctl reload gazetteer');
    await untilReady();
    await mustRun('systemctl restart gazetteer');
    await untilReady();
  });

  it('starts the server again after it was killed', async () => {
    const id = await property('MainPID');
    await mustRun(`kill -9 ${id}`);
    await until('another process', async () => !['0', id].includes(await property('MainPID')));
    await untilReady();
    assert.equal(await property('NRestarts'), '1');
  });

  it('stops the server in time, and the journal has its log', async () => {
    assert.equal(await property('TimeoutStopUSec'), '20s');
    await mustRun('systemctl stop gazetteer');
    // systemd kills what takes longer, and the result is then "timeout".
    assert.equal(await property('Result'), 'success');
    const messages = async () => {
      const lines = (await journal()).filter((line) => line.startsWith('{'));
      return lines.map((line) => JSON.parse(line).msg);
    };
    assert.equal((await messages())[0], 'starting');
    await until('the journal has the end', async () => (await messages()).at(-1) === 'stopped');
  });

  it('does not start again after a mistake in the settings', async () => {
    await mustRun(`sed -i 's/8080,/"8080x",/' /etc/gazetteer/config.json`);
    await run('systemctl start gazetteer');
    await until('the service failed', async () => (await property('ActiveState')) === 'failed');
    assert.equal(await property('ExecMainStatus'), '2');
    assert.equal(await property('NRestarts'), '0');
    await until('the journal has the reason', async () =>
      /port in \S+ must be a whole number/.test((await journal()).join('\n')),
    );
  });
});
