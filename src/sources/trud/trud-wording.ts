/** The remedies that messages about TRUD name. */
import type { Wording } from '../http/http-options.ts';

/** TRUD answers 400 or 404 to a key that it does not know. */
export const trudWording: Wording = {
  work: 'fetch',
  remedyOf: (status) =>
    [400, 401, 403, 404].includes(status)
      ? 'Check the key of --trud-key-file, trud.url, and that the account subscribes to item 341.'
      : '',
};
