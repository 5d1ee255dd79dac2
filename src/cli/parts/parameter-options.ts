/** The options of a command from a table of parameters: the same names, texts and rules as over HTTP. */

import type { ParameterRow, ParameterTable } from '../../interfaces/json/parameter-table.ts';
import type { CommandContext, CommandOption } from './command.ts';

export function optionsOf(table: ParameterTable): readonly CommandOption[] {
  return Object.entries(table).map(([name, parameter]) => optionOf(name, parameter));
}

export function optionOf(name: string, { documentation = '', kind }: ParameterRow): CommandOption {
  const { rule, word = name } = kind;
  const isFlag = kind.schema.type === 'boolean';
  const option = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  return {
    syntax: isFlag ? option : `${option} <${word}>`,
    // The help of a command has no full stops.
    help: documentation.replaceAll('`', '').replace(/[.]$/, ''),
    // The reader of the table names the nearest of the known values.
    ...(!isFlag &&
      kind.known === undefined && {
        value: {
          is: (text) => kind.parse(text) !== undefined,
          name: rule.replace(/^must be /, ''),
        },
      }),
  };
}

/** The texts of the options that the table has. */
export function textsOf(
  table: ParameterTable,
  options: CommandContext['options'],
): Readonly<Record<string, string>> {
  const given = Object.keys(table).filter((name) => options[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, String(options[name])]));
}
