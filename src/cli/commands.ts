/** All commands, in the order of the help. */
import type { Command } from './command.ts';
import { COMMAND_MODULES } from './command-modules.ts';

const loaded = await Promise.all([...COMMAND_MODULES.values()].map((load) => load()));

export const COMMANDS: readonly Command[] = loaded.flat();
