/** Every command of the how-to guides runs, and answers as the guides show. */
import { describePages, isGuide } from './run-pages.ts';

describePages(isGuide);
