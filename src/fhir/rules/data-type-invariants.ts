/** The invariants of FHIR's data types: those of all versions, and those of DSTU2 only. */
import {
  countOf,
  has,
  type Invariants,
  inOrder,
  itemsOf,
  needs,
  notBoth,
  notNegative,
  numberAt,
  rule,
} from './invariant.ts';

const quantity = [
  rule(
    'qty-3',
    'A quantity with the code of its unit needs the system of that code',
    needs('code', 'system'),
    'code',
  ),
];

/** The invariants that DSTU2 and STU3 have in common. */
export const DATA_TYPE_INVARIANTS: Invariants = {
  Attachment: [
    rule(
      'att-1',
      'An attachment with data needs a contentType',
      needs('data', 'contentType'),
      'data',
    ),
  ],
  ContactPoint: [
    rule('cpt-2', 'A contact point with a value needs a system', needs('value', 'system'), 'value'),
  ],
  Period: [
    rule('per-1', 'The start of a period is not after its end', inOrder('start', 'end'), 'start'),
  ],
  Quantity: quantity,
  SimpleQuantity: quantity,
  Range: [
    rule(
      'rng-2',
      'The low of a range is not greater than its high',
      (element) => {
        const [low] = itemsOf(element, 'low');
        const [high] = itemsOf(element, 'high');
        return !(numberAt(low, 'value') > numberAt(high, 'value'));
      },
      'low',
    ),
  ],
  Ratio: [
    rule(
      'rat-1',
      'A ratio has a numerator and a denominator, or extensions in place of both',
      (element) => {
        const count = countOf(element, ['numerator', 'denominator']);
        return count === 2 || (count === 0 && has(element, 'extension'));
      },
    ),
  ],
};

/** DSTU2 only: STU3 uses some of the same keys for other elements. */
export const DSTU2_DATA_TYPE_INVARIANTS: Invariants = {
  'Timing.repeat': [
    rule('tim-1', 'A duration needs durationUnits', needs('duration', 'durationUnits'), 'duration'),
    rule('tim-2', 'A period needs periodUnits', needs('period', 'periodUnits'), 'period'),
    notBoth('tim-3', 'frequency', 'when'),
    rule('tim-4', 'The duration is not negative', notNegative('duration'), 'duration'),
    rule('tim-5', 'The period is not negative', notNegative('period'), 'period'),
    rule('tim-6', 'A periodMax needs a period', needs('periodMax', 'period'), 'periodMax'),
    rule(
      'tim-7',
      'A durationMax needs a duration',
      needs('durationMax', 'duration'),
      'durationMax',
    ),
  ],
};
