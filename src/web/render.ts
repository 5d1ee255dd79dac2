/** Makes pages from templates: those of `templates/`, and of the design system. */
import { fileURLToPath } from 'node:url';
import nunjucks from 'nunjucks';
import type { AssetName } from './parts/assets.ts';
import { libraryFile } from './parts/libraries.ts';
import type { WebContext } from './parts/web-options.ts';

/** Makes a page from a template and its data. Throws an error of the template. */
export type Render = (template: string, data: object) => string;

const OWN_TEMPLATES = fileURLToPath(new URL('./templates/', import.meta.url));

/** Makes pages of a server. */
export function createRender({
  settings,
  interfaces,
  addresses,
  assets,
}: Pick<WebContext, 'settings' | 'interfaces' | 'addresses' | 'assets'>): Render {
  const render = openTemplates();
  const shared = {
    service: settings.name,
    logo: assets.hasLogo ? addresses.base + assets.pathOf('logo') : undefined,
    interfaces,
    addresses,
    asset: (name: AssetName) => addresses.base + assets.pathOf(name),
  };
  return (template, data) => render(template, { ...shared, ...data });
}

/** The templates, whose data also has what all pages show. */
export function openTemplates(): Render {
  const loader = new nunjucks.FileSystemLoader([
    OWN_TEMPLATES,
    libraryFile('nhsuk-frontend', 'dist'),
  ]);
  const environment = new nunjucks.Environment(loader, {
    autoescape: true,
    trimBlocks: true,
    lstripBlocks: true,
  });
  return (template, data) => asHtml(environment.render(template, data));
}

/**
 * Has U+FFFD in place of each character that HTML does not allow: what a visitor typed, and names of
 * organisations, can have them.
 */
function asHtml(page: string): string {
  return MAY_BE_NOT_HTML.test(page) ? page.replace(NOT_HTML, '\u{FFFD}') : page;
}

/** https://html.spec.whatwg.org/#preprocessing-the-input-stream */
const NOT_HTML = /[\p{Noncharacter_Code_Point}[\p{Cc}--[\t\n\f\r]]]/gv;

/** Finds all of them and few others, in a fifth of the time: pages of a resource have a megabyte. */
const MAY_BE_NOT_HTML = /[^\t\n\f\r -~\xa0-\ud83e\udc00-\ufdcf\ufdf0-\ufffd]/;
