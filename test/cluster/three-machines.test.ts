/** Follows docs/how-to/three-machines.md step by step, on machines that have their own files and network. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { ownerOfSuite } from '../owner.ts';
import { readPage } from '../tidy/markdown.ts';
import { createHosts, type Host } from './hosts.ts';
import { clusterTools } from './packages.ts';

const PAGE = 'docs/how-to/three-machines.md';
const SUBNET = '10.213.78';
const NODES = ['gz1', 'gz2', 'gz3'];
const ALL = [...NODES, 'lb1'];
const STEP_TIMEOUT_MS = 240_000;
const LOOK_EVERY_MS = 2000;

interface Step {
  /** A part of the block of commands. */
  readonly has: string;
  readonly on: readonly string[];
  /** The reader repeats the commands until they succeed and print this. */
  readonly until?: RegExp;
}

/** The blocks of commands of the page, in its order. */
const STEPS: readonly Step[] = [
  { has: '>> /etc/hosts', on: ALL },
  { has: 'openssl req -x509', on: ['gz1'] },
  { has: 'scp -r /root/cluster gz2:', on: ['gz1'] },
  { has: 'systemctl start --no-block etcd', on: NODES },
  { has: 'etcdctl', on: ['gz1'], until: /gz1:2379 is healthy[\s\S]*gz2:2379 is healthy/ },
  { has: 'systemctl start patroni', on: NODES },
  {
    has: 'patronictl -c /etc/patroni/config.yml list',
    on: ['gz1'],
    until: /^(?=[\s\S]*Leader)(?=[\s\S]*Sync Standby)(?=[\s\S]*Replica *\| running)/,
  },
  { has: 'CREATE DATABASE', on: ['gz1'] },
  { has: 'database migrate', on: ['gz1'] },
  { has: '/etc/gazetteer/audit.key', on: NODES },
  { has: 'systemctl restart gazetteer', on: NODES },
  { has: 'import RELEASE.zip', on: ['gz1'] },
  { has: '/readyz', on: NODES, until: /^ok/m },
  { has: 'apt-get install --yes haproxy', on: ['lb1'] },
  { has: 'lb1:/etc/haproxy/haproxy.cfg', on: ['gz1'] },
  { has: 'systemctl restart haproxy', on: ['lb1'], until: /CapabilityStatement/ },
  { has: 'TOKEN=', on: ['gz1'], until: /"searchset"/ },
];

/** The blocks that come after the steps. */
const LEFT_OUT: readonly { readonly has: string; readonly why: string }[] = [
  { has: 'systemctl reboot', why: 'a test ends all processes of the machine instead' },
  { has: 'pg_dump', why: 'a test runs it after the failover' },
];

const missing = ['haproxy', 'psql', 'openssl', 'curl', 'runuser', 'etcdctl'].find(
  (program) => spawnSync('which', [program]).status !== 0,
);
const tools = clusterTools();
const skip = typeof tools === 'string' ? tools : missing !== undefined && `${missing} is missing`;

describe('the page about three machines', {
  skip,
}, () => {
  const blocks = readPage(PAGE)
    .codeBlocks.filter(({ language }) => language === 'sh')
    .map(({ text }) => text);
  const owner = ownerOfSuite();
  let hosts: ReadonlyMap<string, Host> = new Map();

  const blockWith = (has: string) =>
    (blocks.find((text) => text.includes(has)) ?? '')
      .replaceAll('10.0.0.', `${SUBNET}.`)
      .replaceAll('RELEASE.zip', 'sample/organisations.zip');

  /** Runs a script on a machine. If it must print a text, repeats it until it does. */
  const run = async (name: string, script: string, expected?: RegExp) => {
    const host = hosts.get(name);
    assert.ok(host !== undefined, name);
    const endMs = Date.now() + STEP_TIMEOUT_MS;
    for (;;) {
      const { code, output } = await host.run(script);
      if (code === 0 && (expected?.test(output) ?? true)) return output;
      const mayRepeat = expected !== undefined && Date.now() < endMs;
      if (!mayRepeat) assert.fail(`${name}: ${script}\n${output}\n${host.logs()}`);
      await delay(LOOK_EVERY_MS);
    }
  };

  it('has only commands that a test knows', () => {
    const known = [...STEPS, ...LEFT_OUT].map(({ has }) => has);
    assert.deepEqual(
      blocks.map((block) => known.find((has) => block.includes(has))),
      known,
    );
  });

  it('leads to three machines that continue when one fails', async () => {
    const names = new Map(ALL.map((name, at) => [name, at + 1]));
    hosts = createHosts(owner, SUBNET, names);
    for (const { has, on, until } of STEPS) {
      for (const name of on) await run(name, blockWith(has), until);
    }

    const list = blockWith('patronictl').trim();
    const leader = leaderIn(await run('gz1', list, /Leader/));
    hosts.get(leader)?.machine.kill();
    const [other = ''] = NODES.filter((name) => name !== leader);
    await run(other, `${list} | grep -v ' ${leader} '`, /Leader/);
    await run(other, blockWith('TOKEN='), /"searchset"/);
    await run(other, blockWith('pg_dump'));
  });
});

/** The machine that the list of Patroni names as leader. */
function leaderIn(list: string): string {
  return /^\| (\w+) .*\| Leader /m.exec(list)?.[1] ?? '';
}
