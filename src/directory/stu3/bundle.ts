/** A page of a search as a Bundle: https://hl7.org/fhir/STU3/bundle.html#searchset */
import { hash } from 'node:crypto';
import { STU3 } from '../../fhir/fhir-version.ts';
import { encodeJson } from '../../fhir/format/json.ts';
import { encodeXml } from '../../fhir/format/xml.ts';
import { memoize } from '../../fhir/memoize.ts';
import type { Form, Format } from '../../fhir/negotiate.ts';
import type { ByteWriter } from '../byte-writer.ts';
import { type Edition, XML_NESTED } from '../edition.ts';
import type { Page } from '../query.ts';
import type { DirectorySettings } from '../settings.ts';
import type { Search } from './parameters.ts';

/** What a page of matches is, before it is written. */
export interface SearchResult {
  readonly identity: ResultIdentity;
  readonly search: Search;
  readonly page: Page;
  readonly edition: Edition;
  /** The type's address: `{base}/STU3/Organization`. */
  readonly typeUrl: string;
}

export interface ResultIdentity {
  /** A UUID version 5 of edition and query. */
  readonly id: string;
  /** A hash of edition, query and format. */
  readonly etag: string;
  /** The search as understood: the query of the self link. */
  readonly query: string;
}

/** The same search in the same edition has the same identity, whatever its page holds. */
export function identityOf(search: Search, edition: Edition, form: Form): ResultIdentity {
  const query = selfLink(search, edition)(search.page);
  const digits = hash('sha1', edition.fingerprint + query, 'hex');
  const part = (start: number, end: number) => digits.slice(start, end);
  const variant = (8 | (Number.parseInt(part(16, 17), 16) & 3)).toString(16);
  const id = `${part(0, 8)}-${part(8, 12)}-5${part(13, 16)}-${variant}${part(17, 20)}-${part(20, 32)}`;
  const pretty = form.isPretty ? '-pretty' : '';
  return { id, etag: `W/"${part(0, 20)}-${form.format}${pretty}"`, query };
}

/** The whole Bundle as a resource: what the codec writes when speed does not matter. */
export function searchBundle(result: SearchResult, format: Format, settings: DirectorySettings) {
  const { edition, page, typeUrl } = result;
  const isLegacy = format === 'json' && settings.json === 'legacy';
  const entry = page.rows.map((row) => {
    const organization = edition.organizationAt(row);
    return {
      fullUrl: `${typeUrl}/${edition.index.codeOf(row)}`,
      resource: format === 'json' ? edition.toJson(organization) : organization,
      ...(isLegacy ? {} : { search: { mode: 'match' } }),
    };
  });
  const hasEntry = entry.length > 0 || (isLegacy && !result.search.isCountOnly);
  return { ...bundleHead(result, isLegacy), ...(hasEntry ? { entry } : {}) };
}

/** The same Bundle, compact, written from templates. */
export function writeBundle(
  result: SearchResult,
  format: Format,
  settings: DirectorySettings,
  writer: ByteWriter,
): Uint8Array | string {
  const { edition, page, typeUrl } = result;
  const isLegacy = format === 'json' && settings.json === 'legacy';
  const frame = FRAMES[isLegacy ? 'legacy' : format](typeUrl);
  const head = bundleHead(result, isLegacy);
  const text = format === 'json' ? encodeJson(head) : encodeXml(head, STU3.definitions);
  if (page.rows.length === 0) {
    const hasEntry = isLegacy && !result.search.isCountOnly;
    return hasEntry ? `${text.slice(0, -frame.headEnd)},"entry":[]}` : text;
  }
  const templates = edition.templates[format];
  const { codes } = edition.index;
  writer.start();
  writer.text(text.slice(0, text.length - frame.headEnd));
  writer.bytes(frame.open);
  for (const [i, row] of page.rows.entries()) {
    writer.bytes(i === 0 ? frame.beforeCode : frame.betweenEntries);
    writer.range(codes.bytes, codes.starts[row]!, codes.starts[row + 1]!);
    writer.bytes(frame.afterCode);
    writer.body(templates, row);
  }
  writer.bytes(frame.end);
  return writer.finish();
}

/** The bytes around entries; codes are letters and digits, so they need no escapes. */
interface Frame {
  /** How many characters at the end of the Bundle without entries come after the entries. */
  readonly headEnd: number;
  readonly open: Uint8Array;
  readonly beforeCode: Uint8Array;
  readonly afterCode: Uint8Array;
  /** From the end of one resource to the code of the next. */
  readonly betweenEntries: Uint8Array;
  /** From the end of the last resource on. */
  readonly end: Uint8Array;
}

/** By address, of which there are as many as services. */
const FRAMES = {
  json: memoize(jsonFrame),
  legacy: memoize(legacyFrame),
  xml: memoize(xmlFrame),
};

function jsonFrame(typeUrl: string): Frame {
  return jsonFrameWith(typeUrl, ',"search":{"mode":"match"}}');
}

function legacyFrame(typeUrl: string): Frame {
  return jsonFrameWith(typeUrl, '}');
}

function jsonFrameWith(typeUrl: string, close: string): Frame {
  const beforeCode = `{"fullUrl":${JSON.stringify(`${typeUrl}/`).slice(0, -1)}`;
  return {
    headEnd: '}'.length,
    open: Buffer.from(',"entry":['),
    beforeCode: Buffer.from(beforeCode),
    afterCode: Buffer.from('","resource":'),
    betweenEntries: Buffer.from(`${close},${beforeCode}`),
    end: Buffer.from(`${close}]}`),
  };
}

function xmlFrame(typeUrl: string): Frame {
  const url = encodeXml(bundleOf([{ fullUrl: `${typeUrl}/` }]), STU3.definitions);
  const close = '</resource><search><mode value="match"/></search></entry>';
  const beforeCode = url.slice(url.indexOf('<entry>'), url.indexOf('"/></entry>'));
  return {
    headEnd: '</Bundle>'.length,
    open: Buffer.from(''),
    beforeCode: Buffer.from(beforeCode),
    afterCode: Buffer.from(`"/><resource>${XML_NESTED}`),
    betweenEntries: Buffer.from(close + beforeCode),
    end: Buffer.from(`${close}</Bundle>`),
  };
}

function bundleHead(result: SearchResult, isLegacy: boolean) {
  const { search, page, edition, identity } = result;
  const link = links(result);
  return {
    resourceType: 'Bundle',
    id: identity.id,
    meta: { lastUpdated: edition.publishedAt },
    type: 'searchset',
    total: isLegacy ? String(page.total) : page.total,
    ...(isLegacy && search.isCountOnly ? {} : { link }),
  };
}

/** `self`, and where there is more than one page the ways to the others. */
function links({ search, page, edition, typeUrl, identity }: SearchResult) {
  const self = { relation: 'self', url: `${typeUrl}?${identity.query}` };
  if (search.isCountOnly) return [self];
  const lastPage = Math.max(1, Math.ceil(page.total / search.count));
  const here = search.page;
  if (lastPage === 1 && here === 1) return [self];
  const query = linkQuery(search, edition.number);
  const link = (relation: string, number: number) => ({
    relation,
    url: `${typeUrl}?${query(number)}`,
  });
  return [
    self,
    link('first', 1),
    ...(here > 1 ? [link('previous', Math.min(here - 1, lastPage))] : []),
    ...(here < lastPage ? [link('next', here + 1)] : []),
    link('last', lastPage),
  ];
}

/** The self link names the edition only where the request did. */
function selfLink(search: Search, edition: Edition): (page: number) => string {
  return linkQuery(search, search.edition === undefined ? undefined : edition.number);
}

/**
 * The queries of links by page: what was used of the request in its order, with the size and
 * number of the page, and the edition where it is to be named.
 */
function linkQuery(search: Search, edition: number | undefined): (page: number) => string {
  const paging = new Map<string, string>();
  if (search.isCountOnly) {
    paging.set('_summary', 'count');
  } else {
    paging.set('_count', String(search.count));
    paging.set('_page', PAGE_PLACE);
  }
  if (edition !== undefined) paging.set('_edition', String(edition));
  let query = '';
  for (const { name, text } of search.pairs) {
    if (!PAGING_NAMES.has(name)) {
      query = joined(query, text);
    } else if (paging.has(name)) {
      query = joined(query, `${name}=${paging.get(name)}`);
      paging.delete(name);
    }
  }
  for (const [name, value] of paging) query = joined(query, `${name}=${value}`);
  const place = query.indexOf(PAGE_PLACE);
  if (place < 0) return () => query;
  const before = query.slice(0, place);
  const after = query.slice(place + PAGE_PLACE.length);
  return (page) => before + page + after;
}

function joined(query: string, pair: string): string {
  return query === '' ? pair : `${query}&${pair}`;
}

/** Stands for the number of the page; percent-encoded text never holds it. */
const PAGE_PLACE = '<page>';

const PAGING_NAMES = new Set(['_count', '_page', '_edition', '_summary']);

function bundleOf(entry: readonly object[]) {
  return { resourceType: 'Bundle', entry };
}
