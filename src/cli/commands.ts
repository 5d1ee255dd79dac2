/** All commands, in the order of the help. */

import { COMMAND_MODULES } from './command-modules.ts';
import type { Command } from './parts/command.ts';

const loaded = await Promise.all([...COMMAND_MODULES.values()].map((load) => load()));

export const COMMANDS: readonly Command[] = loaded.flat();
