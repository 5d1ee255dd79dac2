/** A page of a search as a searchset Bundle: https://hl7.org/fhir/bundle.html#searchset */
import { hash } from 'node:crypto';
import type { Edition } from '../../directory/edition/edition.ts';
import type { Page } from '../../directory/index/search-index.ts';
import type { Definitions } from '../../fhir/definitions/definitions.ts';
import { encodeJson } from '../../fhir/format/json.ts';
import { encodeXml } from '../../fhir/format/xml.ts';
import type { Form, Format } from '../../fhir/http/negotiate.ts';
import {
  bundlePieces,
  ENTRIES_AT_ONCE,
  encodeEntries,
  joined,
} from '../../fhir/service/bundle-pieces.ts';
import type { ByteWriter, Entries } from '../answer/byte-writer.ts';
import type { ResourceObject } from '../answer/resource-parts.ts';
import type { Templates } from '../answer/templates.ts';
import { uuidOfDigits } from '../answer/uuid.ts';
import { type SearchsetForm, STANDARD_SEARCHSET } from './face.ts';
import { type RenderedEdition, type ServedFace, XML_NESTED } from './rendered-edition.ts';
import {
  hasPlainEntries,
  type IncludedResource,
  type PagedSearch,
  type Search,
  searchLinks,
  selfQueryOf,
} from './search.ts';

/** A page of matches of any type. */
export interface PagedResult {
  readonly identity: ResultIdentity;
  readonly search: PagedSearch;
  readonly page: Page;
  readonly rendered: Pick<RenderedEdition, 'edition'>;
}

/** A page of organisations, before it is written. */
export interface SearchResult extends PagedResult {
  readonly search: Search;
  /** Read only once. Only `pieces` writes them. */
  readonly included: Iterable<IncludedResource>;
  /** What the client should know besides the matches. Only `resource` and `pieces` write them. */
  readonly notes?: readonly string[];
  readonly rendered: RenderedEdition;
}

export interface ResultIdentity {
  /** A UUID version 5 of edition and query. */
  readonly id: string;
  /** A hash of edition, query and format. */
  readonly etag: string;
  /** The query of the self link: the parameters that were used. */
  readonly query: string;
}

/** Writes Bundles of one face. */
export interface Searchsets {
  /** The whole Bundle as a resource for the codec. Slower than `write`. */
  resource(result: SearchResult, format: Format): ResourceObject;
  /** The same Bundle in compact form, written from templates. */
  write(result: SearchResult, format: Format): Uint8Array | string;
  /** The same Bundle and its included resources in pieces. */
  pieces(result: SearchResult, form: Form): Iterable<Uint8Array>;
}

/** The same search in the same edition has the same identity, which needs no search. */
export function identityOf(
  search: PagedSearch,
  { fingerprint, edition }: Pick<RenderedEdition, 'fingerprint' | 'edition'>,
  form: Form,
): ResultIdentity {
  const query = selfQueryOf(search, edition.number);
  const ignored = (search.emptyNames ?? []).map((name) => `&${name}=`).join('');
  const digits = hash('sha1', fingerprint + query + ignored, 'hex');
  const pretty = form.isPretty ? '-pretty' : '';
  const etag = `W/"${digits.slice(0, 20)}-${form.format}${pretty}"`;
  return { id: uuidOfDigits(digits), etag, query };
}

/** `typeUrl` is the address of the type: `{base}/Organization`. */
export function createSearchsets(
  { face, settings }: Pick<ServedFace, 'face' | 'settings'>,
  typeUrl: string,
  writer: ByteWriter,
): Searchsets {
  const { definitions } = face.version;
  const formOf = (format: Format) =>
    format === 'json' ? face.jsonFormOf(settings).searchset : STANDARD_SEARCHSET;
  const forms = { json: formOf('json'), xml: formOf('xml') };
  const frames = { json: jsonFrame(typeUrl, forms.json), xml: xmlFrame(typeUrl, definitions) };
  const entriesOf = createEntriesOf();
  const entryMaker =
    ({ rendered, search }: SearchResult, format: Format) =>
    (row: number) => {
      const { shown = (whole) => whole } = search;
      return {
        fullUrl: `${typeUrl}/${rendered.edition.links.codeOf(row)}`,
        resource: shown(format === 'json' ? rendered.jsonAt(row) : rendered.organizationAt(row)),
        ...searchOf(search, rendered.edition, row, forms[format]),
      };
    };

  return {
    resource: (result, format) => {
      const form = forms[format];
      const matches = result.page.rows.map(entryMaker(result, format));
      const entry = [matches, outcomeEntries(result.notes ?? [])].flat();
      const hasEntry = entry.length > 0 || showsNoEntries(result, form);
      return { ...bundleHead(result, form, typeUrl), ...(hasEntry && { entry }) };
    },
    pieces: (result, form) => {
      const { page, search, included } = result;
      const { format, isPretty } = form;
      const head = {
        ...bundleHead(result, forms[format], typeUrl),
        ...(showsNoEntries(result, forms[format]) && { entry: [] }),
      };
      const encode = (entries: Iterable<object>) => encodeEntries(entries, form, definitions);
      const matches =
        !isPretty && hasPlainEntries(search)
          ? writtenParts(entriesOf(result.rendered, format, frames[format]), page.rows, writer)
          : encode(page.rows.values().map(entryMaker(result, format)));
      const others = joined(
        Iterator.from(included).map(includedEntry),
        outcomeEntries(result.notes ?? []),
      );
      const entries = joined<Uint8Array | string>(matches, encode(others));
      return bundlePieces(head, entries, form, definitions);
    },
    write: (result, format) => {
      const form = forms[format];
      const frame = frames[format];
      const { page, rendered } = result;
      const head = bundleHead(result, form, typeUrl);
      const text = format === 'json' ? encodeJson(head) : encodeXml(head, definitions);
      if (page.rows.length === 0) {
        return showsNoEntries(result, form) ? `${text.slice(0, -frame.headEnd)},"entry":[]}` : text;
      }
      const entries = entriesOf(rendered, format, frame);
      writer.start();
      writer.text(text.slice(0, text.length - frame.headEnd));
      writer.bytes(frame.open);
      writer.entries(entries, page.rows);
      writer.bytes(frame.end);
      return writer.finish();
    },
  };
}

/** Creates a function that gives the entries of an edition, made once for its templates. */
function createEntriesOf(): (rendered: RenderedEdition, format: Format, frame: Frame) => Entries {
  const known = new WeakMap<Templates, Entries>();
  return ({ edition, templates }, format, frame) => {
    const entries = known.get(templates[format]) ?? entriesIn(frame, edition, templates[format]);
    known.set(templates[format], entries);
    return entries;
  };
}

/** The entries of the rows, some at once. */
function* writtenParts(entries: Entries, rows: readonly number[], writer: ByteWriter) {
  for (let start = 0; start < rows.length; start += ENTRIES_AT_ONCE) {
    writer.start();
    writer.entries(entries, rows.slice(start, start + ENTRIES_AT_ONCE));
    const written = writer.finish();
    const part = Buffer.from(written);
    writer.release(written);
    yield part;
  }
}

/** `search` in the entry of a match, unless it would be empty. */
function searchOf(
  { extensionsOf }: Search,
  edition: Edition,
  row: number,
  { hasSearchMode }: SearchsetForm,
): { readonly search?: object } {
  const extension = extensionsOf?.(edition, row) ?? [];
  if (extension.length === 0 && !hasSearchMode) return {};
  return {
    search: {
      ...(extension.length > 0 && { extension }),
      ...(hasSearchMode && { mode: 'match' }),
    },
  };
}

/** The entry of a resource that the results refer to. */
export function includedEntry({ fullUrl, resource }: IncludedResource): object {
  return { fullUrl, resource, search: { mode: 'include' } };
}

/** https://hl7.org/fhir/R4/search.html#outcome */
export function outcomeEntries(notes: readonly string[]): readonly object[] {
  if (notes.length === 0) return [];
  const issue = notes.map((diagnostics) => ({
    severity: 'warning',
    code: 'code-invalid',
    diagnostics,
  }));
  return [{ resource: { resourceType: 'OperationOutcome', issue }, search: { mode: 'outcome' } }];
}

function showsNoEntries({ search }: SearchResult, form: SearchsetForm): boolean {
  return form.hasEmptyEntry && !search.isCountOnly;
}

/** A Bundle without its entries. */
export function bundleHead(
  { search, page, rendered: { edition }, identity }: PagedResult,
  form: SearchsetForm,
  typeUrl: string,
): ResourceObject {
  const hasLinks = form.hasLinksWithCount || !search.isCountOnly;
  const link = searchLinks({
    search,
    typeUrl,
    selfQuery: identity.query,
    total: page.total,
    editionNumber: edition.number,
  });
  return {
    resourceType: 'Bundle',
    id: identity.id,
    meta: { lastUpdated: edition.publishedAt },
    type: 'searchset',
    total: form.isTotalText ? String(page.total) : page.total,
    ...(hasLinks && { link }),
  };
}

/** Entries of organisations as a Bundle has them. */
function entriesIn(frame: Frame, { index, links }: Edition, templates: Templates): Entries {
  const { codes, count } = index;
  return {
    rowCount: templates.rows,
    separator: frame.separator,
    write: (row, writer) => {
      writer.bytes(frame.beforeCode);
      if (row < count) writer.range(codes.bytes, codes.starts[row]!, codes.starts[row + 1]!);
      else writer.text(links.codeOf(row));
      writer.bytes(frame.afterCode);
      writer.template(templates, row);
      writer.bytes(frame.afterResource);
    },
  };
}

/** The bytes around entries. Codes are letters and digits, so they need no escapes. */
interface Frame {
  /** The number of characters after the entries, at the end of a Bundle without entries. */
  readonly headEnd: number;
  readonly open: Uint8Array;
  readonly beforeCode: Uint8Array;
  readonly afterCode: Uint8Array;
  /** From the end of a resource to the end of its entry. */
  readonly afterResource: Uint8Array;
  /** Between two entries. */
  readonly separator: Uint8Array;
  /** From the end of the last entry on. */
  readonly end: Uint8Array;
}

function jsonFrame(typeUrl: string, { hasSearchMode }: SearchsetForm): Frame {
  const close = hasSearchMode ? ',"search":{"mode":"match"}}' : '}';
  const beforeCode = `{"fullUrl":${JSON.stringify(`${typeUrl}/`).slice(0, -1)}`;
  return {
    headEnd: '}'.length,
    open: Buffer.from(',"entry":['),
    beforeCode: Buffer.from(beforeCode),
    afterCode: Buffer.from('","resource":'),
    afterResource: Buffer.from(close),
    separator: Buffer.from(','),
    end: Buffer.from(']}'),
  };
}

function xmlFrame(typeUrl: string, definitions: Definitions): Frame {
  const bundle = { resourceType: 'Bundle', entry: [{ fullUrl: `${typeUrl}/` }] };
  const url = encodeXml(bundle, definitions);
  const close = '</resource><search><mode value="match"/></search></entry>';
  const beforeCode = url.slice(url.indexOf('<entry>'), url.indexOf('"/></entry>'));
  return {
    headEnd: '</Bundle>'.length,
    open: Buffer.from(''),
    beforeCode: Buffer.from(beforeCode),
    afterCode: Buffer.from(`"/><resource>${XML_NESTED}`),
    afterResource: Buffer.from(close),
    separator: Buffer.from(''),
    end: Buffer.from('</Bundle>'),
  };
}
