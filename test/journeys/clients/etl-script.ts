/** A nightly load, as scripts in Python do it: every page of a search into rows of a table. */
import { type LegacyBundle, legacyBundle } from './legacy-payloads.ts';

export interface Row {
  readonly code: string;
  readonly name: string;
  readonly status: 'Active' | 'Inactive';
  readonly city: string;
  readonly postcode: string;
  readonly updated: string;
}

/** Counts pages up until as many rows are there as the first page promised. */
export async function loadByPage(directory: string, query: string): Promise<Row[]> {
  const rows: Row[] = [];
  let total = Number.POSITIVE_INFINITY;
  for (let page = 1; rows.length < total; page += 1) {
    const bundle = await get(`${directory}/Organization?${query}&_count=20&_page=${page}`);
    total = Number.parseInt(bundle.total, 10);
    if (bundle.entry.length === 0 && total > 0) throw new Error(`page ${page} is empty`);
    rows.push(...bundle.entry.map(toRow));
  }
  return rows;
}

/** Follows the links instead, word for word. */
export async function loadByLinks(directory: string, query: string): Promise<Row[]> {
  const rows: Row[] = [];
  let next: string | undefined = `${directory}/Organization?${query}`;
  while (next !== undefined) {
    const bundle: LegacyBundle = await get(next);
    rows.push(...bundle.entry.map(toRow));
    next = bundle.link.find(({ relation }) => relation === 'next')?.url;
  }
  return rows;
}

async function get(url: string): Promise<LegacyBundle> {
  const response = await fetch(url);
  if (response.status !== 200) throw new Error(`${url}: ${response.status}`);
  return legacyBundle.parse(await response.json());
}

function toRow({ resource }: LegacyBundle['entry'][number]): Row {
  const { address } = resource;
  return {
    code: resource.identifier.value,
    name: resource.name,
    status: resource.active ? 'Active' : 'Inactive',
    city: address?.city ?? '',
    postcode: address?.postalCode ?? '',
    updated: resource.meta.lastUpdated.slice(0, 10),
  };
}
