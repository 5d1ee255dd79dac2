/** The settings of the pages; `config/` gives them their values. */

export interface PageSettings {
  /** The name of the service, as every page shows it. */
  readonly name: string;
  /** The file of an image beside the name of the service: SVG, PNG or WebP. */
  readonly logo: string | undefined;
  /** Where an address is shown on a map; `{query}` stands for the postcode. `off`: nowhere. */
  readonly mapUrl: string;
}
