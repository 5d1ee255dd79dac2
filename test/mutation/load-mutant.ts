/** Loaded before a test: gives one source file with a mutant in place of the file on the disk. */
import { registerHooks } from 'node:module';
import { withMutant } from './mutants.ts';

/** The URL of the file and the change, as JSON. */
export const MUTANT_VARIABLE = 'GAZETTEER_MUTANT';

const { url: wanted, ...change } = JSON.parse(process.env[MUTANT_VARIABLE] ?? '{}');

registerHooks({
  load: (url, context, nextLoad) => {
    const loaded = nextLoad(url, context);
    if (url !== wanted || loaded.source === undefined || loaded.source === null) return loaded;
    const source = Buffer.from(loaded.source as Uint8Array).toString();
    return { ...loaded, source: withMutant(source, change) };
  },
});
