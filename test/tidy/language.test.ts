/** The language of the program and its documents: words and phrases that plain English replaces. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { projectFiles, ROOT } from './source-files.ts';

/**
 * Regular expressions of refused phrases, and what to write instead. A space also matches a line
 * break inside a comment.
 */
const REFUSED: readonly (readonly [string, string])[] = [
  ['nought', 'zero, nothing'],
  ['whom', 'a sentence with the subject first'],
  ['who(?:so)?ever', 'any user, every client'],
  ['whatever', 'any, independent of, even if'],
  ['nobody', 'no user, no other process'],
  ['therein|thereby|whereupon|hence|amid|albeit', 'a second sentence'],
  ['must needs', 'must'],
  ['does not do(?=[.,:;!)"]|$)', 'is not valid, cannot be used'],
  ['that is none', 'that is not a …'],
  ['(?:where|when) there is none', 'if there is no …'],
  ['(?:where|when) it is (?:none|not one|no)', 'if it is not a …'],
  [
    '(?<![Tt]here )is no (?:number|object|address|list|name|type|date|code|page|resource|backup|peer|zip|path|form|file|key)',
    'is not a …',
  ],
  ['has not(?=[.,:;)])', 'does not have'],
  ['no more(?=[.,:;)])', 'no longer'],
  ['in turn', 'one after the other, alternately'],
  ['at the most', 'at most'],
  ['at one time', 'at the same time'],
  ['but for', 'except for'],
  ['under way', 'running, in progress'],
  ['(?:is|are) to be', 'must be, or the present tense'],
  ['(?:puts?|puttin\\w|written|writes?) down', 'records, writes'],
  ['wish(?:es|ed)?', 'wants, prefers, requests'],
  ['(?:is|are|was|were|be) told', 'gets, receives, the message says'],
  ['tells? of', 'names, reports, records'],
  ['speaks? (?:for|of)', 'names, means'],
  ['from then on', 'after this, from this time'],
  ['once more', 'again'],
  ['as it stands', 'unchanged'],
  ['to be had|had from', 'available, from'],
  ['here and there', 'in some places'],
  ['now and then', 'sometimes, every few seconds'],
  ['of (?:its|his|our|their) own(?=[.,:;)]| and| that)', 'separate, its own …'],
  ['of ours', 'of the program'],
  ['some tenths', 'a few tenths'],
  ['some hundreds?', 'a few hundred'],
  ['had better', 'should'],
  ['goes? on', 'continues'],
  ['whole or not at all', 'completely or not at all'],
  ['alone of', 'unique, the only'],
  ['not at hand', 'not available'],
  ['draws? on', 'uses'],
  ['a[ts] ever', 'unchanged'],
  ['gone wrong|goes wrong', 'fails'],
  ['What (?:is|was|cannot|comes|came|else|differs)', 'a sentence with the subject first'],
  ['(?:the|its) begin', 'the start, the beginning'],
  ['any more(?=[.,:;)])', 'no longer'],
  ['[Ss]ome \\d[\\d,]*', 'about …'],
  ['some (?:milliseconds|thousands?)', 'a few'],
  ['so many (?:days|rows|ranks|values|resources|records|entries|of)(?! that)', 'this number of …'],
  ['one (?:\\w+ )?a line', 'one on each line'],
  ['in vain', 'without a result'],
  ['(?:[Tt]hrows|[Uu]ndefined|[Aa]bsent|[Ff]ails|[Rr]ejects)(?: an? `?\\w+`?)? where', '… if'],
  ['what (?:came|comes|becomes) of', 'the result of'],
  ['exclude each other', 'cannot be combined'],
  ['prevents? that (?:an?|the)', 'keeps … from'],
  ['besides(?=[.,:;)])', 'in addition, further'],
  ['interface ORD', 'the ORD interface'],
];

/** A space of a phrase: also a line break with the mark of a comment, a list or a quotation. */
const SPACE = '\\s+(?:(?:\\*|//|>|--|#) )?';

const RULES = REFUSED.map(([phrase, instead]) => ({
  pattern: new RegExp(`(?<![\\w-])(?:${phrase.replaceAll(' ', SPACE)})(?![\\w-])`, 'g'),
  instead,
}));

/** Released migrations never change, and the changelog is a record of the past. */
const CHECKED =
  /^(?:src\/.*\.(?:ts|njk)|docs\/.*\.md|deploy\/.*|(?:README|CONTRIBUTING|ARCHITECTURE|SECURITY)\.md|\.github\/.*)$/;
const UNCHECKED = /\.generated\.ts$|\/migrations\//;

it('the program and its documents are in plain English', () => {
  const findings = projectFiles()
    .filter((path) => CHECKED.test(path) && !UNCHECKED.test(path))
    .flatMap((path) => findingsIn(path, readFileSync(join(ROOT, path), 'utf8')));
  assert.deepEqual(findings, []);
});

it('a phrase is found across the lines of a comment', () => {
  const findings = findingsIn('a.ts', 'let a;\n/**\n * Every part is\n * told.\n */\n');
  assert.deepEqual(findings, [
    'a.ts:3: "is told". Write instead: gets, receives, the message says',
  ]);
});

function findingsIn(path: string, text: string): string[] {
  return RULES.flatMap(({ pattern, instead }) =>
    [...text.matchAll(pattern)].map(({ 0: found, index }) => {
      const line = text.slice(0, index).split('\n').length;
      const phrase = found.replace(/\s+(?:(?:\*|\/\/|>|--|#) )?/g, ' ').trim();
      return `${path}:${line}: "${phrase}". Write instead: ${instead}`;
    }),
  );
}
