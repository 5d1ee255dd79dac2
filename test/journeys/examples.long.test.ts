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

const DIRECTORY = `RTG is UNIVERSITY HOSPITALS OF DERBY AND BURTON NHS FOUNDATION TRUST
NONE is known: false
Active organisations with leeds in the name: 8
400: Supplied name needs a minimum of 3 Characters.
Copied 772 organisations
The copy is current
`;

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
const EXAMPLES = [
  ['directory.mjs', DIRECTORY, false],
  ['directory.py', DIRECTORY, PYTHON],
  ['orders.mjs', ORDERS, false],
  ['orders.py', ORDERS, PYTHON],
  ['fhir-kit-client.mjs', FHIR_KIT, false],
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

  for (const [name, printed, skip] of EXAMPLES) {
    it(`${name} prints what it should`, { skip }, async () => {
      const program = name.endsWith('.py') ? 'python3' : process.execPath;
      const words = [join(ROOT, 'examples', name), server.origin, tokenFile];
      const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'pipe'] });
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
