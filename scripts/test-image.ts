/** Runs the tests in test/image, which build and run the container image. */
import { whyNoDocker } from '../test/image/docker-machine.ts';
import { runLongTests } from './long-tests.ts';

runLongTests('test/image/*.test.ts', {}, whyNoDocker() ?? false);
