/** Each invariant lets sound elements through and finds broken ones. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { dstu2, stu3 } from '../../../src/fhir/definitions/published.ts';
import { type FhirObject, numberOf } from '../../../src/fhir/format/resource.ts';
import { versionRulesOf } from '../../../src/fhir/rules/check-resource.ts';
import { isAfter } from '../../../src/fhir/rules/invariant.ts';

type Case = readonly [type: string, key: string, broken: FhirObject, sound: FhirObject];

const reference = { reference: 'Patient/1' };
const value = (text: string) => ({ value: numberOf(text) });
const entry = (name: string) => [{ [name]: { any: true } }];

const CASES: readonly Case[] = [
  ['Attachment', 'att-1', { data: 'QQ==' }, { data: 'QQ==', contentType: 'text/plain' }],
  ['ContactPoint', 'cpt-2', { value: '1' }, { value: '1', system: 'phone' }],
  ['Period', 'per-1', { start: '2012', end: '2011' }, { start: '2012', end: '2012' }],
  ['Quantity', 'qty-3', { code: 'mg' }, { code: 'mg', system: 'http://unitsofmeasure.org' }],
  ['SimpleQuantity', 'qty-3', { code: 'mg' }, { unit: 'mg' }],
  [
    'Range',
    'rng-2',
    { low: value('2.50'), high: value('2.4') },
    { low: value('2.50'), high: value('2.5') },
  ],
  ['Ratio', 'rat-1', { numerator: value('1') }, { numerator: value('1'), denominator: value('2') }],
  ['Timing.repeat', 'tim-1', { duration: 1 }, { duration: 1, durationUnits: 's' }],
  ['Timing.repeat', 'tim-2', { period: 1 }, { period: 1, periodUnits: 's' }],
  ['Timing.repeat', 'tim-3', { frequency: 1, when: 'HS' }, { when: 'HS' }],
  ['Timing.repeat', 'tim-4', { duration: numberOf('-0.10') }, { duration: 0 }],
  ['Timing.repeat', 'tim-5', { period: -1 }, { period: numberOf('0.0') }],
  ['Timing.repeat', 'tim-6', { periodMax: 2 }, { periodMax: 2, period: 1 }],
  ['Timing.repeat', 'tim-7', { durationMax: 2 }, { durationMax: 2, duration: 1 }],
  ['Appointment', 'app-2', { start: 'a' }, { start: 'a', end: 'b' }],
  ['Appointment', 'app-3', { status: 'booked' }, { status: 'proposed' }],
  ['Appointment.participant', 'app-1', { status: 'accepted' }, { actor: reference }],
  ['AppointmentResponse', 'apr-1', { comment: 'a' }, { actor: reference }],
  ['AuditEvent.object', 'sev-1', { name: 'a', query: 'QQ==' }, { name: 'a' }],
  ['Bundle', 'bdl-1', { type: 'batch', total: 1 }, { type: 'history', total: 1 }],
  [
    'Bundle',
    'bdl-2',
    { type: 'batch', entry: entry('search') },
    { type: 'searchset', entry: entry('search') },
  ],
  [
    'Bundle',
    'bdl-3',
    { type: 'document', entry: entry('request') },
    { type: 'batch', entry: entry('request') },
  ],
  [
    'Bundle',
    'bdl-4',
    { type: 'batch', entry: entry('response') },
    { type: 'batch-response', entry: entry('response') },
  ],
  [
    'Bundle',
    'bdl-7',
    {
      entry: [
        { fullUrl: 'a', resource: {} },
        { fullUrl: 'a', resource: { meta: {} } },
      ],
    },
    {
      entry: [
        { fullUrl: 'a', resource: {} },
        { fullUrl: 'a', resource: { meta: { versionId: '2' } } },
        {},
        {},
      ],
    },
  ],
  ['Bundle.entry', 'bdl-5', { fullUrl: 'a' }, { request: {} }],
  ['Bundle.entry', 'bdl-6', { resource: {} }, { resource: {}, fullUrl: 'a' }],
  ['CarePlan.activity', 'cpl-3', { detail: {}, reference }, { detail: {} }],
  ['Composition.section', 'cmp-1', { title: 'a' }, { entry: [reference] }],
  ['Composition.section', 'cmp-2', { entry: [reference], emptyReason: {} }, { emptyReason: {} }],
  [
    'ConceptMap.element.target',
    'cmd-1',
    { equivalence: 'narrower' },
    { equivalence: 'narrower', comments: 'a' },
  ],
  ['Condition.evidence', 'con-2', { id: 'a' }, { code: {} }],
  ['Condition.stage', 'con-1', { id: 'a' }, { summary: {} }],
  ['Conformance', 'cnf-1', { description: 'a' }, { rest: [{}] }],
  ['Conformance', 'cnf-2', { rest: [{}] }, { software: {} }],
  [
    'Conformance',
    'cnf-3',
    { kind: 'capability', messaging: [{ endpoint: [{}] }] },
    { kind: 'instance', messaging: [{ endpoint: [{}] }] },
  ],
  [
    'Conformance',
    'cnf-7',
    {
      document: [
        { mode: 'producer', profile: reference },
        { mode: 'producer', profile: reference },
      ],
    },
    {
      document: [
        { mode: 'producer', profile: reference },
        { mode: 'consumer', profile: reference },
      ],
    },
  ],
  [
    'Conformance',
    'cnf-8',
    { rest: [{ mode: 'server' }, { mode: 'server' }] },
    { rest: [{ mode: 'server' }, { mode: 'client' }] },
  ],
  [
    'Conformance',
    'cnf-14',
    { kind: 'requirements', software: {} },
    { kind: 'instance', software: {} },
  ],
  [
    'Conformance',
    'cnf-15',
    { kind: 'capability', implementation: {} },
    { kind: 'instance', implementation: {} },
  ],
  [
    'Conformance.rest',
    'cnf-9',
    { resource: [{ type: 'Order' }, { type: 'Order' }] },
    { resource: [{ type: 'Order' }] },
  ],
  [
    'Conformance.rest.resource',
    'cnf-12',
    { searchParam: [{ name: 'a' }, { name: 'a' }] },
    { searchParam: [{ name: 'a' }] },
  ],
  [
    'Conformance.rest.resource.searchParam',
    'cnf-13',
    { type: 'string', chain: ['a'] },
    { type: 'reference', chain: ['a'] },
  ],
  ['DataElement.element', 'dae-1', { base: {} }, { path: 'a' }],
  ['DataElement.element', 'dae-2', { slicing: {} }, { path: 'a' }],
  ['Group', 'grp-1', { actual: false, member: [{}] }, { actual: true, member: [{}] }],
  [
    'Immunization',
    'imm-1',
    { wasNotGiven: true, reaction: [{}] },
    { wasNotGiven: false, reaction: [{}] },
  ],
  [
    'Immunization',
    'imm-2',
    { wasNotGiven: false, explanation: { reasonNotGiven: [{}] } },
    { wasNotGiven: true, explanation: { reasonNotGiven: [{}] } },
  ],
  ['List', 'lst-1', { entry: [{}], emptyReason: {} }, { emptyReason: {} }],
  [
    'List',
    'lst-2',
    { mode: 'working', entry: entry('deleted') },
    { mode: 'changes', entry: entry('deleted') },
  ],
  ['Media', 'mda-1', { type: 'audio', height: 1 }, { type: 'photo', height: 1 }],
  ['Media', 'mda-2', { type: 'audio', width: 1 }, { type: 'video', width: 1 }],
  ['Media', 'mda-3', { type: 'video', frames: 1 }, { type: 'photo', frames: 1 }],
  ['Media', 'mda-4', { type: 'photo', duration: 1 }, { type: 'audio', duration: 1 }],
  [
    'MedicationAdministration',
    'mad-2',
    { wasNotGiven: false, reasonNotGiven: [{}] },
    { wasNotGiven: true, reasonNotGiven: [{}] },
  ],
  [
    'MedicationAdministration',
    'mad-3',
    { wasNotGiven: true, reasonGiven: [{}] },
    { reasonGiven: [{}] },
  ],
  ['MedicationAdministration.dosage', 'mad-1', { text: 'a' }, { rateRatio: {} }],
  [
    'MedicationDispense',
    'mdd-1',
    { whenPrepared: '2012-02', whenHandedOver: '2012-01-31' },
    { whenPrepared: '2012-02', whenHandedOver: '2012-02-01' },
  ],
  [
    'MedicationStatement',
    'mst-1',
    { wasNotTaken: false, reasonNotTaken: [{}] },
    { wasNotTaken: true, reasonNotTaken: [{}] },
  ],
  [
    'MedicationStatement',
    'mst-2',
    { wasNotTaken: true, reasonForUseReference: {} },
    { reasonForUseReference: {} },
  ],
  [
    'NamingSystem',
    'nsd-1',
    { kind: 'root', uniqueId: [{ type: 'uuid' }] },
    { kind: 'root', uniqueId: [{ type: 'oid' }] },
  ],
  [
    'NamingSystem',
    'nsd-2',
    {
      uniqueId: [
        { type: 'oid', preferred: true },
        { type: 'oid', preferred: true },
      ],
    },
    { uniqueId: [{ type: 'oid', preferred: true }, { type: 'oid' }] },
  ],
  [
    'NamingSystem',
    'nsd-3',
    { replacedBy: reference, status: 'active' },
    { replacedBy: reference, status: 'retired' },
  ],
  ['Observation', 'obs-6', { dataAbsentReason: {}, valueString: 'a' }, { dataAbsentReason: {} }],
  [
    'Observation',
    'obs-7',
    {
      code: { coding: [{ system: 'a', code: 'b' }] },
      component: [{ code: { coding: [{ system: 'a', code: 'b' }] } }],
    },
    {
      code: { coding: [{ system: 'a', code: 'b' }] },
      component: [{ code: { coding: [{ system: 'a', code: 'c' }] } }],
    },
  ],
  ['Observation.referenceRange', 'obs-3', { meaning: {} }, { text: 'a' }],
  ['OperationDefinition.parameter', 'opd-1', { name: 'a' }, { type: 'string' }],
  ['Order.when', 'ord-1', { code: {}, schedule: {} }, { schedule: {} }],
  ['Organization', 'org-1', { active: true }, { name: 'a' }],
  ['Organization.address', 'org-2', { use: 'home' }, { use: 'work' }],
  ['Organization.telecom', 'org-3', { use: 'home' }, { system: 'phone' }],
  ['Patient.contact', 'pat-1', { gender: 'other' }, { organization: reference }],
  [
    'Procedure',
    'pro-1',
    { reasonNotPerformed: [{}] },
    { reasonNotPerformed: [{}], notPerformed: true },
  ],
  [
    'Questionnaire',
    'que-2',
    { group: { linkId: 'a', question: [{ linkId: 'a' }] } },
    { group: { linkId: 'a', question: [{ linkId: 'b' }, {}] } },
  ],
  ['Questionnaire', 'que-3', { group: { required: false } }, { group: { required: true } }],
  ['Questionnaire.group', 'que-1', { group: [{}], question: [{}] }, { group: [{}] }],
  ['Questionnaire.group.question', 'que-4', { option: [{}], options: reference }, { option: [{}] }],
  ['QuestionnaireResponse.group', 'qrs-1', { group: [{}], question: [{}] }, { question: [{}] }],
  [
    'RiskAssessment.prediction',
    'ras-1',
    { probabilityRange: { low: value('1') } },
    { probabilityRange: { low: { code: '%', system: 'http://unitsofmeasure.org' } } },
  ],
  [
    'RiskAssessment.prediction',
    'ras-2',
    { probabilityDecimal: numberOf('100.1') },
    { probabilityDecimal: numberOf('100.0') },
  ],
  ['SearchParameter', 'spd-1', { xpath: 'a' }, { xpath: 'a', xpathUsage: 'normal' }],
  ['ValueSet', 'vsd-5', { status: 'draft' }, { compose: {} }],
  [
    'ValueSet',
    'vsd-2',
    { compose: { import: ['a'] } },
    { compose: { import: ['a'], exclude: [{}] } },
  ],
  [
    'ValueSet',
    'vsd-7',
    { url: 'a', codeSystem: { system: 'a' } },
    { url: 'a', codeSystem: { system: 'b' } },
  ],
  [
    'ValueSet.codeSystem',
    'vsd-3',
    { concept: [{ code: 'a', concept: [{ code: 'a' }] }] },
    { concept: [{ code: 'a', concept: [{ code: 'b' }] }] },
  ],
  ['ValueSet.compose', 'vsd-1', { exclude: [{}] }, { include: [{}] }],
  ['ValueSet.compose.include', 'vsd-11', { concept: [{}], filter: [{}] }, { filter: [{}] }],
  ['ValueSet.expansion.contains', 'vsd-6', { abstract: true }, { display: 'a' }],
  ['ValueSet.expansion.contains', 'vsd-9', { display: 'a' }, { display: 'a', abstract: true }],
  ['ValueSet.expansion.contains', 'vsd-10', { code: 'a' }, { code: 'a', system: 'b' }],
];

const { invariants: table } = versionRulesOf('DSTU2');

describe('the invariant', () => {
  for (const [type, key, broken, sound] of CASES) {
    test(`${key} of ${type} finds what breaks it, and lets the sound through`, () => {
      const invariant = table[type]?.find((one) => one.key === key);
      assert.equal(invariant?.holds(broken), false);
      assert.equal(invariant?.holds(sound), true);
    });
  }

  test('counts an element as there when it has extensions in place of a value', () => {
    const [att1] = table.Attachment ?? [];
    const contentType = { extension: [{ url: 'urn:a', valueString: 'b' }] };
    assert.equal(att1?.holds({ data: 'QQ==', _contentType: contentType }), true);
    assert.equal(att1?.holds({ _data: contentType }), false);
  });
});

describe('the tables of invariants', () => {
  test('have no invariant without a case', () => {
    const tried = CASES.map(([type, key]) => `${type} ${key}`);
    const known = Object.entries(table).flatMap(([type, invariants]) =>
      invariants.map(({ key }) => `${type} ${key}`),
    );
    assert.deepEqual(known.toSorted(), tried.toSorted());
  });

  for (const definitions of [dstu2, stu3]) {
    test(`name types, elements and properties of ${definitions.version} only`, () => {
      for (const [name, invariants] of Object.entries(
        versionRulesOf(definitions.version).invariants,
      )) {
        const type = definitions.type(name) ?? elementType(name, definitions);
        assert.ok(type, name);
        for (const { at } of invariants) {
          if (at !== undefined) assert.ok(type.properties.has(at), `${name}.${at}`);
        }
      }
    });
  }
});

function elementType(place: string, definitions: typeof dstu2) {
  const [parent = '', element = ''] = place.split('.');
  const property = definitions.type(parent)?.properties.get(element);
  return property && definitions.type(property.type);
}

describe('a dateTime is after another one', () => {
  const cases: readonly (readonly [one: string, other: string, isAfter: boolean])[] = [
    ['2012', '2011', true],
    ['2012', '2012', false],
    ['2011', '2012', false],
    ['2012-03', '2012', false],
    ['2012-03', '2012-02-28', true],
    ['2012-02-29', '2012-02', false],
    ['2012-01-02', '2012-01-01', true],
    ['2012-01-01T10:00:00Z', '2012-01-01T09:59:59Z', true],
    ['2012-01-01T10:00:00+01:00', '2012-01-01T09:30:00Z', false],
    ['2012-01-01T10:00:00-01:00', '2012-01-01T10:30:00Z', true],
    ['2012-01-02T01:00:00Z', '2012-01-01', false],
    ['2012-01-02T13:00:00Z', '2012-01-01', true],
    ['2013-01-02T00:00:00Z', '2012', true],
    ['2012-03-02T00:00:00Z', '2012-02', true],
    ['2012-01-03', '2012-01-01T00:00:00Z', true],
    ['2012-01-02', '2012-01-01T23:00:00+00:00', false],
    ['-2012', '2011', false],
  ];
  for (const [one, other, expected] of cases) {
    test(`${one}: ${expected ? '' : 'not '}after ${other}`, () => {
      assert.equal(isAfter(one, other), expected);
    });
  }
});
