/** Reads the difference of an edition to the one before from a database. */
import { inflateSync } from 'node:zlib';
import type { RoleDifference } from '../../../directory/edition/difference.ts';
import type { ChangeKind, DifferenceCounts } from '../../../directory/edition/edition-history.ts';
import type { EditionDifference } from '../../../directory/edition/edition-store.ts';
import type { Connection } from '../connection/connection.ts';
import type { EditionList } from './edition-list.ts';
import { differenceChecksum } from './edition-rows.ts';

export async function readDifference(
  connection: Connection,
  catalogue: EditionList,
  number: number,
): Promise<EditionDifference | undefined> {
  const counts = await readDifferenceCounts(connection, catalogue, number);
  if (counts === undefined) return undefined;
  const codes = async (kind: ChangeKind) => {
    const list = await readCodeList(connection, number, kind);
    return list === '' ? [] : list.split('\n');
  };
  return {
    ...counts,
    added: await codes('added'),
    changed: await codes('changed'),
    removed: await codes('removed'),
  };
}

/** The difference without the codes. */
export async function readDifferenceCounts(
  connection: Connection,
  catalogue: EditionList,
  number: number,
): Promise<DifferenceCounts | undefined> {
  const row = catalogue.row(number);
  if (row === undefined) return undefined;
  const text = await readText(connection, number, 'by-role');
  const byRole: RoleDifference[] = text === '' ? [] : JSON.parse(text);
  return row.compared_to === null ? { byRole } : { byRole, comparedTo: row.compared_to };
}

/** The codes of one kind, ascending, one on each line. */
export async function readCodeList(
  connection: Connection,
  number: number,
  kind: ChangeKind,
): Promise<string> {
  return await readText(connection, number, kind);
}

/** The findings of the rows of one edition, as sentences. */
export async function differenceFindings(
  connection: Connection,
  number: number,
): Promise<readonly string[]> {
  const rows = await connection.query(
    'SELECT kind, content, checksum FROM edition_difference WHERE edition = $1 ORDER BY kind',
    [number],
  );
  const missing =
    rows.length < KIND_COUNT ? [`edition ${number}: a list of changed codes is missing`] : [];
  return rows
    .flatMap(({ kind, content, checksum }) =>
      soundContent({ edition: number, kind: String(kind), content, checksum }) === undefined
        ? [`edition ${number}: the list of codes that it ${kind} was changed`]
        : [],
    )
    .concat(missing);
}

/** Three kinds of changes, and the counts by role. */
const KIND_COUNT = 4;

/** Empty where the row is missing or damaged. */
async function readText(
  connection: Connection,
  edition: number,
  kind: ChangeKind | 'by-role',
): Promise<string> {
  const [row] = await connection.query(
    'SELECT content, checksum FROM edition_difference WHERE edition = $1 AND kind = $2',
    [edition, kind],
  );
  const content =
    row && soundContent({ edition, kind, content: row.content, checksum: row.checksum });
  return content === undefined ? '' : inflateSync(content).toString('latin1');
}

function soundContent(row: {
  readonly edition: number;
  readonly kind: string;
  readonly content: unknown;
  readonly checksum: unknown;
}): Uint8Array | undefined {
  const { edition, kind, content, checksum } = row;
  if (!(content instanceof Uint8Array)) return undefined;
  return differenceChecksum({ edition, kind, content }) === Number(checksum) ? content : undefined;
}
