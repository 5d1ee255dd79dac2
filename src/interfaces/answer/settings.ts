/** The settings of the directory service; `config/` gives them their values. */

/** Answers contain these URIs. A changed URI needs no new import. */
export interface DirectorySettings {
  /**
   * The form of JSON of the STU3 interface. `fhir`: arrays where FHIR has arrays. `legacy`: the form
   * of the retired national service, which the legacy interface always has.
   */
  readonly json: 'fhir' | 'legacy';
  /** The paths of the interfaces below the public address of the server. */
  readonly 'stu3.path': string;
  readonly legacyPath: string;
  readonly 'ord.path': string;
  readonly 'r4.path': string;
  /** The file with the hashes of API keys, if the R4 interface needs a key. */
  readonly 'r4.apiKeys': string | undefined;
  /** The folder of CSV files for reports that the release has no data for. */
  readonly reports: string | undefined;
  /** Whether pages of other origins may read answers about practitioners. */
  readonly sharePractitioners: boolean;
  /** The largest `_count` in STU3. Without `_count`, the page size is 20, or this if it is less. */
  readonly countMax: number;
  /** The same in R4. */
  readonly 'r4.countMax': number;
  /** How long links to pages of a replaced edition still work. */
  readonly graceMinutes: number;
  /** The most editions in memory, including the current one. */
  readonly editionsInMemory: number;
  /** The Cache-Control header of answers, if any. */
  readonly cacheControl: string | undefined;
  /** The smallest body that is compressed for clients that accept gzip; 0: never compress. */
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
