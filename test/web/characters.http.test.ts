/** Characters that HTML does not allow, in each text that a visitor can send. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { openTemplates } from '../../src/web/render.ts';
import { ownerOfSuite } from '../owner.ts';
import { PAGE_ADDRESSES, startEveryPage } from './every-page.ts';
import { HTML } from './page-cases.ts';
import type { WebServer } from './web-server.ts';

/** Control characters, of which a form feed is white space; and noncharacters. */
const SENT = 'a\0\u{1}\u{b}\f\u{1f}\u{7f}\u{85}\u{9f}\u{fdd0}\u{fffe}\u{ffff}\u{1ffff}\u{10fffe}b';
const ENCODED = encodeURIComponent(SENT);

/** All that pages read, and a name that none of them knows. */
const PARAMETERS =
  'q as role status town of by near within page print since until kind on postcode _format name'
    .split(' ')
    .concat(ENCODED);

/** https://html.spec.whatwg.org/#preprocessing-the-input-stream */
function isAllowed(character: string): boolean {
  const code = character.codePointAt(0)!;
  if (code < 0x20 || (code >= 0x7f && code <= 0x9f)) return '\t\n\f\r'.includes(character);
  const isNoncharacter = (code >= 0xfdd0 && code <= 0xfdef) || (code & 0xfffe) === 0xfffe;
  return !isNoncharacter;
}

function assertAllowed(text: string, source: string): void {
  for (const character of text) {
    if (isAllowed(character)) continue;
    const at = text.indexOf(character);
    assert.fail(`${source}: ${JSON.stringify(text.slice(Math.max(0, at - 40), at + 20))}`);
  }
}

describe('a page', () => {
  const owner = ownerOfSuite();
  let server: WebServer;
  before(async () => {
    server = await startEveryPage(owner);
  });

  /** The answer, if it is a page. */
  async function pageAt(address: string, init: RequestInit = {}): Promise<string | undefined> {
    const answer = await server.get(address, { ...init, headers: { accept: HTML } });
    assert.ok(answer.status < 500, `${address}: ${answer.status}`);
    for (const [name, value] of answer.headers) assert.match(value, /^[ -~]*$/, name);
    return answer.headers.get('content-type') === HTML ? answer.text : undefined;
  }

  it('has no character that HTML does not allow, whatever was asked', async () => {
    const addresses = Object.values(PAGE_ADDRESSES).map(([address = '']) => address);
    for (const address of [...addresses, '/STU3/Organization', '/STU3/nope']) {
      for (const name of PARAMETERS) {
        const asked = `${address}?${name}=${ENCODED}`;
        assertAllowed((await pageAt(asked)) ?? '', asked);
      }
    }
    assert.deepEqual(server.faults, []);
  });

  it('shows a replacement character in its place, in its title too', async () => {
    const page = (await pageAt('/reports?q=a%00b')) ?? '';
    assert.match(page, /<title>a\u{fffd}b – /u);
    assert.match(page, /<input[^>]* value="a\u{fffd}b"/u);
  });

  it('has none in the name of its path', async () => {
    for (const route of [...Object.keys(PAGE_ADDRESSES), '/{nothing}', '/STU3/Organization/{id}']) {
      const address = route.replace(/\{\w+\}/, ENCODED);
      if (address !== route) assertAllowed((await pageAt(address)) ?? '', address);
    }
    assert.deepEqual(server.faults, []);
  });

  it('has none of a list that was sent', async () => {
    for (const list of [SENT, `name\n${SENT}`, `${SENT},name\nx,y`]) {
      const body = new URLSearchParams({ list, column: SENT });
      for (const each of [body, new URLSearchParams({ list })]) {
        assertAllowed((await pageAt('/check-a-list', { method: 'POST', body: each })) ?? '', list);
      }
    }
    assert.deepEqual(server.faults, []);
  });
});

/** What templates write as references. */
const ESCAPED = /[&<>"'`\\]/g;

it('templates keep every character that HTML allows', () => {
  const render = openTemplates();
  for (let from = 0; from < 0x20000; from += 0x1000) {
    const characters = Array.from({ length: 0x1000 }, (_, at) => from + at)
      .filter((code) => code < 0xd800 || code > 0xdfff)
      .map((code) => String.fromCodePoint(code));
    const words = characters.join('').replaceAll(ESCAPED, '');
    const page = render('check-a-list/counts.njk', { counts: [{ words }] });
    const kept = Array.from(words, (one) => (isAllowed(one) ? one : '\u{fffd}')).join('');
    assert.ok(page.includes(kept), from.toString(16));
  }
});
