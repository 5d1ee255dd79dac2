/** The JSON of the retired national service, as its clients knew it; strict, so that it is exact. */
import { z } from 'zod';

const url = z.string().regex(/^https?:\/\//);
const date = z.string().regex(/^\d{4}-\d\d-\d\d$/);

const period = z.strictObject({
  extension: z.tuple([z.strictObject({ url, valueString: z.enum(['Operational', 'Legal']) })]),
  start: date,
  end: date.optional(),
});

const organizationPeriod = z.strictObject({ url, valuePeriod: period });

const roleCoding = z.strictObject({
  url: z.literal('role'),
  valueCoding: z.strictObject({
    system: url,
    code: z.string().regex(/^\d+$/),
    display: z.string().optional(),
  }),
});
const rolePrimary = z.strictObject({ url: z.literal('primaryRole'), valueBoolean: z.boolean() });
const rolePeriod = z.strictObject({ url: z.literal('activePeriod'), valuePeriod: period });
const roleStatus = z.strictObject({
  url: z.literal('status'),
  valueString: z.enum(['Active', 'Inactive']),
});

/** Most roles have one period; some have two, Operational and Legal, and very few have none. */
const role = z.strictObject({
  url,
  extension: z.union([
    z.tuple([roleCoding, rolePrimary, rolePeriod, roleStatus]),
    z.tuple([roleCoding, rolePrimary, rolePeriod, rolePeriod, roleStatus]),
    z.tuple([roleCoding, rolePrimary, roleStatus]),
  ]),
});

export const legacyOrganization = z.strictObject({
  resourceType: z.literal('Organization'),
  id: z.string().regex(/^[A-Z0-9]+$/),
  meta: z.strictObject({
    lastUpdated: z.string().regex(/^\d{4}-\d\d-\d\dT00:00:00\+00:00$/),
    profile: url,
  }),
  extension: z.array(z.union([organizationPeriod, role])).min(1),
  identifier: z.strictObject({ system: url, value: z.string() }),
  active: z.boolean(),
  type: z
    .strictObject({
      coding: z.strictObject({ system: url, code: z.enum(['1', '2']), display: z.string() }),
    })
    .optional(),
  name: z.string(),
  telecom: z
    .array(z.strictObject({ system: z.string(), value: z.string() }))
    .min(1)
    .optional(),
  address: z
    .strictObject({
      extension: z.tuple([z.strictObject({ url, valueString: z.string() })]).optional(),
      line: z.array(z.string()).min(1).optional(),
      city: z.string().optional(),
      district: z.string().optional(),
      postalCode: z.string().optional(),
      country: z.string().optional(),
    })
    .optional(),
});
export type LegacyOrganization = z.infer<typeof legacyOrganization>;

/** A link or an entry is always in a list, however few there are. */
export const legacyBundle = z.strictObject({
  resourceType: z.literal('Bundle'),
  id: z.string(),
  meta: z.strictObject({ lastUpdated: z.string() }),
  type: z.literal('searchset'),
  total: z.string().regex(/^\d+$/),
  link: z.array(z.strictObject({ relation: z.string(), url })).min(1),
  entry: z.array(z.strictObject({ fullUrl: url, resource: legacyOrganization })),
});
export type LegacyBundle = z.infer<typeof legacyBundle>;

/** What `_summary=count` and `_count=0` answer. */
export const legacyCount = legacyBundle.omit({ link: true, entry: true });

export const legacyOutcome = z.strictObject({
  resourceType: z.literal('OperationOutcome'),
  id: z.string(),
  meta: z.strictObject({ profile: url }),
  issue: z
    .array(
      z.strictObject({
        severity: z.literal('error'),
        code: z.string(),
        details: z.strictObject({
          coding: z.strictObject({ system: url, code: z.string(), display: z.string() }),
          text: z.string().optional(),
        }),
        diagnostics: z.string(),
      }),
    )
    .min(1),
});
