/**
 * fast-check with a seed that is always the same, so that every run of the check tries the same
 * values. `npm test -- --seed N FILE …` tries others.
 */
import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env.TEST_SEED ?? 1) });

export { fc };
