/** Search parameters without a value, in R4: https://hl7.org/fhir/R4/search.html#errors */
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

for (const { type, searchParam = [] } of rest[0].resource) {
  if (searchParam.length === 0) continue;
  describe(`a search of ${type}`, () => {
    it('ignores every parameter without a value, and its links do not have it', async () => {
      const all = await validAnswer(server, type);
      const names = searchParam.map(({ name }) => name);
      for (const name of [...names, '_format', '_pretty']) {
        const found = await validAnswer(server, `${type}?${name}=`);
        assert.deepEqual([found.total, found.entry], [all.total, all.entry], name);
        assert.deepEqual(found.link, all.link, name);
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
