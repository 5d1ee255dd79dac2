/** The invariants of DSTU2's resources from M to Z, and of their parts. */
import type { FhirObject } from '../format/resource.ts';
import {
  areUnique,
  atLeastOne,
  countOf,
  has,
  hasChoice,
  type Invariants,
  inOrder,
  isOneOf,
  itemsOf,
  lengthOf,
  needs,
  notAtHome,
  notBoth,
  numberAt,
  onlyIn,
  onlyWith,
  rule,
  stringOf,
  unlessFlag,
  unlessType,
} from './invariant.ts';

export const DSTU2_INVARIANTS_M_Z: Invariants = {
  Media: [
    rule('mda-1', 'Audio has no height', unlessType('height', ['audio']), 'height'),
    rule('mda-2', 'Audio has no width', unlessType('width', ['audio']), 'width'),
    rule('mda-3', 'Only a photo has frames', unlessType('frames', ['audio', 'video']), 'frames'),
    rule('mda-4', 'A photo has no duration', unlessType('duration', ['photo']), 'duration'),
  ],
  MedicationAdministration: [
    rule(
      'mad-2',
      'reasonNotGiven needs wasNotGiven',
      unlessFlag('reasonNotGiven', 'wasNotGiven', false),
    ),
    rule(
      'mad-3',
      'reasonGiven is not allowed with wasNotGiven',
      unlessFlag('reasonGiven', 'wasNotGiven', true),
    ),
  ],
  'MedicationAdministration.dosage': [
    rule(
      'mad-1',
      'A dosage has at least one of quantity and rate[x]',
      (element) => has(element, 'quantity') || hasChoice(element, 'rate'),
    ),
  ],
  MedicationDispense: [
    rule(
      'mdd-1',
      'whenHandedOver is not before whenPrepared',
      inOrder('whenPrepared', 'whenHandedOver'),
    ),
  ],
  MedicationStatement: [
    rule(
      'mst-1',
      'reasonNotTaken needs wasNotTaken',
      unlessFlag('reasonNotTaken', 'wasNotTaken', false),
    ),
    rule(
      'mst-2',
      'reasonForUse[x] is not allowed with wasNotTaken',
      (element) => element.wasNotTaken !== true || !hasChoice(element, 'reasonForUse'),
    ),
  ],
  NamingSystem: [
    rule(
      'nsd-1',
      'A root must not have identifiers of type uuid',
      (element) =>
        !isOneOf(element, 'kind', ['root']) ||
        !itemsOf(element, 'uniqueId').some((id) => isOneOf(id, 'type', ['uuid', 'ruid'])),
    ),
    rule('nsd-2', 'Each type has at most one preferred uniqueId', (element) =>
      areUnique(
        itemsOf(element, 'uniqueId')
          .filter(({ preferred }) => preferred === true)
          .map((id) => stringOf(id, 'type')),
      ),
    ),
    rule(
      'nsd-3',
      'Only a retired naming system has replacedBy',
      onlyIn('replacedBy', ['retired'], 'status'),
    ),
  ],
  Observation: [
    rule(
      'obs-6',
      'dataAbsentReason is only allowed without value[x]',
      (element) => !has(element, 'dataAbsentReason') || !hasChoice(element, 'value'),
      'dataAbsentReason',
    ),
    rule(
      'obs-7',
      'The code of a component must differ from the code of the observation',
      (element) => {
        const own = itemsOf(element, 'code').flatMap(codingsOf);
        const others = itemsOf(element, 'component')
          .flatMap((component) => itemsOf(component, 'code'))
          .flatMap(codingsOf);
        return !others.some((other) => own.includes(other));
      },
    ),
  ],
  'Observation.referenceRange': [atLeastOne('obs-3', 'A reference range', ['low', 'high', 'text'])],
  'OperationDefinition.parameter': [atLeastOne('opd-1', 'A parameter', ['type', 'part'])],
  'Order.when': [
    rule(
      'ord-1',
      'Only one of a code and a schedule is allowed',
      (element) => countOf(element, ['code', 'schedule']) === 1,
    ),
  ],
  Organization: [atLeastOne('org-1', 'An organization', ['identifier', 'name'])],
  'Organization.address': [notAtHome('org-2', 'address')],
  'Organization.telecom': [notAtHome('org-3', 'telecom')],
  'Patient.contact': [
    atLeastOne('pat-1', 'A contact', ['name', 'telecom', 'address', 'organization']),
  ],
  Procedure: [
    rule(
      'pro-1',
      'Only a procedure that was not performed has a reason for it',
      onlyWith('reasonNotPerformed', 'notPerformed'),
    ),
  ],
  Questionnaire: [
    rule('que-2', 'The linkIds of groups and questions are unique', (element) =>
      areUnique(itemsOf(element, 'group').flatMap(linkIdsOf)),
    ),
    rule('que-3', 'The root group is required', (element) =>
      itemsOf(element, 'group').every(({ required }) => required === true),
    ),
  ],
  'Questionnaire.group': [notBoth('que-1', 'group', 'question')],
  'Questionnaire.group.question': [notBoth('que-4', 'options', 'option')],
  'QuestionnaireResponse.group': [notBoth('qrs-1', 'group', 'question')],
  'RiskAssessment.prediction': [
    rule('ras-1', 'Low and high of a probability are percentages', (element) =>
      itemsOf(element, 'probabilityRange')
        .flatMap((range) => [...itemsOf(range, 'low'), ...itemsOf(range, 'high')])
        .every(({ system, code }) => code === '%' && system === 'http://unitsofmeasure.org'),
    ),
    rule(
      'ras-2',
      'A probability is not over 100',
      (element) => !(numberAt(element, 'probabilityDecimal') > 100),
    ),
  ],
  SearchParameter: [rule('spd-1', 'An xpath needs an xpathUsage', needs('xpath', 'xpathUsage'))],
  ValueSet: [
    atLeastOne('vsd-5', 'A value set', ['codeSystem', 'compose', 'expansion']),
    rule(
      'vsd-2',
      'A value set with a single import has an include, an exclude or a code system too',
      (element) =>
        has(element, 'codeSystem') ||
        itemsOf(element, 'compose').every(
          (compose) =>
            lengthOf(compose, 'import') !== 1 || countOf(compose, ['include', 'exclude']) > 0,
        ),
    ),
    rule('vsd-7', 'A code system must not have the url of its value set', (element) =>
      itemsOf(element, 'codeSystem').every(
        ({ system }) => system === undefined || system !== element.url,
      ),
    ),
  ],
  'ValueSet.codeSystem': [
    rule('vsd-3', 'The codes of a code system are unique', (element) =>
      areUnique(itemsOf(element, 'concept').flatMap(conceptCodesOf)),
    ),
  ],
  'ValueSet.compose': [atLeastOne('vsd-1', 'A composition', ['include', 'import'])],
  'ValueSet.compose.include': [notBoth('vsd-11', 'concept', 'filter')],
  'ValueSet.expansion.contains': [
    atLeastOne('vsd-6', 'A contains element', ['code', 'display']),
    rule(
      'vsd-9',
      'A contains element that is not abstract needs a code',
      (element) => has(element, 'code') || element.abstract === true,
    ),
    rule('vsd-10', 'A code needs its system', needs('code', 'system')),
  ],
};

function codingsOf(concept: FhirObject): string[] {
  return itemsOf(concept, 'coding').flatMap(({ system, code }) =>
    typeof system === 'string' && typeof code === 'string' ? [`${system}|${code}`] : [],
  );
}

function linkIdsOf(item: FhirObject): (string | undefined)[] {
  const items = [...itemsOf(item, 'group'), ...itemsOf(item, 'question')];
  return [stringOf(item, 'linkId'), ...items.flatMap(linkIdsOf)];
}

function conceptCodesOf(concept: FhirObject): (string | undefined)[] {
  return [stringOf(concept, 'code'), ...itemsOf(concept, 'concept').flatMap(conceptCodesOf)];
}
