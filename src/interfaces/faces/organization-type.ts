/** The type Organization of a face: read by code, and search. */

import { unknownRole } from '../../directory/ask/role-words.ts';
import { versionIdOf } from '../../directory/edition/kept-changes.ts';
import { findRow } from '../../directory/edition/source-record.ts';
import type { Definitions } from '../../fhir/definitions/definitions.ts';
import type { Form } from '../../fhir/http/negotiate.ts';
import { read, vreadCurrent } from '../../fhir/interactions/read.ts';
import { searchType, searchTypeByForm } from '../../fhir/interactions/search-type.ts';
import type { SearchRequest } from '../../fhir/search/parameter.ts';
import { encodeBody } from '../../fhir/service/answer.ts';
import type { ServedType, TypeContext } from '../../fhir/service/interaction.ts';
import type { OpenPieces, Representation } from '../../fhir/service/representation.ts';
import type { ByteWriter } from '../answer/byte-writer.ts';
import { currentOf, type Editions, longAnswersOf, numberedOf } from '../answer/editions.ts';
import { writerOf } from './organisation-writer.ts';
import {
  type RenderedEdition,
  type ServedFace,
  XML_DECLARATION,
  XML_ROOT,
} from './rendered-edition.ts';
import { hasPlainEntries, isLargePage, LARGE_PAGES, notesOnPage, offsetOf } from './search.ts';
import { createSearchsets, identityOf, type SearchResult } from './searchset.ts';

export function organizationType(served: ServedFace, editions: Editions): ServedType {
  const { face, settings, baseUrl } = served;
  const typeUrl = `${baseUrl}/Organization`;
  const parts = { served, editions, typeUrl, writer: writerOf(editions) };
  return {
    name: 'Organization',
    profile: face.profileOf(settings),
    documentation: 'The organisations of the directory, by their codes.',
    notFound: face.notFound,
    interactions: [
      read,
      ...(face.isComplete === true ? [vreadCurrent] : []),
      searchType,
      searchTypeByForm,
    ],
    read: createRead(parts),
    search: {
      parameters: face.searchParameters,
      combinations: face.searchCombinations,
      ...(face.reverseIncludes !== undefined && { reverseIncludes: face.reverseIncludes }),
      run: createSearch(parts),
    },
  };
}

/** The data that reads and searches share. */
interface Parts {
  readonly served: ServedFace;
  readonly editions: Editions;
  readonly typeUrl: string;
  readonly writer: ByteWriter;
}

function createRead({ served, editions, typeUrl, writer }: Parts) {
  const {
    version: { definitions },
    isComplete = false,
  } = served.face;
  const release = (body: Uint8Array) => writer.release(body);
  return ({ id, version }: TypeContext, form: Form): Representation | undefined => {
    const rendered = served.render(currentOf(editions));
    const key = `${formKey(form)}/${id}/${version}`;
    const known = rendered.reads.get(key);
    if (known !== undefined) return known;
    const found = findRow(rendered, id);
    if (found === undefined) return undefined;
    const { row, code } = found;
    const current = versionIdOf(rendered.edition.changedIn(row));
    if (version !== '' && version !== current) return undefined;
    const url = `${typeUrl}/${code}`;
    const contentLocation = isComplete ? `${url}/_history/${current}` : url;
    const representation: Representation = {
      etag: rendered.etagOf(row, form.format),
      lastModified: rendered.lastModifiedOf(row),
      ...((isComplete || code !== id) && { contentLocation }),
      body: () => organizationBody(rendered, row, form, writer, definitions),
      release,
    };
    return rendered.reads.note(key, representation);
  };
}

function createSearch({ served, editions, typeUrl, writer }: Parts) {
  const { face, settings, baseUrl } = served;
  const { definitions } = face.version;
  const release = (body: Uint8Array) => writer.release(body);
  const postcodesOf = () => editions.current()?.postcodes;
  const parseSearch = face.createSearchParser(settings, baseUrl, postcodesOf, (role) => {
    const edition = editions.current();
    return edition && unknownRole(edition, role);
  });
  const searchsets = createSearchsets(served, typeUrl, writer);

  const search = (request: SearchRequest) => {
    const { form } = request;
    const parsed = parseSearch(request);
    const edition = numberedOf(editions, parsed.edition, `_edition and ${parsed.paging.parameter}`);
    const rendered = served.render(edition);
    const identity = identityOf(parsed, rendered, form);
    const notes = notesOnPage(parsed, () => parsed.notesOf?.(edition) ?? []);
    const hasIncluded = parsed.include !== undefined;
    const find = () => {
      const page =
        parsed.find?.(edition) ??
        edition.index.search(parsed.query, offsetOf(parsed), parsed.count);
      const included = parsed.include?.(edition, page.rows) ?? [];
      return { identity, search: parsed, page, included, notes, rendered };
    };
    const pieces: OpenPieces = (...asked) => {
      let result: SearchResult | undefined;
      const found = () => {
        result ??= find();
        return result;
      };
      const open = longAnswersOf(editions).pieces({
        kind: LARGE_PAGES,
        key: { owner: edition, name: `${face.name} Organization ${identity.etag}` },
        isShort: () => !isLargePage({ count: found().page.rows.length }, hasIncluded),
        make: () => searchsets.pieces(found(), form),
      });
      return open(...asked);
    };
    const representation: Representation = {
      etag: identity.etag,
      lastModified: rendered.publishedDate,
      ...(parsed.hasIgnored && { preferenceApplied: 'handling=lenient' }),
      release,
      body: () => {
        const result = find();
        const isPlain = !form.isPretty && notes.length === 0 && hasPlainEntries(parsed);
        if (isPlain) return searchsets.write(result, form.format);
        return encodeBody(searchsets.resource(result, form.format), form, definitions);
      },
      ...(isLargePage(parsed, hasIncluded) && { pieces }),
    };
    return { edition, representation };
  };

  return (request: SearchRequest): Representation => {
    const newest = currentOf(editions);
    const { results } = served.render(newest);
    const { query, isLenient, form } = request;
    const key = `${formKey(form)}${isLenient ? ' lenient' : ''}?${query}`;
    const known = results.get(key);
    if (known !== undefined) return known;
    const { edition, representation } = search(request);
    // Not kept for an older edition, because the answer must not outlive its grace period.
    const isKept = edition === newest && representation.pieces === undefined;
    return isKept ? results.note(key, representation) : representation;
  };
}

/** Begins the key of a kept answer. */
function formKey({ format, isPretty }: Form): string {
  return isPretty ? `${format} pretty` : format;
}

function organizationBody(
  rendered: RenderedEdition,
  row: number,
  form: Form,
  writer: ByteWriter,
  definitions: Definitions,
): Uint8Array | string {
  const { templates } = rendered;
  const { format } = form;
  if (form.isPretty) {
    const resource = format === 'json' ? rendered.jsonAt(row) : rendered.organizationAt(row);
    return encodeBody(resource, form, definitions);
  }
  writer.start();
  if (format === 'xml') writer.text(XML_DECLARATION + XML_ROOT);
  writer.template(templates[format], row);
  return writer.finish();
}
