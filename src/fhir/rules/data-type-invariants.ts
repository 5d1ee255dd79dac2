/** The invariants of FHIR's data types: those of all versions, and those of DSTU2 only. */
import {
  countOf,
  has,
  type Invariant,
  type Invariants,
  isAfter,
  itemsOf,
  numberAt,
  stringOf,
} from './invariant.ts';

const quantity: readonly Invariant[] = [
  {
    key: 'qty-3',
    holds: (element) => !has(element, 'code') || has(element, 'system'),
    sentence: 'A quantity with the code of its unit needs the system of that code',
    at: 'code',
  },
];

/** The invariants that DSTU2 and STU3 have in common. */
export const DATA_TYPE_INVARIANTS: Invariants = {
  Attachment: [
    {
      key: 'att-1',
      holds: (element) => !has(element, 'data') || has(element, 'contentType'),
      sentence: 'An attachment with data needs a contentType',
      at: 'data',
    },
  ],
  ContactPoint: [
    {
      key: 'cpt-2',
      holds: (element) => !has(element, 'value') || has(element, 'system'),
      sentence: 'A contact point with a value needs a system',
      at: 'value',
    },
  ],
  Period: [
    {
      key: 'per-1',
      holds: (element) => {
        const start = stringOf(element, 'start');
        const end = stringOf(element, 'end');
        return start === undefined || end === undefined || !isAfter(start, end);
      },
      sentence: 'The start of a period is not after its end',
      at: 'start',
    },
  ],
  Quantity: quantity,
  SimpleQuantity: quantity,
  Range: [
    {
      key: 'rng-2',
      holds: (element) => {
        const [low] = itemsOf(element, 'low');
        const [high] = itemsOf(element, 'high');
        return !(numberAt(low, 'value') > numberAt(high, 'value'));
      },
      sentence: 'The low of a range is not greater than its high',
      at: 'low',
    },
  ],
  Ratio: [
    {
      key: 'rat-1',
      holds: (element) => {
        const count = countOf(element, ['numerator', 'denominator']);
        return count === 2 || (count === 0 && has(element, 'extension'));
      },
      sentence: 'A ratio has a numerator and a denominator, or extensions in place of both',
    },
  ],
};

/** DSTU2 only: STU3 uses some of the same keys for other elements. */
export const DSTU2_DATA_TYPE_INVARIANTS: Invariants = {
  'Timing.repeat': [
    {
      key: 'tim-1',
      holds: (element) => !has(element, 'duration') || has(element, 'durationUnits'),
      sentence: 'A duration needs durationUnits',
      at: 'duration',
    },
    {
      key: 'tim-2',
      holds: (element) => !has(element, 'period') || has(element, 'periodUnits'),
      sentence: 'A period needs periodUnits',
      at: 'period',
    },
    {
      key: 'tim-3',
      holds: (element) => countOf(element, ['frequency', 'when']) < 2,
      sentence: 'Only one of frequency and when is allowed',
      at: 'when',
    },
    {
      key: 'tim-4',
      holds: (element) => !(numberAt(element, 'duration') < 0),
      sentence: 'The duration is not negative',
      at: 'duration',
    },
    {
      key: 'tim-5',
      holds: (element) => !(numberAt(element, 'period') < 0),
      sentence: 'The period is not negative',
      at: 'period',
    },
    {
      key: 'tim-6',
      holds: (element) => !has(element, 'periodMax') || has(element, 'period'),
      sentence: 'A periodMax needs a period',
      at: 'periodMax',
    },
    {
      key: 'tim-7',
      holds: (element) => !has(element, 'durationMax') || has(element, 'duration'),
      sentence: 'A durationMax needs a duration',
      at: 'durationMax',
    },
  ],
};
