/** `gazetteer completion`: prints a script that completes command lines in a shell. */
import { type Command, UsageError } from './command.ts';
import { completedCommand } from './completed-command.ts';
import { bashCompletion } from './completion-bash.ts';
import { zshCompletion } from './completion-zsh.ts';

const SCRIPTS = new Map([
  ['bash', bashCompletion],
  ['zsh', zshCompletion],
]);

const SHELLS = [...SCRIPTS.keys()];

export const completionCommand: Command = {
  name: 'completion',
  summary: 'Print a script that completes commands, options and values in a shell',
  examples: ['completion bash', 'completion zsh'],
  settings: [],
  argument: { syntax: '<shell>', help: `The shell: ${SHELLS.join(' or ')}`, values: SHELLS },
  run: async ({ arguments: [shell = ''], commands, groups, streams }) => {
    const script = SCRIPTS.get(shell);
    if (script === undefined) {
      throw new UsageError(`The shell must be ${SHELLS.join(' or ')}. Got "${shell}".`);
    }
    streams.output.write(script(commands.map(completedCommand), groups));
  },
};
