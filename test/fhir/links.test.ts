/** Which texts of a resource are links that a transaction replaces. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { replaceLinks } from '../../src/fhir/bundle/links.ts';
import { dstu2, r4, stu3 } from '../../src/fhir/definitions/published.ts';

const OLD = 'urn:uuid:0c3151bd-1cbf-4d64-b04d-cd9187a4c6e0';

const div = (link: string) =>
  `<div xmlns="http://www.w3.org/1999/xhtml"><p title="${OLD}"><a name="${OLD}" href="${link}">` +
  `${OLD}</a><img src="${link}" alt="${OLD}"/></p></div>`;

const withLinks = (link: string) => ({
  resourceType: 'Organization',
  meta: { profile: [link] },
  implicitRules: link,
  text: { status: 'generated', div: div(link) },
  contained: [{ resourceType: 'Organization', id: OLD, partOf: { reference: link } }],
  extension: [
    { url: OLD, valueUri: link },
    { url: OLD, extension: [{ url: OLD, valueReference: { reference: link, display: OLD } }] },
    { url: OLD, valueString: OLD },
    { url: OLD, valueCode: OLD },
  ],
  identifier: [{ system: link, value: OLD }],
  name: OLD,
  _name: { extension: [{ url: OLD, valueUri: link }] },
  alias: [null, OLD],
  _alias: [{ extension: [{ url: OLD, valueUri: link }] }, null],
  unknown: OLD,
});

describe('the links of a resource', () => {
  for (const definitions of [dstu2, stu3]) {
    it(`are replaced wherever ${definitions.version} has them, and nothing else is`, () => {
      const { alias, _alias, ...common } = withLinks(OLD);
      const isKnown = definitions.resource('Organization')?.properties.has('alias');
      const sent = { ...common, ...(isKnown && { alias, _alias }) };
      const replaced = replaceLinks(sent, definitions, () => 'Organization/1');
      const { alias: newAlias, _alias: newSibling, ...wanted } = withLinks('Organization/1');
      const expected = { ...wanted, ...(isKnown && { alias: newAlias, _alias: newSibling }) };
      assert.deepEqual(replaced, expected);
    });
  }

  it('of type canonical stay, and those of type url are replaced', () => {
    const sent = {
      resourceType: 'Organization',
      extension: [
        { url: 'https://example.org/a', valueCanonical: OLD },
        { url: 'https://example.org/a', valueUrl: OLD },
      ],
    };
    const { extension } = replaceLinks(sent, r4, () => 'Organization/1');
    assert.deepEqual(extension, [
      { url: 'https://example.org/a', valueCanonical: OLD },
      { url: 'https://example.org/a', valueUrl: 'Organization/1' },
    ]);
  });

  it('are named with their places', () => {
    const places: string[] = [];
    replaceLinks(withLinks(OLD), dstu2, ({ kind, text, path }) => {
      places.push(`${kind} ${path()}`);
      return text;
    });
    const root = '/f:Organization';
    assert.deepEqual(places.slice(0, 6), [
      `uri ${root}/f:meta/f:profile[1]`,
      `uri ${root}/f:implicitRules`,
      `narrative ${root}/f:text/h:div`,
      `narrative ${root}/f:text/h:div`,
      `reference ${root}/f:contained[1]/f:Organization/f:partOf/f:reference`,
      `uri ${root}/f:extension[1]/f:valueUri`,
    ]);
  });
});
