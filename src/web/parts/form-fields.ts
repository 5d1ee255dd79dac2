/** The fields of the form of a page, from the table of its parameters. */

import type { ParameterTable } from '../../interfaces/json/parameter-table.ts';

/** A field as a template shows it. */
export interface FormField extends FieldTexts {
  readonly type: 'date' | 'text' | 'select';
  /** As the visitor wrote it. */
  readonly value: string;
  /** The values to choose from. */
  readonly options?: readonly string[];
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
    if (known !== undefined) return { ...shown, value, type: 'select', options: known };
    return { ...shown, value, type: schema.format === 'date' ? 'date' : 'text' };
  });
}
