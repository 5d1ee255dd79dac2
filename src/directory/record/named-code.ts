/** The code of an organisation, with its name. */
export interface NamedCode {
  readonly code: string;
  /** Absent if the edition has no record of it. */
  readonly name?: string;
}
