/** Search parameters of stored resources for texts and URIs. https://hl7.org/fhir/DSTU2/search.html#string */
import { type ElementPath, elementsAt } from './elements-at.ts';
import { parseEach, refused } from './parsed.ts';
import { type ResourceParameter, storedParameter } from './resource-parameter.ts';
import { fold, stringEntries } from './string.ts';

/** Of type `string`, it matches the start of a text; of type `uri`, the whole URI. */
export function resourceText({
  name,
  type,
  path,
  documentation,
}: Pick<ResourceParameter, 'name' | 'documentation'> & {
  readonly type: 'string' | 'uri';
  readonly path: ElementPath;
}): ResourceParameter {
  return storedParameter({
    name,
    type,
    path,
    documentation,
    modifiers: type === 'string' ? ['exact'] : [],
    entriesForm: [path],
    entriesOf: (resource) =>
      elementsAt(resource, path).flatMap((element) => {
        const entries = typeof element === 'string' ? stringEntries(element) : [];
        return entries.map((entry) => ({ field: name, ...entry }));
      }),
    parse: (alternatives, modifier) =>
      parseEach(
        alternatives,
        (parts) => {
          const value = parts.join('|');
          if (fold(value).trim() !== '') return { value };
          return refused('invalid-value', `${name} is empty. Send the start of its text.`);
        },
        (values) => {
          const isWhole = type === 'uri' || modifier === 'exact';
          return { type: 'string', field: name, match: isWhole ? 'exact' : 'startsWith', values };
        },
      ),
  });
}
