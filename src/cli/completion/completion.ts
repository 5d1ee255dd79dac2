/**
 * `gazetteer completion`: prints a script for a shell, which then completes commands and options.
 * For each completion, the script runs `gazetteer complete`, which `program.ts` answers.
 */
import { type Command, UsageError } from '../parts/command.ts';
import { SCRIPTS } from './scripts.ts';

export const completionCommand: Command = {
  name: 'completion',
  summary: 'Print a script that completes commands and options in a shell',
  settings: [],
  argument: { syntax: '<shell>', help: 'bash, zsh or fish' },
  examples: ['completion bash', 'completion fish'],
  run: async ({ arguments: [shell = ''], streams }) => {
    const script = SCRIPTS.get(shell);
    if (script === undefined) {
      throw new UsageError(`<shell> must be bash, zsh or fish. Got "${shell}".`);
    }
    streams.output.write(script);
  },
};
