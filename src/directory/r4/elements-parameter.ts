/** The parameter that limits resources to some elements: https://hl7.org/fhir/R4/search.html#elements */
import { r4 } from '../../fhir/definitions/r4.ts';
import type { ResultParameter } from '../../fhir/search/parameter.ts';
import { refused } from '../../fhir/search/parsed.ts';
import { resultParameter } from '../../fhir/search/result-parameters.ts';
import type { SearchChoices } from '../search.ts';

export const elementsParameter: ResultParameter<Pick<SearchChoices, 'elements'>> = resultParameter(
  {
    name: '_elements',
    type: 'string',
    documentation: 'The elements of the resources in the answer, such as name,address.',
  },
  (text) => {
    const names = text.split(',').map((name) => name.replace(/^Organization\./, ''));
    const unknown = names.find((name) => !ELEMENTS.has(name));
    if (unknown === undefined) return { value: { elements: new Set(names) } };
    return refused(
      'invalid-value',
      `_elements: Organization has no element "${unknown}". It has ${[...ELEMENTS].join(', ')}.`,
    );
  },
);

const ELEMENTS: ReadonlySet<string> = new Set(
  r4.resource('Organization')?.elements.map(({ name }) => name),
);
