/** The fields of the form of a page, from the table of its parameters. */

import type { ParameterTable } from '../../interfaces/json/parameter-table.ts';

/** A field as a template shows it. */
export interface FormField extends FieldTexts {
  readonly type: 'date' | 'text' | 'boxes';
  /** As the visitor wrote it. */
  readonly value: string;
  /** The values to choose from: none, one or several. */
  readonly options?: readonly FieldOption[];
}

interface FieldOption {
  readonly value: string;
  readonly text: string;
  readonly isChosen: boolean;
}

/** The parameter of a field, and its words for visitors. */
export interface FieldTexts {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
}

/** In the order of the texts. */
export function formFields(
  table: ParameterTable,
  texts: readonly FieldTexts[],
  values: Readonly<Record<string, string>>,
): readonly FormField[] {
  return texts.map((shown): FormField => {
    const { schema, known } = table[shown.name]!.kind;
    const value = values[shown.name] ?? '';
    if (known !== undefined)
      return { ...shown, value, type: 'boxes', options: boxes(known, value) };
    return { ...shown, value, type: schema.format === 'date' ? 'date' : 'text' };
  });
}

/** `value`: those that are chosen, with commas between them. */
function boxes(known: readonly string[], value: string): readonly FieldOption[] {
  const chosen = new Set(value.split(',').map((each) => each.trim()));
  return known.map((each) => ({
    value: each,
    text: each.replaceAll('-', ' ').replace(/^./, (letter) => letter.toUpperCase()),
    isChosen: chosen.has(each),
  }));
}
