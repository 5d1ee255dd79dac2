/** The data folders of the first and the last version before; the long tests have those between. */
import { describeFolder } from './folder-tests.ts';
import { PAST_VERSIONS } from './past-versions.ts';

describeFolder(PAST_VERSIONS[0]!);
describeFolder(PAST_VERSIONS.at(-1)!);
