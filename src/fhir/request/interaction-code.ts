/**
 * FHIR's codes of interactions, and the action that an audit entry of each one has.
 * https://hl7.org/fhir/STU3/valueset-type-restful-interaction.html
 * https://hl7.org/fhir/STU3/valueset-audit-event-action.html
 */

export const AUDIT_ACTIONS = {
  read: 'R',
  vread: 'R',
  update: 'U',
  patch: 'U',
  delete: 'D',
  'history-instance': 'R',
  'history-type': 'R',
  'history-system': 'R',
  create: 'C',
  'search-type': 'E',
  'search-system': 'E',
  capabilities: 'R',
  transaction: 'E',
  batch: 'E',
  operation: 'E',
} as const;

export type InteractionCode = keyof typeof AUDIT_ACTIONS;

/** The interactions that write a version, and their HTTP methods. */
export const WRITE_METHODS = { create: 'POST', update: 'PUT', delete: 'DELETE' } as const;

export type WriteCode = keyof typeof WRITE_METHODS;
export type WriteMethod = (typeof WRITE_METHODS)[WriteCode];
