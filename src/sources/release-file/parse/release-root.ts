/** Checks that an XML file is a national release: its root element, namespace and encoding. */
import { SourceError } from '../../../directory/import/source.ts';
import type { StartTag } from '../../../fhir/format/xml-tokenizer/tag.ts';
import { ParseError } from '../parse-error.ts';
import { quoted } from '../source-text.ts';

/** Throws unless the tag is the root of a release file in the supported version. */
export function checkRoot(tag: StartTag, encoding: string | undefined, fileName: string): void {
  const { qualified, local } = tag.name;
  if (/^html$/i.test(qualified)) throw webPage(fileName);
  if (encoding !== undefined && !/^(utf-?8|us-ascii)$/i.test(encoding)) {
    throw new ParseError(`the XML declaration says ${quoted(encoding)}, but a release is in UTF-8`);
  }
  if (local !== 'OrgRefData') {
    throw new SourceError(
      `${fileName} is not a release file: its root element is ${quoted(qualified)} instead of ` +
        'HSCOrgRefData:OrgRefData. Give the file as TRUD item 341 has it.',
    );
  }
  if (tag.namespace === RELEASE_NAMESPACE) return;
  throw new SourceError(
    `${fileName} is in the namespace ${quoted(tag.namespace)}, and this program reads ` +
      `${RELEASE_NAMESPACE}: fetch the release in that version.`,
  );
}

/** A browser or script saves such a page when the server requires a log-in. */
export function webPage(fileName: string): SourceError {
  return new SourceError(
    `${fileName} is a web page (HTML), perhaps a log-in page, and not a release: log in to TRUD, ` +
      'fetch item 341 again, and give the zip.',
  );
}

const RELEASE_NAMESPACE = 'http://refdata.hscic.gov.uk/org/v2-0-0';
