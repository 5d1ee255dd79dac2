/** The payloads of ORD as its clients declare them: what they read, and its types. */
import { z } from 'zod';

const dates = z.array(
  z.object({
    Type: z.enum(['Operational', 'Legal']),
    Start: z.iso.date().optional(),
    End: z.iso.date().optional(),
  }),
);

const orgId = z.object({
  root: z.string(),
  assigningAuthorityName: z.string(),
  extension: z.string(),
});

const target = z.object({
  OrgId: orgId,
  PrimaryRoleId: z.object({ id: z.string(), uniqueRoleId: z.number().optional() }).optional(),
});

const status = z.enum(['Active', 'Inactive']);

/** Clients in typed languages refuse other types: numbers are numbers, and lists are lists. */
export const ordRecord = z.object({
  Organisation: z.object({
    Name: z.string(),
    Date: dates.optional(),
    OrgId: orgId,
    Status: status,
    LastChangeDate: z.iso.date(),
    orgRecordClass: z.enum(['RC1', 'RC2']),
    GeoLoc: z
      .object({
        Location: z.object({
          AddrLn1: z.string().optional(),
          Town: z.string().optional(),
          PostCode: z.string().optional(),
          Country: z.string().optional(),
          UPRN: z.number().optional(),
        }),
      })
      .optional(),
    Contacts: z
      .object({ Contact: z.array(z.object({ type: z.string(), value: z.string() })) })
      .optional(),
    Roles: z.object({
      Role: z.array(
        z.object({
          id: z.string().regex(/^RO\d+$/),
          uniqueRoleId: z.number(),
          primaryRole: z.literal(true).optional(),
          Date: dates.optional(),
          Status: status,
        }),
      ),
    }),
    Rels: z
      .object({
        Rel: z.array(
          z.object({
            Date: dates.optional(),
            Status: status,
            Target: target,
            id: z.string().regex(/^RE\d+$/),
            uniqueRelId: z.number(),
          }),
        ),
      })
      .optional(),
    Succs: z
      .object({
        Succ: z.array(
          z.object({
            uniqueSuccId: z.number(),
            Date: dates.optional(),
            Type: z.enum(['Predecessor', 'Successor']),
            Target: target,
          }),
        ),
      })
      .optional(),
  }),
});

export type OrdRecord = z.infer<typeof ordRecord>['Organisation'];

export const ordSearch = z.object({
  Organisations: z.array(
    z.object({
      Name: z.string(),
      OrgId: z.string(),
      Status: status,
      OrgRecordClass: z.string(),
      PostCode: z.string().optional(),
      LastChangeDate: z.iso.date(),
      PrimaryRoleId: z.string(),
      PrimaryRoleDescription: z.string(),
      OrgLink: z.url(),
    }),
  ),
});

export type OrdRow = z.infer<typeof ordSearch>['Organisations'][number];

export const ordLinks = z.object({ Organisations: z.array(z.object({ OrgLink: z.url() })) });

export const ordRoles = z.object({
  Roles: z.array(
    z.object({
      id: z.string(),
      code: z.string(),
      displayName: z.string(),
      primaryRole: z.enum(['true', 'false']),
    }),
  ),
});

export const ordError = z.object({ errorCode: z.number(), errorText: z.string() });
