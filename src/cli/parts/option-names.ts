/** The names of parameters in a text about a wrong one, as the options of a command. */
import type { Option } from 'commander';

/**
 * `sinceEdition must be …` becomes `--since-edition must be …`. A name that is also an English word,
 * such as `of`, is that of the option only at the beginning of a sentence, and after words that name
 * a parameter.
 */
export function withOptionNames(text: string, options: readonly Option[]): string {
  return options.reduce((named, option) => {
    const name = option.attributeName();
    const pattern = /[A-Z]/.test(name)
      ? `\\b${name}\\b`
      : `(?:^|(?<=\\. ))${name}(?=[ =:])|(?<=(?:Unknown value ".*" of|needs the parameter) )${name}(?=\\.)`;
    return named.replaceAll(new RegExp(pattern, 'g'), option.long ?? name);
  }, text);
}
