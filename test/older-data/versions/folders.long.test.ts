/** The data folders of the versions between the first and the last one before. */
import { describeFolder } from './folder-tests.ts';
import { PAST_VERSIONS } from './past-versions.ts';

for (const version of PAST_VERSIONS.slice(1, -1)) describeFolder(version);
