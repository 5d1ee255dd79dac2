/** The parameters of the look-up page and its downloads for docs/reference/pages.md. */
import type { ParameterRow } from '../src/interfaces/json/parameter-table.ts';
import { LOOK_UP_PARAMETERS, NEEDED_PARAMETERS } from '../src/web/matches/parameters.ts';

/** The name, the values to choose from if the text does not name them, and the meaning. */
export function lookUpParameterRows(): (readonly string[])[] {
  return Object.entries(LOOK_UP_PARAMETERS).map(([name, row]: [string, ParameterRow]) => {
    const { documentation = '', isRepeatable, kind } = row;
    const values = kind.known ?? [];
    const areNamed = values.every((value) => documentation.includes(value));
    const needed = NEEDED_PARAMETERS.find(([needing]) => needing === name)?.[1];
    const meaning = [
      documentation,
      ...(isRepeatable === true ? ['Can be repeated.'] : []),
      ...(needed === undefined ? [] : [`Needs ${code(needed)}.`]),
    ];
    return [code(name), areNamed ? '' : values.map(code).join(', '), meaning.join(' ')];
  });
}

function code(text: string): string {
  return `\`${text}\``;
}
