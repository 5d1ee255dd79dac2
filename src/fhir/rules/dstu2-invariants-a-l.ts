/** The invariants of DSTU2's resources from A to L, and of their parts. */
import type { FhirObject } from '../format/resource.ts';
import {
  absent,
  areUnique,
  atLeastOne,
  bothOrNeither,
  countOf,
  entriesIn,
  has,
  type Invariants,
  isOneOf,
  itemsOf,
  notBoth,
  onlyIn,
  onlyWith,
  rule,
  stringOf,
  uniqueIn,
  unlessType,
} from './invariant.ts';

export const DSTU2_INVARIANTS_A_L: Invariants = {
  Appointment: [
    rule('app-2', 'Send both start and end, or neither', bothOrNeither('start', 'end')),
    rule(
      'app-3',
      'Only proposed or cancelled appointments can be without start and end',
      (element) =>
        countOf(element, ['start', 'end']) === 2 ||
        isOneOf(element, 'status', PROPOSED_OR_CANCELLED),
    ),
  ],
  'Appointment.participant': [atLeastOne('app-1', 'A participant', ['type', 'actor'])],
  AppointmentResponse: [
    atLeastOne('apr-1', 'An appointment response', ['participantType', 'actor']),
  ],
  'AuditEvent.object': [notBoth('sev-1', 'name', 'query')],
  Bundle: [
    rule(
      'bdl-1',
      'Only a searchset or a history has a total',
      onlyIn('total', ['searchset', 'history']),
      'total',
    ),
    rule(
      'bdl-2',
      'Only the entries of a searchset have search',
      entriesIn('search', ['searchset']),
    ),
    rule(
      'bdl-3',
      'Only the entries of a batch, transaction or history have a request',
      entriesIn('request', ['batch', 'transaction', 'history']),
    ),
    rule(
      'bdl-4',
      'Only the entries of a response have a response',
      entriesIn('response', ['batch-response', 'transaction-response']),
    ),
    rule('bdl-7', 'No two entries have the same fullUrl and version', (element) =>
      areUnique(itemsOf(element, 'entry').map(versionedUrlOf)),
    ),
  ],
  'Bundle.entry': [
    atLeastOne('bdl-5', 'An entry', ['resource', 'request', 'response']),
    rule(
      'bdl-6',
      'Only an entry with a resource has a fullUrl, and it must have one',
      bothOrNeither('fullUrl', 'resource'),
    ),
  ],
  'CarePlan.activity': [notBoth('cpl-3', 'detail', 'reference')],
  'Composition.section': [
    atLeastOne('cmp-1', 'A section', ['text', 'entry', 'section']),
    notBoth('cmp-2', 'entry', 'emptyReason'),
  ],
  'ConceptMap.element.target': [
    rule(
      'cmd-1',
      'A narrower or inexact map needs comments',
      (element) =>
        has(element, 'comments') || !isOneOf(element, 'equivalence', ['narrower', 'inexact']),
    ),
  ],
  'Condition.evidence': [atLeastOne('con-2', 'An evidence', ['code', 'detail'])],
  'Condition.stage': [atLeastOne('con-1', 'A stage', ['summary', 'assessment'])],
  Conformance: [
    atLeastOne('cnf-1', 'A conformance statement', ['rest', 'messaging', 'document']),
    atLeastOne('cnf-2', 'A conformance statement', ['description', 'software', 'implementation']),
    rule(
      'cnf-3',
      'Only the statement of an instance has messaging endpoints',
      entriesIn('endpoint', ['instance'], { at: 'kind', items: 'messaging' }),
    ),
    rule('cnf-7', 'Each profile and mode has only one document', (element) =>
      areUnique(itemsOf(element, 'document').map(documentKeyOf)),
    ),
    rule('cnf-8', 'Each mode has only one rest', uniqueIn('rest', 'mode')),
    rule(
      'cnf-14',
      'A statement of requirements has no software and no implementation',
      (element) =>
        !isOneOf(element, 'kind', ['requirements']) ||
        countOf(element, ['software', 'implementation']) === 0,
    ),
    rule(
      'cnf-15',
      'A statement of a capability has no implementation',
      unlessType('implementation', ['capability'], 'kind'),
    ),
  ],
  'Conformance.rest': [
    rule('cnf-9', 'A resource is described once in each mode', uniqueIn('resource', 'type')),
  ],
  'Conformance.rest.resource': [
    rule('cnf-12', 'Names of search parameters are unique', uniqueIn('searchParam', 'name')),
  ],
  'Conformance.rest.resource.searchParam': [
    rule(
      'cnf-13',
      'Only a search parameter of type reference has chain names',
      onlyIn('chain', ['reference']),
    ),
  ],
  'DataElement.element': [absent('dae-1', 'base'), absent('dae-2', 'slicing')],
  Group: [
    rule('grp-1', 'Only an actual group has members', onlyWith('member', 'actual'), 'member'),
  ],
  Immunization: [
    rule(
      'imm-1',
      'An immunization that was not given has no reaction and no explanation.reason',
      (element) =>
        element.wasNotGiven !== true ||
        !(has(element, 'reaction') || explanationHas(element, 'reason')),
    ),
    rule(
      'imm-2',
      'An immunization that was given has no explanation.reasonNotGiven',
      (element) => element.wasNotGiven !== false || !explanationHas(element, 'reasonNotGiven'),
    ),
  ],
  List: [
    notBoth('lst-1', 'entry', 'emptyReason'),
    rule(
      'lst-2',
      'Only the entries of a list of changes can be deleted',
      entriesIn('deleted', ['changes'], { at: 'mode' }),
    ),
  ],
};

const PROPOSED_OR_CANCELLED = ['proposed', 'cancelled'];

function versionedUrlOf(entry: FhirObject): string | undefined {
  const [meta] = itemsOf(entry, 'resource').flatMap((resource) => itemsOf(resource, 'meta'));
  const url = stringOf(entry, 'fullUrl');
  return url === undefined ? undefined : JSON.stringify([url, meta?.versionId ?? null]);
}

function documentKeyOf(document: FhirObject): string {
  const references = itemsOf(document, 'profile').map(({ reference }) => reference ?? null);
  return JSON.stringify([document.mode ?? null, ...references]);
}

function explanationHas(element: FhirObject, name: string): boolean {
  return itemsOf(element, 'explanation').some((explanation) => has(explanation, name));
}
