/** Texts in the search box that are not words: signs, and codes of which some are unknown. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { editionOf } from '../../directory/directory-server.ts';
import { recordOf } from '../../directory/index/record-of.ts';
import { startWeb, type WebServer } from '../web-server.ts';

const EDITION = editionOf([
  recordOf({ code: 'RR8', name: 'Leeds', roles: ['197'] }),
  recordOf({ code: 'RTG', name: 'Derby', isActive: false, roles: ['197'] }),
  recordOf({ code: 'RX1', name: 'Hull', isActive: false, roles: ['197'] }),
]);

describe('a text in the search box', () => {
  let web: WebServer;
  before(async () => {
    web = await startWeb({ editions: { current: () => EDITION, byNumber: () => undefined } });
  });
  after(() => web.close());

  for (const text of ['--', '%%', '!?', '()']) {
    it(`${text} means nothing, and no organisation is offered`, async () => {
      const answer = await web.get(`/?q=${encodeURIComponent(text)}`);
      assert.equal(answer.status, 200);
      assert.match(answer.text, /0 organisations/);
      assert.doesNotMatch(answer.text, /Also show|\([1-9]\d*\)/);
    });
  }

  for (const text of ['RTG RR8 ZZZ99', 'zzz99, rr8, rtg']) {
    it(`${text} finds the known codes, and names the unknown one`, async () => {
      const answer = await web.get(`/?q=${encodeURIComponent(text)}`);
      assert.match(answer.text, /app-code">RR8<.*app-code">RTG</s);
      assert.match(answer.text, /No organisation has these codes: <bdi>ZZZ99</i);
    });
  }

  it('finds no codes where most words are unknown, or a word is not like a code', async () => {
    for (const text of ['RR8 ZZZ98 ZZZ99', 'RR8 Leeds RTG street']) {
      const answer = await web.get(`/?q=${encodeURIComponent(text)}`);
      assert.doesNotMatch(answer.text, /app-code">/);
    }
  });
});
