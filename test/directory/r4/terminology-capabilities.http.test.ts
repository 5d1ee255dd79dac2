/** What the R4 face offers for codes: `metadata` with the mode `terminology`. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { startTerminology, validAnswer } from './terminology-server.ts';

const server = await startTerminology();
after(() => server.close());

describe('metadata?mode=terminology', () => {
  it('names the code systems that the operations know', async () => {
    const statement = await validAnswer(server, 'metadata?mode=terminology');
    assert.equal(statement.resourceType, 'TerminologyCapabilities');
    const { entry } = await validAnswer(server, 'CodeSystem?_summary=false');
    const urls = entry.map(({ resource }: { resource: { url: string } }) => resource.url);
    const stated: string[] = statement.codeSystem.map(({ uri }: { uri: string }) => uri);
    // The statement does not depend on whether postcodes were imported.
    assert.deepEqual(
      stated.filter((uri) => !uri.endsWith('/postcode')),
      urls,
    );
  });

  it('names parameters that $expand accepts', async () => {
    const { expansion } = await validAnswer(server, 'metadata?mode=terminology');
    const names = expansion.parameter.map(({ name }: { name: string }) => name);
    assert.ok(names.includes('activeOnly'));
    for (const name of [...names, 'none']) {
      const { text } = await server.get(`/fhir/R4/ValueSet/$expand?${name}=x`);
      assert.equal(/Unknown parameter/.test(text), name === 'none', `${name}: ${text}`);
    }
  });

  for (const mode of ['full', 'normative', 'x', '']) {
    it(`is the capability statement for mode=${mode}`, async () => {
      const statement = await validAnswer(server, `metadata?mode=${mode}`);
      assert.deepEqual(statement, await validAnswer(server, 'metadata'));
      assert.equal(statement.resourceType, 'CapabilityStatement');
    });
  }

  it('is ignored by a face whose version of FHIR has no such mode', async () => {
    const { status, text } = await server.get('metadata?mode=terminology');
    assert.deepEqual([status, JSON.parse(text).resourceType], [200, 'CapabilityStatement']);
  });
});

it('the capability statement names the operations of both types', async () => {
  const { rest } = await validAnswer(server, 'metadata');
  const operationsOf = (wanted: string) =>
    rest[0].resource
      .find(({ type }: { type: string }) => type === wanted)
      .operation.map(({ name, definition }: { name: string; definition: string }) => [
        name,
        definition.slice(definition.lastIndexOf('/') + 1),
      ]);
  assert.deepEqual(operationsOf('ValueSet'), [
    ['expand', 'ValueSet-expand'],
    ['validate-code', 'ValueSet-validate-code'],
  ]);
  assert.deepEqual(operationsOf('CodeSystem'), [
    ['lookup', 'CodeSystem-lookup'],
    ['validate-code', 'CodeSystem-validate-code'],
    ['subsumes', 'CodeSystem-subsumes'],
  ]);
});
