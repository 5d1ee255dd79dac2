/** Mutants of the files about preconditions, paging and audit that no test can notice, or that change nothing that matters. */
import type { Judged } from './mutants.ts';

export const JUDGED_CONTENT: readonly Judged[] = [
  {
    file: 'src/fhir/http/query-string.ts',
    line: 'while (start < query.length) {',
    change: '< -> <=',
    reason: 'at the end of the query there is no pair to yield',
  },
  {
    file: 'src/fhir/http/query-string.ts',
    line: "if (!text.includes('%') && !text.includes('+')) return text;",
    change: "!text.includes('%') && !text.includes('+') -> false",
    reason: 'a text without escapes is the same when decoded',
  },
  {
    file: 'src/storage/repository/audit-chain.ts',
    line: 'if (number === undefined || mac === undefined) return undefined;',
    change: '|| -> &&',
    reason: 'a match has both groups, and no match has neither',
  },
  {
    file: 'src/fhir/format/limits.ts',
    line: 'for (let at = 0; at < bytes.length; at++) {',
    change: '< -> <=',
    reason: 'after the end there is no byte, so no mark',
  },
  {
    file: 'src/fhir/stored/preconditions.ts',
    line: 'if (writtenIn !== second) return writtenIn < second;',
    change: '< -> <=',
    reason: 'the two differ here',
  },
  {
    file: 'src/fhir/search/parse-search-query.ts',
    line: 'if (colon < 0) return { name, modifier: undefined };',
    change: '< -> <=',
    reason: 'a name that begins with a colon is unknown either way',
  },
  {
    file: 'src/fhir/search/parse-search-query.ts',
    line: 'if (colon < 0) return { name, modifier: undefined };',
    change: '0 -> 1',
    reason: 'a name that begins with a colon is unknown either way',
  },
  {
    file: 'src/interfaces/faces/searchset.ts',
    line: 'const variant = (8 | (Number.parseInt(part(16, 17), 16) & 3)).toString(16);',
    change: '16 -> 17',
    reason: 'a single hexadecimal digit is the same in base 17',
  },
  {
    file: 'src/interfaces/faces/search.ts',
    line: 'if (place < 0) return () => query;',
    change: '< -> <=',
    reason: 'the place of the page follows its name, so it is never 0',
  },
  {
    file: 'src/interfaces/faces/search.ts',
    line: 'if (place < 0) return () => query;',
    change: '0 -> 1',
    reason: 'the place of the page follows its name, so it is never 0',
  },
];
