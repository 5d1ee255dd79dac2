/** What a shell can complete of a command: its options, and the values of options and arguments. */
import type { Setting } from '../config/setting.ts';
import { flagOf, SETTINGS } from '../config/settings.ts';
import { type Command, flagPathsOf } from './command.ts';

export interface CompletedCommand {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly CompletedOption[];
  readonly argument?: { readonly help: string; readonly value: CompletedValue };
}

export interface CompletedOption {
  /** `--port` */
  readonly flag: string;
  readonly help: string;
  /** Absent for an option without a value. */
  readonly value?: CompletedValue;
  /** Whether the option can be given without its value. */
  readonly isOptional: boolean;
  readonly isRepeatable: boolean;
}

/** Fixed choices, the name of a file or folder, or a text that no shell can complete. */
export type CompletedValue = readonly string[] | 'file' | 'folder' | 'text';

export function completedCommand(command: Command): CompletedCommand {
  const { name, summary, argument, options = [] } = command;
  const isOwn = (flag: string) => options.some(({ syntax }) => syntax.startsWith(`${flag} `));
  return {
    name,
    summary,
    options: [
      ...options.map(({ syntax, help, values, isRepeatable = false }) => ({
        ...parsedSyntax(syntax, values),
        help,
        isRepeatable,
      })),
      ...flagPathsOf(command).map((path) => {
        const { argument: placeholder, help, defaultValue }: Setting = SETTINGS[path];
        const isOptional = typeof defaultValue === 'boolean';
        const value = completedValue(placeholder, fixedValues(placeholder));
        return { flag: flagOf(path), help, value, isOptional, isRepeatable: false };
      }),
      ...COMMON_OPTIONS.filter(({ flag }) => !isOwn(flag)),
    ],
    ...(argument !== undefined && {
      argument: { help: argument.help, value: completedValue(argument.syntax, argument.values) },
    }),
  };
}

/** The options that `program.ts` gives to every command that has no such option itself. */
const COMMON_OPTIONS: readonly CompletedOption[] = [
  {
    flag: '--config',
    help: 'A JSON file with settings',
    value: 'file',
    isOptional: false,
    isRepeatable: false,
  },
  { flag: '--version', help: 'Print the version', isOptional: false, isRepeatable: false },
  { flag: '--help', help: 'Print this help', isOptional: false, isRepeatable: false },
];

function parsedSyntax(
  syntax: string,
  values: readonly string[] | undefined,
): Pick<CompletedOption, 'flag' | 'value' | 'isOptional'> {
  const [flag = '', placeholder] = syntax.split(' ');
  if (placeholder === undefined) return { flag, isOptional: false };
  return {
    flag,
    value: completedValue(placeholder, values),
    isOptional: placeholder.startsWith('['),
  };
}

function completedValue(placeholder: string, values: readonly string[] = []): CompletedValue {
  if (values.length > 0) return values;
  const [word = ''] = /\w+/.exec(placeholder.toLowerCase()) ?? [];
  return word === 'file' || word === 'folder' ? word : 'text';
}

/** The values that a setting lists: `auto|json|text`, but only `off` of `N|off`. */
function fixedValues(placeholder: string): string[] {
  return placeholder.includes('|')
    ? placeholder.split('|').filter((word) => /^[a-z]/.test(word))
    : [];
}
