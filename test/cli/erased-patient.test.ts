/** An erasure and the subscriptions whose criteria name the patient. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import type { Resource } from '../../src/fhir/format/resource.ts';
import { entriesOf } from '../../src/fhir/search/resource-parameter.ts';
import { unstampedText } from '../../src/fhir/stored/stored-text.ts';
import { EXAMPLE_RESPONSE } from '../../src/orders/order-response/example.ts';
import { storedSearchOf } from '../../src/orders/order-response/search-parameters.ts';
import { openDataFolder } from '../../src/storage/files/data-folder.ts';
import type { RepositoryOperation } from '../../src/storage/repository/repository-operation.ts';
import { ACCESS } from '../storage/repository.contract.ts';
import { openStore } from '../storage/repository-place.ts';
import { SUBSCRIPTION_EXAMPLE } from '../subscriptions/example.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { runInProcess } from './run-in-process.ts';

const NUMBER = '9476719931';

/** The example about a patient with this number. */
const RESPONSE = JSON.parse(JSON.stringify(EXAMPLE_RESPONSE).replace('1234DEF', NUMBER));

function written(id: string, sent: object): RepositoryOperation['args'][0] & object {
  const resource = sent as Resource;
  const type = String(resource.resourceType);
  const entries = entriesOf(resource, storedSearchOf(type).parameters);
  return { type, id, text: unstampedText(resource, id), entries, preconditions: {} };
}

const create = (id: string, sent: object) =>
  ({ kind: 'create', args: [written(id, sent), ACCESS] }) as RepositoryOperation;
const update = (id: string, sent: object) =>
  ({
    kind: 'update',
    args: [written(id, sent), { ...ACCESS, interaction: 'update' }],
  }) as RepositoryOperation;
const subscription = (criteria: string) => ({ ...SUBSCRIPTION_EXAMPLE, criteria });

/** A folder with an order response and subscriptions that name its patient in different ways. */
function placeOf(context: TestContext) {
  const data = join(temporaryFolder(context), 'data');
  const store = openStore(openDataFolder(data));
  const parameter = 'OrderResponse?request.patient.identifier';
  const found = {
    type: 'Subscription',
    outcome: 'found',
    resources: ['current'],
    total: 1,
  } as const;
  const results = store.runBatch([
    create('response', RESPONSE),
    create('current', subscription(`${parameter}=https://fhir.nhs.uk/Id/nhs-number%7C${NUMBER}`)),
    create('alternative', subscription(`${parameter}=1234567890,${NUMBER}`)),
    create('reference', subscription(`OrderResponse?patient=Patient/${NUMBER}`)),
    create('earlier', subscription(`${parameter}=${NUMBER}`)),
    update('earlier', subscription('OrderResponse?code=completed')),
    create('deleted', subscription(`${parameter}=${NUMBER}`)),
    {
      kind: 'delete',
      args: [
        { type: 'Subscription', id: 'deleted', preconditions: {} },
        { ...ACCESS, interaction: 'delete' },
      ],
    },
    create('other', subscription(`${parameter}=${NUMBER}0&code=completed`)),
    {
      kind: 'recordSearch',
      args: [
        { ...found, parameters: `criteria=${NUMBER}` },
        { ...ACCESS, interaction: 'search-type' },
      ],
    },
  ]);
  assert.deepEqual(
    results.filter(({ kind }) => kind === 'fault'),
    [],
  );
  store.close();
  const runAny = (...words: string[]) => runInProcess([...words, '--data', data]);
  const run = async (...words: string[]) => {
    const { code, stdout, stderr } = await runAny(...words);
    assert.deepEqual([code, stderr], [0, '']);
    return stdout;
  };
  const filesWith = (pattern: RegExp) =>
    readdirSync(data, { recursive: true, withFileTypes: true })
      .filter((file) => file.isFile())
      .filter((file) => pattern.test(readFileSync(join(file.parentPath, file.name), 'latin1')))
      .map(({ name }) => name);
  return { run, runAny, filesWith };
}

const erase = ['orders', 'erase', 'OrderResponse/response', '--reason', 'Request-42'];

it('orders erase names the subscriptions whose criteria name the patient', async (context) => {
  const { run, filesWith } = placeOf(context);
  const lines = (await run(...erase)).split('\n');
  assert.deepEqual(lines, [
    'The criteria of these subscriptions name the patient. To erase them too:',
    ...[
      'Subscription/current',
      'Subscription/alternative',
      'Subscription/reference',
      'Subscription/earlier --version 1',
      'Subscription/deleted --version 1',
    ].map((each) => `  gazetteer orders erase ${each} --reason REASON`),
    'Erased the content of OrderResponse/response (1 version).',
    'Backups made before the erasure still have the content.',
    'The files of the database can have copies of single values. To remove them, run "gazetteer orders rewrite".',
    '',
  ]);
  assert.deepEqual(filesWith(/9476719931(?!0)/), ['orders.db']);
});

it('orders erase --subscriptions erases them too, and leaves the number in no file', async (context) => {
  const { run, filesWith } = placeOf(context);
  const text = await run(...erase, '--subscriptions');
  assert.equal(text.match(/^Erased the content of .*Subscription\//gm)?.length, 5, text);
  assert.deepEqual(filesWith(/9476719931(?!0)/), []);
  const left = (await run('subscriptions', 'list')).trimEnd().split('\n');
  assert.deepEqual(
    left.map((line) => JSON.parse(line).id),
    ['earlier', 'other'],
  );
  assert.match(await run('verify'), /sound/);
});

it('orders erase --subscriptions names all of them before it erases the first', async (context) => {
  const { run, runAny } = placeOf(context);
  await run('orders', 'hold', 'Subscription/reference', '--reason', 'Case-1');
  const { code, stdout, stderr } = await runAny(...erase, '--subscriptions');
  assert.equal(code, 1);
  assert.match(stderr, /Subscription\/reference is on hold/);
  const named = [...stdout.matchAll(/gazetteer orders erase (\S+)/g)].map(([, name]) => name);
  assert.deepEqual(named, [
    'Subscription/current',
    'Subscription/alternative',
    'Subscription/reference',
    'Subscription/earlier',
    'Subscription/deleted',
  ]);
  assert.ok(stdout.indexOf('gazetteer orders erase') < stdout.indexOf('Erased the content'));
});

it('orders erase of a version looks for the patient of this version alone', async (context) => {
  const { run } = placeOf(context);
  const words = ['--version', '1', '--reason', 'Request-42'];
  const text = await run('orders', 'erase', 'Subscription/earlier', ...words);
  assert.match(
    text,
    /^Erased the content of version 1 of Subscription\/earlier \(1 version\)\.\nBackups made before/,
  );
});
