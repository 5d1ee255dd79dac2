/** The schemas of the answers to searches, for the OpenAPI description. */

import { arrayOf, type JsonSchema, objectOf } from '../../json/json-schema.ts';
import { objectSchema } from './member.ts';
import { ORGANISATION_MEMBERS } from './organisation-members.ts';
import { PRACTITIONER_MEMBERS } from './practitioner-members.ts';
import { INCOMING_MEMBERS, NEIGHBOUR_MEMBERS } from './single.ts';

const ORGANISATION = objectSchema(ORGANISATION_MEMBERS);

export const ORGANISATIONS: JsonSchema = objectOf({
  orgArray: arrayOf(ORGANISATION),
  orgCodeSystemUpdatedAt: { type: 'string', format: 'date-time' },
  numberOfRecords: { type: 'integer' },
});

const NEIGHBOUR = { oneOf: [objectSchema(NEIGHBOUR_MEMBERS), { type: 'null' }] };
const PRACTITIONER_LIST = arrayOf(objectSchema(PRACTITIONER_MEMBERS));

export const PRACTITIONERS: JsonSchema = objectOf({
  pracArray: PRACTITIONER_LIST,
  pracCodeSystemUpdatedAt: { type: 'string', format: 'date-time' },
  numberOfRecords: { type: 'integer' },
});

const NOTHING = { type: 'array', items: {}, maxItems: 0 };
const INCOMING = arrayOf(objectSchema(INCOMING_MEMBERS));

export const SINGLE: JsonSchema = objectOf({
  main: ORGANISATION,
  relationships: { type: 'object', additionalProperties: INCOMING },
  predecessor: NEIGHBOUR,
  successor: NEIGHBOUR,
  igManagement: NOTHING,
  practitioners: PRACTITIONER_LIST,
});
