/** The examples in the help of commands: each is shown, and the command accepts it. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { COMMANDS } from '../../src/cli/commands.ts';
import { runInProcess } from './run-in-process.ts';

describe('the examples of', () => {
  for (const { name, examples } of COMMANDS) {
    it(name, async () => {
      const { stdout } = await runInProcess([...name.split(' '), '--help']);
      for (const example of examples) {
        // The folder of the source is no place for patient data and keys.
        assert.doesNotMatch(example, /(?:--output|--report|^backup) (?!data\/)/);
        assert.ok(stdout.includes(`\n  gazetteer ${example}\n`), stdout);
        const started: string[] = [];
        const commands = COMMANDS.map((command) => ({
          ...command,
          needsFiles: () => false,
          run: async () => void started.push(command.name),
        }));
        const { stderr, code } = await runInProcess(example.split(' '), {}, commands);
        assert.deepEqual({ started, stderr, code }, { started: [name], stderr: '', code: 0 });
      }
    });
  }
});
