/** The settings of the pages; `config/` gives them their values. */

export interface PageSettings {
  /** The name of the service, as every page shows it. */
  readonly name: string;
  /** The file of an image beside the name of the service: SVG, PNG or WebP. */
  readonly logo: string | undefined;
  /** The URL of the map; `{query}` stands for the postcode. `off`: pages link to no map. */
  readonly mapUrl: string;
}
