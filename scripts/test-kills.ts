/**
 * Kills servers while they deliver notifications and answer readers that wait:
 * `npm run test:kills -- [--kills 200]`. test/subscriptions/killed.long.test.ts has the tests.
 */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runLongTests } from './long-tests.ts';
import { bundledProgram } from './test-program.ts';

const { values } = parseArgs({ options: { kills: { type: 'string', default: '200' } } });
const program = await bundledProgram(fileURLToPath(new URL('..', import.meta.url)));
const environment = { TEST_KILLS: values.kills, TEST_PROGRAM: program };
runLongTests('test/subscriptions/killed.long.test.ts', environment, false);
