/** Scripts for ORD, as the R packages odsR and NHSRtools have them: pages by Limit and Offset. */
import { type OrdRow, ordError, ordSearch } from './ord-payloads.ts';

/** odsR: the first page without Offset, then Offset in steps of Limit, up to the total. */
export async function searchByTotal(base: string, query: string, limit: number): Promise<OrdRow[]> {
  const first = await search(base, `${query}&Limit=${limit}`);
  const rows = [...first.rows];
  for (let offset = limit; offset < first.total; offset += limit) {
    rows.push(...(await search(base, `${query}&Limit=${limit}&Offset=${offset}`)).rows);
  }
  return rows;
}

/** NHSRtools: pages until one has fewer rows than the limit. */
export async function searchUntilShort(
  base: string,
  query: string,
  limit: number,
): Promise<OrdRow[]> {
  const rows: OrdRow[] = [];
  for (;;) {
    const offset = rows.length === 0 ? '' : `&Offset=${rows.length}`;
    const page = await search(base, `${query}&Limit=${limit}${offset}`);
    rows.push(...page.rows);
    if (page.rows.length < limit) return rows;
  }
}

async function search(base: string, query: string) {
  const response = await fetch(`${base}/organisations?${query}`, {
    headers: { Accept: 'application/json, text/xml, application/xml, */*' },
  });
  const body: unknown = await response.json();
  if (!response.ok) throw new Error(ordError.parse(body).errorText);
  return {
    rows: ordSearch.parse(body).Organisations,
    total: Number(response.headers.get('X-Total-Count')),
  };
}
