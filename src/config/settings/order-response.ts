/** The settings of the OrderResponse service. */
import { isOrigin } from '../addresses.ts';
import { choice, flag, list, optionalText, whole } from '../setting.ts';

/** The codes of FHIR. */
const INTERACTIONS = [
  ...['read', 'vread', 'create', 'update', 'delete', 'search-type', 'validate', 'transaction'],
  ...['history-instance', 'history-type', 'history-system'],
];

export const ORDER_SETTINGS = {
  'orders.enabled': flag(true, 'Serve order responses'),
  'orders.profile': choice(
    ['contained', 'base'],
    'contained',
    'Which order responses the server accepts',
    {
      details:
        '`contained`: those that contain an Order, a Patient and a Practitioner. ' +
        '`base`: all that FHIR allows.',
    },
  ),
  'orders.interactions': list(
    (name) => INTERACTIONS.includes(name),
    `must be interactions, separated by commas: ${INTERACTIONS.join(', ')}`,
    'The interactions with order responses, separated by commas',
    {
      unset: 'all',
      details:
        `They can be ${INTERACTIONS.map((name) => `\`${name}\``).join(', ')}. ` +
        '`transaction` is also for batches. Conditional creates and updates also need `search-type`. ' +
        'A delete also needs `orders.allowDelete`. Example: `read,create,update`.',
    },
  ),
  'orders.requireIfMatch': flag(false, 'Refuse updates and deletes without If-Match'),
  'orders.updates': choice(
    ['anyone', 'creator'],
    'anyone',
    'Which clients may update and delete an order response',
    {
      details:
        '`anyone`: every client with the scope to write. ' +
        '`creator`: only the client that created it, as its token names it (`client_id` or `azp`, else `sub`).',
    },
  ),
  'orders.allowDelete': flag(false, 'Let clients delete order responses', {
    details: 'Its versions stay in its history.',
  }),
  'orders.retentionDays': whole(
    0,
    36_525,
    0,
    'Erase the content of an order response this many days after its last version; 0 for never',
    {
      details:
        'It does not erase order responses that are [on hold](../how-to/erase-order-responses.md).',
    },
  ),
  'orders.auditKeyFile': optionalText(
    'FILE',
    'The file with the key of the audit log, for use with a database',
    {
      unset: 'audit.key in the data folder',
      details: 'All servers of a database need the same key.',
    },
  ),
  'orders.depthMax': whole(8, 256, 64, 'The most levels of nested elements in an order response'),
  'orders.elementsMax': whole(
    100,
    1_000_000,
    5000,
    'The most elements and XML attributes in an order response',
  ),
  'orders.searchMatchesMax': whole(
    1000,
    10_000_000,
    100_000,
    'The most order responses that a search may match',
    {
      details:
        'With several parameters: the one that the fewest match. ' +
        'A million matches take about a second.',
    },
  ),
  'orders.searchLinkMinutes': whole(
    1,
    10_080,
    60,
    'The minutes for which the links to the other pages of a search work',
  ),
  'orders.transactionEntriesMax': whole(
    1,
    10_000,
    200,
    'The most entries in a batch or transaction',
    { details: '`limits.bodyBytes` limits its size.' },
  ),
  'orders.corsOrigins': list(
    isOrigin,
    'must be origins, such as https://app.example, separated by commas',
    'The origins whose web pages may use order responses, separated by commas',
    { details: 'Example: `https://app.example`.' },
  ),
} as const;
