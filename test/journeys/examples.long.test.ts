/** The examples of clients, run against a server as a reader runs them. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { before, describe, it } from 'node:test';
import { EXAMPLE_RESPONSE } from '../../src/orders/order-response/example.ts';
import { isInstalled } from '../documents/terminal.ts';
import { importedSample } from '../imported-sample.ts';
import { ownerOfSuite } from '../owner.ts';
import { ROOT } from '../tidy/source-files.ts';
import { type Server, serve } from './program.ts';
import { tokenFor } from './token.ts';

const DIRECTORY_R4 = `RTG is UNIVERSITY HOSPITALS OF DERBY AND BURTON NHS FOUNDATION TRUST
NONE is known: false
Active organisations with leeds in the name: 8
400: active must be true or false.
Copied 793 organisations
The copy is current
`;

const DIRECTORY_STU3 = DIRECTORY_R4.replace(
  'active must be true or false.',
  'Invalid FHIR active parameter',
).replace('793', '772');

const ORDERS = `The first attempt is answered with 201
The second attempt is answered with 200
Both have the same id: true
The update made W/"2"
Versions: cancelled, completed
400: /f:OrderResponse/f:date: date: "today" is not a valid dateTime. Expected a date of the calendar (YYYY, YYYY-MM, YYYY-MM-DD), with a time: YYYY-MM-DDThh:mm:ss+zz:zz.
`;

const FHIR_KIT = `RTG is UNIVERSITY HOSPITALS OF DERBY AND BURTON NHS FOUNDATION TRUST
Active organisations with leeds in the name: 8
Created OrderResponse with the status completed
404 There is no OrderResponse with this id.
`;

const PYTHON = !isInstalled('python3') && 'there is no python3';
const TOKEN = 'TOKEN';
const EXAMPLES = [
  ['directory.mjs', ['R4'], DIRECTORY_R4, false],
  ['directory.mjs', ['STU3'], DIRECTORY_STU3, false],
  ['directory.py', ['R4'], DIRECTORY_R4, PYTHON],
  ['directory.py', ['STU3'], DIRECTORY_STU3, PYTHON],
  ['orders.mjs', [TOKEN], ORDERS, false],
  ['orders.py', [TOKEN], ORDERS, PYTHON],
  ['fhir-kit-client.mjs', [TOKEN, 'R4'], FHIR_KIT, false],
  ['fhir-kit-client.mjs', [TOKEN, 'STU3'], FHIR_KIT, false],
] as const;

describe('the example', () => {
  let server: Server;
  let tokenFile = '';
  const owner = ownerOfSuite();
  before(async () => {
    const data = await importedSample(owner);
    server = await serve(owner, ['--data', data, '--threads', '1']);
    tokenFile = join(data, 'token.txt');
    writeFileSync(tokenFile, await tokenFor(data));
  });

  for (const [name, further, printed, skip] of EXAMPLES) {
    it(`${name} ${further.join(' ')} prints what it should`, { skip }, async () => {
      const program = name.endsWith('.py') ? 'python3' : process.execPath;
      const file = join(ROOT, 'examples', name);
      const words = further.map((word) => (word === TOKEN ? tokenFile : word));
      const child = spawn(program, [file, server.origin, ...words], {
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const [stdout, stderr, [code]] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, 'exit'),
      ]);
      assert.deepEqual({ code, stdout, stderr }, { code: 0, stdout: printed, stderr: '' });
    });
  }
});

it('the order response of the examples is the one of the OpenAPI description', () => {
  const file = readFileSync(join(ROOT, 'examples', 'order-response.json'), 'utf8');
  assert.deepEqual(JSON.parse(file), EXAMPLE_RESPONSE);
});

it('the guide for clients shows what the examples print', () => {
  const guide = readFileSync(join(ROOT, 'docs/how-to/write-a-client.md'), 'utf8');
  assert.ok(guide.includes(DIRECTORY_R4));
});
