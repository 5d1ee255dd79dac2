/** Data folders of generated order responses: patients with several orders, over two years. */
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Resource } from '../../src/fhir/format/resource.ts';
import { entriesOf } from '../../src/fhir/search/resource-parameter.ts';
import { unstampedText } from '../../src/fhir/stored/stored-text.ts';
import { storedSearchOf } from '../../src/orders/order-response/search-parameters.ts';
import { type DataFolder, openDataFolder } from '../../src/storage/files/data-folder.ts';
import type { RepositoryOperation } from '../../src/storage/repository/repository-operation.ts';
import { inTransaction, openDatabase } from '../../src/storage/sqlite/database/database.ts';
import { createOrderResponses } from '../../src/storage/sqlite/migrations/orders-001-to-003.ts';
import { SqliteRepository } from '../../src/storage/sqlite/repository.ts';
import { openRepositoryDatabase } from '../../src/storage/sqlite/repository-database.ts';
import { RESULTS } from '../data.ts';

export const NHS_NUMBER = 'https://fhir.nhs.uk/Id/nhs-number';
export const ORDER_NUMBER = 'https://lab.example/orders';
export const RESPONSE_NUMBER = 'https://lab.example/responses';
export const USER_NUMBER = 'https://fhir.nhs.uk/Id/sds-user-id';

const ORDERS_OF_PATIENT = 4;
const RESPONSES_OF_PRACTITIONER = 500;
export const DAYS = 730;
const FIRST_DAY_MS = Date.UTC(2024, 10, 1);
const DAY_MS = 86_400_000;
const BATCH = 1000;

/** Few are neither completed nor accepted. */
const STATUSES = ['completed', 'completed', 'accepted', 'completed', 'accepted'];
const RARE_STATUS = 'rejected';
const RARE = 200;

/** A folder with so many order responses and their index, made once and kept. */
export function ordersFolder(count: number): DataFolder {
  const folder = keptFolder(String(count), (path) => copyFolder(firstSchemaFolder(count), path));
  // Migrates and indexes what is new, or was kept by an earlier version.
  new SqliteRepository(openRepositoryDatabase(folder)).close();
  return folder;
}

/** A folder with the same order responses in the first schema, which has no index of them. */
export function firstSchemaFolder(count: number): DataFolder {
  return keptFolder(`${count}-first-schema`, (path) => {
    const written = openDataFolder(`${path}.written`);
    try {
      writeOrders(written, count);
      const { ordersDatabase, auditKey } = openDataFolder(path);
      const database = openDatabase(ordersDatabase, [createOrderResponses]);
      database.prepare('ATTACH ? AS written').run(written.ordersDatabase);
      inTransaction(database, () => database.exec(COPY_TO_FIRST_SCHEMA));
      database.close();
      copyFileSync(written.auditKey, auditKey);
    } finally {
      rmSync(written.path, { recursive: true, force: true });
    }
  });
}

/** Copies the database and its key. */
export function copyFolder(from: DataFolder, path: string): DataFolder {
  const to = openDataFolder(path);
  copyFileSync(from.ordersDatabase, to.ordersDatabase);
  copyFileSync(from.auditKey, to.auditKey);
  return to;
}

function keptFolder(name: string, make: (path: string) => void): DataFolder {
  const path = join(RESULTS, 'orders', name);
  if (!existsSync(path)) {
    const draft = `${path}.draft`;
    rmSync(draft, { recursive: true, force: true });
    make(draft);
    renameSync(draft, path);
  }
  return openDataFolder(path);
}

/** Writes no index: it is quicker to fill at once. */
function writeOrders(folder: DataFolder, count: number): void {
  const nowMs = { value: FIRST_DAY_MS };
  const store = new SqliteRepository(openRepositoryDatabase(folder), {
    now: () => new Date(nowMs.value),
  });
  for (let first = 0; first < count; first += BATCH) {
    nowMs.value = instantMs(first, count);
    const length = Math.min(BATCH, count - first);
    store.runBatch(Array.from({ length }, (_, at) => createOf(first + at, count, [])));
  }
  store.close();
}

const COPY_TO_FIRST_SCHEMA = `
INSERT INTO order_response (id, current_version)
SELECT id, current_version FROM written.resource ORDER BY id;

INSERT INTO audit_entry (number, recorded_at, entry, mac)
SELECT number, recorded_at, entry, mac FROM written.audit_entry ORDER BY number;

INSERT INTO order_response_version (audit_entry, id, version, written_at, method, text)
SELECT v.audit_number, r.id, v.version, v.written_at, v.method, v.text
FROM written.resource_version AS v JOIN written.resource AS r ON r.key = v.resource
ORDER BY v.key;

INSERT INTO order_response_identifier (system, value, id)
SELECT '${RESPONSE_NUMBER}', json_extract(text, '$.identifier[0].value'), id
FROM order_response_version ORDER BY 1, 2;
`;

/** The create of one of `count` order responses; `ordinal` is its number among them. */
export function createOf(
  ordinal: number,
  count: number,
  parameters = storedSearchOf('OrderResponse').parameters,
): RepositoryOperation {
  const resource = orderResponse(ordinal, count);
  const id = uuidOf(ordinal);
  const entries = entriesOf(resource, parameters);
  return {
    kind: 'create',
    args: [
      { type: 'OrderResponse', id, text: unstampedText(resource, id), entries },
      { address: '192.0.2.1', requestId: id, interaction: 'create' },
    ],
  };
}

export function nhsNumberOf(ordinal: number, count: number): string {
  const patients = Math.max(1, Math.ceil(count / ORDERS_OF_PATIENT));
  return String(9_000_000_000 + ((Math.imul(ordinal, 7919) >>> 0) % patients));
}

export function userNumberOf(ordinal: number, count: number): string {
  const practitioners = Math.max(1, Math.ceil(count / RESPONSES_OF_PRACTITIONER));
  return String(100_000 + ((Math.imul(ordinal, 104_729) >>> 0) % practitioners));
}

/** When the order response was made, in the order of the ordinals. */
export function instantMs(ordinal: number, count: number): number {
  return FIRST_DAY_MS + Math.floor((ordinal / count) * DAYS * DAY_MS);
}

/** The same ordinal has the same id in every folder. */
export function uuidOf(ordinal: number): string {
  const digits = createHash('sha256').update(String(ordinal)).digest('hex');
  const time = ordinal.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${digits.slice(0, 3)}-8${digits.slice(3, 6)}-${digits.slice(6, 18)}`;
}

function orderResponse(ordinal: number, count: number): Resource {
  const status = ordinal % RARE === 0 ? RARE_STATUS : STATUSES[ordinal % STATUSES.length]!;
  return {
    resourceType: 'OrderResponse',
    contained: [
      {
        resourceType: 'Order',
        id: 'order',
        identifier: [{ system: ORDER_NUMBER, value: `O${ordinal}` }],
        subject: { reference: '#pat' },
        reasonCodeableConcept: { text: 'Review of patient laboratory test report' },
      },
      {
        resourceType: 'Patient',
        id: 'pat',
        identifier: [{ system: NHS_NUMBER, value: nhsNumberOf(ordinal, count) }],
        name: [{ family: ['Example'], given: [`Patient ${ordinal % 977}`] }],
      },
      {
        resourceType: 'Practitioner',
        id: 'prac',
        identifier: [{ system: USER_NUMBER, value: userNumberOf(ordinal, count) }],
        name: { family: ['Example'] },
      },
    ],
    identifier: [{ system: RESPONSE_NUMBER, value: `R${ordinal}` }],
    request: { reference: '#order' },
    date: new Date(instantMs(ordinal, count)).toISOString(),
    who: { reference: '#prac' },
    orderStatus: status,
    fulfillment: [{ reference: `DiagnosticReport/${ordinal}` }],
  };
}
