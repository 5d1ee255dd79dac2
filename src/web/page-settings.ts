/** The settings of the pages; `config/` gives them their values. */

export interface PageSettings {
  /** The name of the service, as every page shows it. */
  readonly name: string;
  /** An image in place of the plain header, or nothing: a file, SVG, PNG or WebP. */
  readonly logo: string | undefined;
  /** Where an address is shown on a map; `{query}` stands for the postcode. `off`: nowhere. */
  readonly mapUrl: string;
}
