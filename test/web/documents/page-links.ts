/** The links of HTML pages, and which of them lead nowhere. */

/** The page of an address, or the fact that a file is there; undefined if nothing is. */
export type Look = (path: string) => Promise<string | undefined>;

/** The links within the site that lead to no file, page or anchor, each once. */
export async function deadLinks(pages: readonly string[], look: Look): Promise<string[]> {
  const seen = new Map<string, Promise<string | undefined>>();
  const open = (path: string) => {
    const known = seen.get(path) ?? look(path);
    seen.set(path, known);
    return known;
  };
  const dead = new Set<string>();
  for (const page of pages) {
    const html = await open(page);
    if (html === undefined) dead.add(page);
    for (const link of linksIn(html ?? '')) {
      const { pathname, hash, host } = new URL(link, `http://site${page}`);
      if (host !== 'site') continue;
      const target = await open(pathname);
      const anchor = decodeURIComponent(hash.slice(1));
      const isThere = target !== undefined && (anchor === '' || target.includes(` id="${anchor}"`));
      if (!isThere) dead.add(`${page} → ${link}`);
    }
  }
  return [...dead];
}

export function linksIn(html: string): string[] {
  return [...html.matchAll(/ (?:href|src|action)="([^"]*)"/g)].map(([, link = '']) =>
    link.replaceAll('&amp;', '&'),
  );
}
