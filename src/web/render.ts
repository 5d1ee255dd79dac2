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
  return (template, data) => environment.render(template, data);
}
