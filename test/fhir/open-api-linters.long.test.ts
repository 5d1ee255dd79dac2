/** The OpenAPI description passes the usual linters, with their recommended rules. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { NO_HISTORY } from '../../src/directory/edition/edition-store.ts';
import { openApi } from '../../src/fhir/statement/open-api.ts';
import { createEventsService } from '../../src/interfaces/events/service.ts';
import { serveFace } from '../../src/interfaces/faces/rendered-edition.ts';
import { createOrdService } from '../../src/interfaces/ord/service.ts';
import { createCodeServices } from '../../src/interfaces/questions/service.ts';
import { R4_FACE } from '../../src/interfaces/r4/face.ts';
import { createReportServices } from '../../src/interfaces/reports/service.ts';
import { createDirectoryService } from '../../src/interfaces/service.ts';
import { STU3_FACE } from '../../src/interfaces/stu3/face.ts';
import { createOrderService } from '../../src/orders/order-response/service.ts';
import { BASE, SETTINGS, SOFTWARE } from '../directory/directory-server.ts';
import { SETTINGS as ORDER_SETTINGS } from '../order-response/order-server.ts';
import { createMemoryRepository } from '../storage/memory-repository.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const EDITIONS = { current: () => undefined, byNumber: () => undefined };
const authorize = () => ({ subject: 'anyone' });

/** `open`: a directory for everyone. `secured`: tokens, keys, and order responses beside it. */
const DESCRIPTIONS = { open: describe(false), secured: describe(true) };

function describe(isSecured: boolean): string {
  const secure = isSecured ? { authorize, checkApiKey: () => {} } : {};
  const served = { settings: SETTINGS, serverUrl: BASE };
  const directories = [STU3_FACE, R4_FACE].map((face) => ({
    ...createDirectoryService(serveFace(face, served), EDITIONS),
    ...secure,
  }));
  const orders = createOrderService({
    settings: ORDER_SETTINGS,
    serverUrl: BASE,
    store: createMemoryRepository(),
    authorize,
    newId: () => 'a',
  });
  const plainServices = [
    createOrdService({ ...served, ...secure, editions: EDITIONS }),
    ...createReportServices({ ...served, ...secure, editions: EDITIONS }),
    ...createCodeServices({ ...served, ...secure, editions: EDITIONS }),
    createEventsService({ ...served, ...secure, editions: EDITIONS }, async () => NO_HISTORY),
  ];
  const services = isSecured ? [...directories, orders] : directories;
  return JSON.stringify(openApi(services, SOFTWARE, plainServices), null, 1);
}

const LINTERS = [
  {
    package: '@redocly/cli@2.77.0',
    command: 'redocly lint --config redocly.yaml',
    file: 'redocly.yaml',
    config: 'extends: [recommended]\n',
  },
  {
    package: '@stoplight/spectral-cli@6.16.3',
    command: 'spectral lint --fail-severity=warn',
    file: '.spectral.yaml',
    // The program does not know whom to ask about a server.
    config: 'extends: ["spectral:oas"]\nrules:\n  info-contact: off\n',
  },
];

const UNREACHABLE = /ENOTFOUND|ENOTCACHED|EAI_AGAIN|ECONNREFUSED|ENETUNREACH|ETIMEDOUT|E50[0-9]/;

for (const { package: name, command, file, config } of LINTERS) {
  it(`the OpenAPI description has no errors and no warnings of ${name}`, (context) => {
    const folder = temporaryFolder(context);
    writeFileSync(join(folder, file), config);
    const names = Object.entries(DESCRIPTIONS).map(([key, text]) => {
      writeFileSync(join(folder, `${key}.json`), text);
      return `${key}.json`;
    });
    const words = ['exec', '--yes', `--package=${name}`, '--', ...command.split(' '), ...names];
    // The npm of the machine. The runtime of the checkout has none.
    const { status, stdout, stderr } = spawnSync('npm', words, { cwd: folder, encoding: 'utf8' });
    const output = stdout + stderr;
    if (status !== 0 && UNREACHABLE.test(stderr)) {
      context.skip('npm cannot reach its registry');
      return;
    }
    assert.equal(status, 0, output);
    assert.doesNotMatch(output, /You have \d+ warnings?/);
  });
}
