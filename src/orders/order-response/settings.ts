/** The settings of the OrderResponse service. */

export interface OrderSettings {
  /** Whether Order, Patient and Practitioner have to be contained. */
  readonly profile: 'base' | 'contained';
  /** The interactions that clients can use, by their names in the setting; undefined: all. */
  readonly interactions: readonly string[] | undefined;
  readonly depthMax: number;
  readonly elementsMax: number;
  /** Whether an update or a delete needs If-Match. */
  readonly requireIfMatch: boolean;
  /** Which clients may change an order response. */
  readonly updates: 'anyone' | 'creator';
  /** Whether clients can delete. */
  readonly allowDelete: boolean;
  /** The most order responses that a search may look at. */
  readonly searchMatchesMax: number;
  /** How long links to other pages of a search work. */
  readonly searchLinkMinutes: number;
  /** The most entries of a batch or transaction. */
  readonly transactionEntriesMax: number;
  /** The origins whose pages may use the service. */
  readonly corsOrigins: readonly string[] | undefined;
}

/** Whether clients may follow the changes of order responses: by requests, and by notifications. */
export function mayFollowChanges({ interactions }: Pick<OrderSettings, 'interactions'>): boolean {
  return interactions === undefined || interactions.includes('history-type');
}
