/** The settings of the OrderResponse service. */
import { isOrigin } from './addresses.ts';
import { choice, flag, list, optionalText, whole } from './setting.ts';

/** The codes of FHIR. */
export const INTERACTIONS = [
  'read',
  'vread',
  'create',
  'update',
  'delete',
  'search-type',
  'validate',
  'transaction',
  'history-instance',
  'history-type',
  'history-system',
];

export const ORDER_SETTINGS = {
  'orders.enabled': flag(true, 'Serve order responses'),
  'orders.profile': choice(
    ['contained', 'base'],
    'contained',
    'Which order responses the server accepts',
  ),
  'orders.interactions': list(
    (name) => INTERACTIONS.includes(name),
    `must be interactions, separated by commas: ${INTERACTIONS.join(', ')}`,
    'The interactions with order responses, separated by commas',
    'all',
  ),
  'orders.requireIfMatch': flag(false, 'Refuse updates and deletes without If-Match'),
  'orders.updates': choice(
    ['anyone', 'creator'],
    'anyone',
    'Which clients may update and delete an order response',
  ),
  'orders.allowDelete': flag(false, 'Let clients delete order responses'),
  'orders.retentionDays': whole(
    { min: 0, max: 36_525, default: 0 },
    'Erase the content of an order response this many days after its last version; 0 for never',
  ),
  'orders.auditKeyFile': optionalText(
    'FILE',
    'The file with the key of the audit log, for use with a database',
    'audit.key in the data folder',
  ),
  'orders.depthMax': whole(
    { min: 8, max: 256, default: 64 },
    'The most levels of nested elements in an order response',
  ),
  'orders.elementsMax': whole(
    { min: 100, max: 1_000_000, default: 5000 },
    'The most elements and XML attributes in an order response',
  ),
  'orders.searchMatchesMax': whole(
    { min: 1000, max: 10_000_000, default: 100_000 },
    'The most order responses that a search may match',
  ),
  'orders.searchLinkMinutes': whole(
    { min: 1, max: 10_080, default: 60 },
    'The minutes for which the links to the other pages of a search work',
  ),
  'orders.transactionEntriesMax': whole(
    { min: 1, max: 10_000, default: 200 },
    'The most entries in a batch or transaction',
  ),
  'orders.corsOrigins': list(
    isOrigin,
    'must be origins, such as https://app.example, separated by commas',
    'The origins whose web pages may use order responses, separated by commas',
  ),
} as const;
