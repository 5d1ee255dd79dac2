/** Search parameters without a value, in R4, are ignored, and the answer says so: https://hl7.org/fhir/R4/search.html#errors */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { startTerminology, validAnswer } from './terminology-server.ts';

interface Statement {
  readonly rest: readonly [
    {
      readonly resource: readonly {
        readonly type: string;
        readonly searchParam?: readonly { readonly name: string }[];
      }[];
    },
  ];
}

const server = await startTerminology();
after(() => server.close());
const { rest }: Statement = await validAnswer(server, 'metadata');

interface Entry {
  readonly search: { readonly mode: string };
  readonly resource: { readonly issue: readonly { readonly diagnostics: string }[] };
}

const RESULT_PARAMETERS = new Set([
  '_count',
  '_edition',
  '_elements',
  '_format',
  '_include',
  '_offset',
  '_pretty',
  '_revinclude',
  '_sort',
  '_summary',
  '_total',
]);

function matchesIn({ entry = [] }: { readonly entry?: readonly Entry[] }): readonly Entry[] {
  return entry.filter(({ search }) => search.mode !== 'outcome');
}

function notesIn({ entry = [] }: { readonly entry?: readonly Entry[] }): readonly string[] {
  const outcomes = entry.filter(({ search }) => search.mode === 'outcome');
  return outcomes.flatMap(({ resource }) => resource.issue.map(({ diagnostics }) => diagnostics));
}

for (const { type, searchParam = [] } of rest[0].resource) {
  if (searchParam.length === 0) continue;
  describe(`a search of ${type}`, () => {
    it('ignores every parameter without a value, and its links do not have it', async () => {
      const all = await validAnswer(server, type);
      const names = searchParam.map(({ name }) => name);
      for (const name of [...names, '_format', '_pretty']) {
        const found = await validAnswer(server, `${type}?${name}=`);
        assert.deepEqual([found.total, matchesIn(found)], [all.total, matchesIn(all)], name);
        assert.deepEqual(found.link, all.link, name);
        const isCriterion = !RESULT_PARAMETERS.has(name);
        const note = `The parameter ${name} has no value, so the search ignored it. Send a value.`;
        assert.deepEqual(notesIn(found), isCriterion ? [note] : [], name);
        if (isCriterion) assert.notEqual(found.id ?? '', all.id ?? 'none', name);
      }
      const emptyForm = names.map((name) => `${name}=`).join('&');
      const { headers, text } = await server.post(`/fhir/R4/${type}/_search`, emptyForm, {
        'content-type': 'application/x-www-form-urlencoded',
      });
      assert.equal(JSON.parse(text).total, all.total);
      assert.equal(headers.get('preference-applied'), null);
    });

    it('refuses unknown names and modifiers, also without a value', async () => {
      for (const query of ['none=', `${searchParam[0]!.name}:none=`]) {
        await validAnswer(server, `${type}?${query}`, { status: 400 });
      }
    });
  });
}

it('a search of organisations ignores names with modifiers if they have no value', async () => {
  const all = await validAnswer(server, 'Organization');
  const found = await validAnswer(server, 'Organization?name:exact=&name:contains=&_sort=');
  assert.deepEqual([found.total, found.link], [all.total, all.link]);
});

it('a value of spaces is refused, because it would match nothing', async () => {
  await validAnswer(server, 'Organization?name=%20', { status: 400 });
});
