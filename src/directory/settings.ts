/** The settings of the directory service; `config/` gives them their values. */

/** URIs appear in answers as they are here; changing one needs no new import. */
export interface DirectorySettings {
  /** `fhir`: arrays where FHIR has arrays. `legacy`: the form of the retired national service. */
  readonly json: 'fhir' | 'legacy';
  /** The largest `_count`, and the page size where there is none is 20 or this if it is less. */
  readonly countMax: number;
  /** How long the pages of a replaced edition can still be followed. */
  readonly graceMinutes: number;
  /** The most editions in memory, the current one included. */
  readonly editionsInMemory: number;
  /** The Cache-Control of answers; none where it is not set. */
  readonly cacheControl: string | undefined;
  /** From this size on bodies are sent in gzip to clients that take it; 0: never. */
  readonly gzipMinBytes: number;
  readonly organizationCodeSystem: string;
  readonly organizationProfile: string;
  readonly activePeriodUrl: string;
  readonly dateTypeUrl: string;
  readonly roleUrl: string;
  /** The url of the sub-extension that marks the primary role: `primaryRole` or `primaryrole`. */
  readonly primaryRoleUrl: string;
  readonly roleSystem: string;
  readonly recordClassSystem: string;
  readonly uprnUrl: string;
}
