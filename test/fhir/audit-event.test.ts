/** Audit entries as FHIR: valid DSTU2, and nothing of the entry is lost. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type AuditEntry, OTHER_ADDRESSES } from '../../src/fhir/audit/audit.ts';
import { auditEvent } from '../../src/fhir/audit/audit-event.ts';
import { dstu2 } from '../../src/fhir/definitions/published.ts';
import { decodeJson } from '../../src/fhir/format/json.ts';

const WRITTEN: AuditEntry = {
  writer: 1,
  number: 7,
  recordedAt: '2026-11-21T09:30:00.123+00:00',
  interaction: 'create',
  outcome: 'stored',
  resourceType: 'OrderResponse',
  resource: '0191f0c2-0000-7000-8000-000000000001',
  version: 1,
  subject: 'dr-1',
  client: 'ward-system',
  address: '192.0.2.7',
  requestId: 'request-1',
  digest: 'ab'.repeat(32),
};
const { digest: _, client: __, ...READ } = WRITTEN;

describe('an audit event', () => {
  const entries: readonly [string, AuditEntry, outcome: string, action?: string][] = [
    ['a write', WRITTEN, '0', 'C'],
    ['an update', { ...WRITTEN, interaction: 'update', version: 2 }, '0', 'U'],
    ['a read', { ...READ, interaction: 'read', outcome: 'found' }, '0', 'R'],
    ['a vread of nothing', { ...READ, interaction: 'vread', outcome: 'absent' }, '4', 'R'],
    [
      'a history',
      { ...READ, interaction: 'history-instance', outcome: 'found', count: 0 },
      '0',
      'R',
    ],
    ['a fault', { ...READ, outcome: 'fault' }, '8', 'C'],
    ['a refusal', { ...READ, outcome: 'forbidden' }, '4', 'C'],
    [
      'counted accesses',
      {
        writer: 1,
        number: 8,
        recordedAt: WRITTEN.recordedAt,
        outcome: 'unauthenticated',
        address: OTHER_ADDRESSES,
        count: 9,
        from: WRITTEN.recordedAt,
      },
      '4',
    ],
    [
      'an export',
      {
        writer: 1,
        number: 9,
        recordedAt: WRITTEN.recordedAt,
        interaction: 'export',
        outcome: 'found',
        subject: 'root',
        client: 'gazetteer orders export',
        address: '',
        count: 12,
      },
      '0',
      'R',
    ],
    ['one without an address', { ...READ, address: '' }, '0', 'C'],
  ];
  for (const [what, entry, outcome, action] of entries) {
    it(`of ${what} is valid, and contains the outcome`, () => {
      const event = auditEvent(entry);
      const { findings } = decodeJson(Buffer.from(JSON.stringify(event)), dstu2);
      assert.deepEqual(findings, []);
      const told = JSON.parse(JSON.stringify(event));
      assert.equal(told.event.outcome, outcome);
      assert.equal(told.event.outcomeDesc, entry.outcome);
      assert.equal(told.event.action, action);
      assert.equal(told.event.dateTime, entry.recordedAt);
    });
  }

  it('names who, from where, what and the text that was written', () => {
    const { participant, object } = JSON.parse(JSON.stringify(auditEvent(WRITTEN)));
    assert.deepEqual(participant, [
      {
        userId: { value: 'dr-1' },
        requestor: true,
        network: { address: '192.0.2.7', type: '2' },
      },
      { userId: { value: 'ward-system' }, requestor: false },
    ]);
    assert.equal(object[0].reference.reference, `OrderResponse/${WRITTEN.resource}/_history/1`);
    const details = object[0].detail.map(({ type, value }: { type: string; value: string }) => [
      type,
      Buffer.from(value, 'base64').toString(),
    ]);
    assert.deepEqual(details, [
      ['requestId', 'request-1'],
      ['sha256', WRITTEN.digest],
    ]);
  });

  it('names the resource alone without a version, and has details only where there are some', () => {
    const objectOf = (entry: AuditEntry) => JSON.parse(JSON.stringify(auditEvent(entry))).object[0];
    const { version: _, ...read } = READ;
    assert.equal(objectOf(read).reference.reference, `OrderResponse/${READ.resource}`);
    assert.equal(objectOf(read).detail.length, 1);
    const { writer, number, recordedAt } = WRITTEN;
    const backup = objectOf({
      writer,
      number,
      recordedAt,
      interaction: 'backup',
      outcome: 'found',
      address: '',
    });
    assert.equal('detail' in backup, false);
  });

  it('names the type of a refused create, which has no id', () => {
    const { resource: _, version: __, ...create } = { ...READ, outcome: 'invalid' as const };
    for (const resourceType of ['OrderResponse', 'Order']) {
      const { object } = JSON.parse(JSON.stringify(auditEvent({ ...create, resourceType })));
      assert.equal('reference' in object[0], false);
      const [detail] = object[0].detail;
      assert.equal(detail.type, 'resourceType');
      assert.equal(Buffer.from(detail.value, 'base64').toString(), resourceType);
    }
  });

  it('of a create without a type has the details that it has always had', () => {
    const { resource: _, resourceType: __, version: ___, ...create } = READ;
    const { object } = JSON.parse(JSON.stringify(auditEvent(create)));
    assert.deepEqual(
      object[0].detail.map(({ type }: { type: string }) => type),
      ['requestId'],
    );
  });

  it('names the versions that a history showed', () => {
    const { version: _, ...history } = { ...READ, count: 3, firstVersion: 2, lastVersion: 4 };
    const { object } = JSON.parse(JSON.stringify(auditEvent(history)));
    const types = object[0].detail.map(({ type }: { type: string }) => type);
    assert.deepEqual(types, ['requestId', 'count', 'firstVersion', 'lastVersion']);
  });

  it('has no query if a search had no parameters', () => {
    const search = { ...READ, interaction: 'search-type', outcome: 'found' } as const;
    const queryOf = (parameters: string) =>
      (auditEvent({ ...search, parameters }).object as { query?: string }[])[0]?.query;
    assert.equal(queryOf(''), undefined);
    assert.equal(queryOf('code=completed'), Buffer.from('code=completed').toString('base64'));
  });

  it('has an id that no resource can have as a text', () => {
    const referenceOf = (resource: string) =>
      (auditEvent({ ...READ, resource }).object as { reference?: object }[])[0]?.reference;
    assert.deepEqual(referenceOf('A B'), { display: 'OrderResponse/A B/_history/1' });
    assert.deepEqual(referenceOf('a'), { reference: 'OrderResponse/a/_history/1' });
  });

  it('has U+FFFD in place of each character that XML cannot hold', () => {
    const text = 'a\0b\u0001\uFFFE\uD800';
    const event = auditEvent({ ...WRITTEN, resource: text, subject: text, client: text });
    const { resource, findings } = decodeJson(Buffer.from(JSON.stringify(event)), dstu2);
    assert.deepEqual(findings, []);
    const { object, participant } = JSON.parse(JSON.stringify(resource));
    const shown = 'a\uFFFDb\uFFFD\uFFFD\uFFFD';
    assert.equal(object[0].reference.display, `OrderResponse/${shown}/_history/1`);
    const names = participant.map(({ userId }: { userId: { value: string } }) => userId.value);
    assert.deepEqual(names, [shown, shown]);
  });
});
