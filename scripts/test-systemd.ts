/** Runs the tests in test/systemd, which install the systemd unit on a machine that boots systemd. */
import { whyNoMachine } from '../test/systemd/booted-machine.ts';
import { runLongTests } from './long-tests.ts';

runLongTests('test/systemd/*.test.ts', {}, whyNoMachine() ?? false);
