/** The OperationOutcome of the retired national service: `details.coding` as a single object. */

interface Outcome {
  readonly resourceType: string;
  readonly meta?: { readonly profile?: readonly string[] };
  readonly issue?: readonly {
    readonly details?: { readonly coding?: readonly object[] };
    readonly location?: unknown;
  }[];
}

export function toLegacyOutcome(outcome: Outcome): object {
  const { meta, issue = [] } = outcome;
  return {
    ...outcome,
    ...(meta === undefined ? {} : { meta: { ...meta, profile: meta.profile?.[0] } }),
    issue: issue.map(({ location: _, ...one }) => ({
      ...one,
      ...(one.details === undefined ? {} : { details: { coding: one.details.coding?.[0] } }),
    })),
  };
}
