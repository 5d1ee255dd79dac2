/** The fields of the form of a page, from the table of its parameters. */

import type { ParameterTable } from '../../interfaces/json/parameter-table.ts';

/** A field as a template shows it. */
export interface FormField extends FieldTexts {
  readonly type: 'date' | 'text' | 'boxes';
  /** As the visitor wrote it. */
  readonly value: string;
  /** What is wrong with the value. */
  readonly problem?: string;
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
    const { schema, known, parse } = table[shown.name]!.kind;
    const value = values[shown.name] ?? '';
    if (known !== undefined)
      return { ...shown, value, type: 'boxes', options: boxes(known, value) };
    // A browser would hide a text that is no date, and people could not see what to correct.
    const isDate = schema.format === 'date' && (value === '' || parse(value) !== undefined);
    return { ...shown, value, type: isDate ? 'date' : 'text' };
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

/**
 * A problem whose text begins with the name of a parameter, at its field, with the label in place of
 * the name. Another one stays as it is.
 */
export function problemAtField(fields: readonly FormField[], text: string): object {
  const wrong = fields.find(({ name }) => text.startsWith(`${name} `));
  if (wrong === undefined) return { problem: text };
  const problem = wrong.label + text.slice(wrong.name.length);
  return {
    problem: 'Correct the field with the error.',
    fields: fields.map((field) => (field === wrong ? { ...field, problem } : field)),
  };
}
