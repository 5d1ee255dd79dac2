/** Programs that read reports of the national service, each in its own way. */
import { readFileSync, writeFileSync } from 'node:fs';

/** A feed of a hospital system: it refuses rows that do not have exactly 27 columns. */
export function importGpPractices(
  csv: string,
): Map<string, { name: string; commissioner: string }> {
  const practices = new Map<string, { name: string; commissioner: string }>();
  for (const row of parseRows(csv)) {
    if (row.length !== 27) throw new Error(`expected 27 columns, got ${row.length}`);
    const [code, name] = row;
    const roles = row[25]?.split('|') ?? [];
    if (!roles.includes('RO76')) continue;
    practices.set(String(code), { name: String(name), commissioner: row[14] ?? '' });
  }
  if (practices.size === 0) throw new Error('no GP practice in the feed');
  return practices;
}

/** A dashboard: it counts practices by status, and knows only the words of today. */
export function countByStatus(csv: string): Record<'ACTIVE' | 'INACTIVE', number> {
  const counts = { ACTIVE: 0, INACTIVE: 0 };
  for (const line of csv.trimEnd().split(/\r?\n/)) {
    const status = line.slice(1, -1).split('","').at(12);
    if (status !== 'ACTIVE' && status !== 'INACTIVE') throw new Error(`unknown status ${status}`);
    counts[status] += 1;
  }
  return counts;
}

/** A job that runs each day: it keeps its file, unless it gets a newer one that is CSV. */
export async function fetchDaily(
  url: string,
  file: string,
  etag?: string,
): Promise<{ isNew: boolean; etag: string | undefined }> {
  const response = await fetch(url, {
    headers: { 'User-Agent': 'organisation-refresh/3.1', ...(etag && { 'If-None-Match': etag }) },
  });
  if (response.status === 304) return { isNew: false, etag };
  if (!response.ok) throw new Error(`HTTP ${response.status}: ${await response.text()}`);
  const [type] = (response.headers.get('content-type') ?? '').split(';');
  if (type !== 'text/csv') throw new Error(`expected text/csv, got ${type}`);
  writeFileSync(file, new Uint8Array(await response.arrayBuffer()));
  if (!readFileSync(file, 'utf8').startsWith('"')) throw new Error('the first line is not data');
  return { isNew: true, etag: response.headers.get('etag') ?? undefined };
}

export interface PracticeChain {
  /** The code that is in use now. */
  readonly practice: string;
  readonly network: string;
  readonly subIcb: string;
}

/** A script that follows old codes of practices to the networks and sub-ICBs of today. */
export class PracticeChains {
  #successors = new Map<string, string>();
  #networks = new Map<string, { network: string; subIcb: string }>();

  static async load(getReport: string): Promise<PracticeChains> {
    const [partners, recent, archive] = await Promise.all(
      ['epcncorepartnerdetails', 'succ', 'succarc'].map(async (report) => {
        const response = await fetch(`${getReport}?report=${report}`);
        if (!response.ok) throw new Error(`${report}: ${response.status}`);
        return parseRows(await response.text());
      }),
    );
    const chains = new PracticeChains();
    for (const [from = '', to = '', , , ...others] of [...(archive ?? []), ...(recent ?? [])]) {
      if (others.length !== 1) throw new Error('expected five columns');
      chains.#successors.set(from, to);
    }
    for (const row of partners ?? []) {
      const [practice = '', , practiceSubIcb = '', , network = '', , networkSubIcb = ''] = row;
      if (row[9] !== '') continue;
      const subIcb = networkSubIcb || practiceSubIcb;
      chains.#networks.set(practice, { network, subIcb });
    }
    return chains;
  }

  follow(code: string): PracticeChain | undefined {
    const seen = new Set([code]);
    let practice = code;
    for (let next = this.#successors.get(practice); next !== undefined && !seen.has(next); ) {
      practice = next;
      seen.add(practice);
      next = this.#successors.get(practice);
    }
    const found = this.#networks.get(practice);
    return found && { practice, ...found };
  }
}

/** Reads RFC 4180 character by character. */
function parseRows(csv: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let at = 0; at < csv.length; at++) {
    const letter = csv.charAt(at);
    if (isQuoted) {
      if (letter !== '"') cell += letter;
      else if (csv.charAt(at + 1) === '"') {
        cell += '"';
        at += 1;
      } else isQuoted = false;
    } else if (letter === '"') isQuoted = true;
    else if (letter === ',' || letter === '\n') {
      row.push(cell);
      cell = '';
      if (letter === ',') continue;
      rows.push(row);
      row = [];
    } else if (letter !== '\r') cell += letter;
  }
  return rows;
}
