/** One organisation as a file: the address of its page with an ending. */
import { encodeJson } from '../../fhir/format/json.ts';
import { encodeXml } from '../../fhir/format/xml.ts';
import { piecesOf } from '../../interfaces/faces/export-matches.ts';
import type { RenderedEdition } from '../../interfaces/faces/rendered-edition.ts';
import { csvWithRelationships } from '../../interfaces/files/csv.ts';
import { rowOfCode } from '../matches/interpretations.ts';
import { answerText, CSV, editionRoute, PLAIN_TEXT } from '../parts/answers.ts';
import type { PageRoute, WebContext } from '../parts/web-options.ts';

interface OrganizationFile {
  readonly contentType: string;
  readonly text: string;
}

type MakeFile = (rendered: RenderedEdition, row: number, options: WebContext) => OrganizationFile;

/** By ending. To add one, add a line. */
const FILES: Readonly<Record<string, MakeFile>> = {
  json: (rendered, row, options) => ({
    contentType: `${options.face.face.version.mediaTypes.json}; charset=utf-8`,
    text: organizationJson(rendered, row),
  }),
  xml: (rendered, row, options) => ({
    contentType: `${options.face.face.version.mediaTypes.xml}; charset=utf-8`,
    text: organizationXml(rendered, row, options),
  }),
  csv: (rendered, row, { today }) => {
    const format = csvWithRelationships(rendered, undefined, today(), ONE);
    return { contentType: CSV, text: Buffer.concat([...piecesOf(format, [row])]).toString() };
  },
};

const ONE = { count: 1, isComplete: false };

export const ORGANIZATION_ENDINGS: readonly string[] = Object.keys(FILES);

export function organizationJson(rendered: RenderedEdition, row: number): string {
  return encodeJson(rendered.jsonAt(row), { pretty: true });
}

export function organizationXml(
  rendered: RenderedEdition,
  row: number,
  { face }: Pick<WebContext, 'face'>,
): string {
  return encodeXml(rendered.organizationAt(row), face.face.version.definitions, { pretty: true });
}

export function organizationFileRoutes(options: WebContext): readonly PageRoute[] {
  return Object.entries(FILES).map(([ending, make]) =>
    editionRoute(options, `/organizations/{code}.${ending}`, (edition, asked) => {
      const row = rowOfCode(edition, asked.id);
      if (row === undefined) {
        const text = `No organisation has the code ${asked.id}. Check the code.\n`;
        return answerText(asked, PLAIN_TEXT, text, { status: 404 });
      }
      const { contentType, text } = make(options.face.render(edition), row, options);
      return answerText(asked, contentType, text);
    }),
  );
}
