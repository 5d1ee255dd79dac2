/** Which requests for a FHIR address get a page: those of browsers, and those that name HTML. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { prefersPage } from '../../src/fhir/http/prefers-page.ts';

interface Case {
  readonly accept?: string;
  readonly query?: string;
  readonly method?: string;
}

const PAGES: readonly Case[] = [
  // Firefox and Safari, Chrome, Lynx, w3m without images, and people with curl.
  { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' },
  {
    accept:
      'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,' +
      '*/*;q=0.8,application/signed-exchange;v=b3;q=0.7',
  },
  { accept: 'text/html, text/plain, text/sgml, application/xhtml+xml, */*;q=0.01' },
  { accept: 'text/html, text/*;q=0.5' },
  { accept: 'text/html' },
  { accept: 'text/html;charset=utf-8' },
  { accept: 'text/html, */*' },
  { accept: 'text/html, application/fhir+json;q=0.9' },
  { accept: 'text/html;q=0.5, application/json;q=0.4, */*;q=0.1' },
  { accept: 'text/html;q=0.5, image/png, application/xhtml+xml' },
  { accept: 'text/html', method: 'HEAD' },
  { accept: 'text/html', query: 'name=a&_pretty=true' },
  { query: '_format=html' },
  { query: '_format=text/html' },
  { query: 'name=a&_format=text%2Fhtml%3Bcharset=utf-8' },
  { query: '%5Fformat=html' },
  { accept: 'application/fhir+json', query: '_format=html' },
];

const FHIR: readonly Case[] = [
  {},
  { accept: '' },
  { accept: '*/*' },
  { accept: 'application/*' },
  { accept: 'text/*' },
  { accept: 'application/xhtml+xml' },
  { accept: 'application/fhir+json' },
  { accept: 'application/fhir+xml;q=1.0, application/fhir+json;q=0.9' },
  { accept: 'application/json, text/plain, */*' },
  // Java's HttpURLConnection, of two versions; an old Safari.
  { accept: 'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2' },
  { accept: 'text/html, image/gif, image/jpeg, */*; q=0.2' },
  {
    accept:
      'application/xml,application/xhtml+xml,text/html;q=0.9,text/plain;q=0.8,image/png,*/*;q=0.5',
  },
  { accept: 'text/html;q=0.5, application/fhir+json' },
  { accept: 'text/html;q=0.5, */*' },
  { accept: 'text/html;q=0.5, application/*;q=0.6' },
  { accept: 'text/html, application/json' },
  { accept: 'application/fhir+xml, text/html' },
  { accept: 'text/html, xml' },
  { accept: 'text/html;q=0' },
  { accept: 'text/html;q=0, */*' },
  { accept: 'text/html-like' },
  { accept: 'text/html', query: '_format=json' },
  { accept: 'text/html', query: 'a=b&_format=application/fhir%2Bxml' },
  { accept: 'text/html', query: '_format=nonsense' },
  { query: 'name=html' },
  { query: '_format=json&name=html' },
  { query: '_format=xhtml' },
  { accept: 'text/html', method: 'POST' },
  { accept: 'text/html', method: 'OPTIONS' },
  { query: '_format=html', method: 'PUT' },
];

describe('a request for a FHIR address', () => {
  for (const each of PAGES) {
    it(`${textOf(each)} gets a page`, () => assert.equal(isPage(each), true));
  }
  for (const each of FHIR) {
    it(`${textOf(each)} gets FHIR`, () => assert.equal(isPage(each), false));
  }
});

function isPage({ accept, query = '', method = 'GET' }: Case): boolean {
  return prefersPage({ method, path: '/', query, headers: { accept }, id: 'test' });
}

function textOf({ accept = 'none', query = '', method = 'GET' }: Case): string {
  return `${method} ?${query} with Accept: ${accept}`;
}
