/** Bodies that are damaged a little: refused with an outcome, or taken and then whole in both formats. */
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { repetitions } from '../campaign.ts';
import { fc } from '../property.ts';
import { BASE, EXAMPLE, EXAMPLE_XML, type OrderServer, startOrders } from './order-server.ts';
import { FORMATS, resourceIn } from './wire-formats.ts';

let server: OrderServer;
before(async () => {
  server = await startOrders({ profile: 'base' });
});
after(() => server.close());

const DIV = '<div xmlns="http://www.w3.org/1999/xhtml">a <b>b</b> c</div>';
const { resourceType, ...rest } = EXAMPLE;
const BODIES = {
  json: JSON.stringify({ resourceType, text: { status: 'generated', div: DIV }, ...rest }),
  xml: EXAMPLE_XML.replace(
    '<contained>',
    `<text><status value="generated"/>${DIV}</text><contained>`,
  ),
} as const;

/** What has a meaning in one of the formats, or none in both. */
const PIECES = [
  '"',
  "'",
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '\\',
  '\\u0000',
  '\\ud83d\\ude00',
  '\\ud83d',
  '<',
  '>',
  '</',
  '/>',
  '&',
  '&#x41;',
  '&amp;',
  '&#0;',
  '<!--',
  '-->',
  '<![CDATA[',
  ']]>',
  '<?',
  '?>',
  'value="',
  'xmlns="',
  'null',
  'true',
  '1e5',
  '-0',
  '#',
  '|',
  '_',
  '__proto__',
  '\u0000',
  '\u0085',
  '\u2028',
  '\ufffe',
  '\ufeff',
  '\t',
  '\r\n',
  ' ',
  'é',
  '\u{1F986}',
  '"id":"a",',
  '"extension":[{"url":"u:a","valueString":"x"}],',
  '"fhir_comments":["a"],',
  '<extension url="u:a"><valueString value="x"/></extension>',
];

const damage = fc.record({
  format: fc.constantFrom('json' as const, 'xml' as const),
  place: fc.double({ min: 0, max: 1, noNaN: true }),
  added: fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 3, unit: 'binary' })),
  removed: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(20)),
});

it('a damaged body is refused with an outcome, or has the same content in every format', async () => {
  const property = fc.asyncProperty(damage, async ({ format, place, added, removed }) => {
    const text = BODIES[format];
    const start = Math.floor(place * text.length);
    const body = text.slice(0, start) + added + text.slice(start + removed);
    const post = (type: string, sent: string) =>
      server.send('POST', 'OrderResponse', { 'content-type': type }, sent);
    const answer = await post(FORMATS[format].type, body);
    assert.equal(resourceIn(answer).resourceType, 'OperationOutcome');
    if (answer.status !== 201) {
      assert.ok(answer.status === 400 || answer.status === 422, answer.text);
      return;
    }
    const where = answer.headers.get('location')?.slice(BASE.length + 1) ?? '';
    const read = async (path: string, { type }: { type: string }) =>
      server.send('GET', path, { accept: type });
    const [json, xml] = [await read(where, FORMATS.json), await read(where, FORMATS.xml)];
    assert.deepEqual(resourceIn(xml), resourceIn(json));
    const history = resourceIn(await read(where.replace(/\/\d+$/, ''), FORMATS.xml));
    assert.deepEqual(history.entry[0].resource, resourceIn(json));
    const withoutId = xml.text.replace(/<id value="[^"]*"\/>/, '');
    assert.equal((await post(FORMATS.xml.type, withoutId)).status, 201);
  });
  await fc.assert(property, { numRuns: repetitions(40, 300) });
});
