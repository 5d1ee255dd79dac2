/** The remedies that messages about the national services and peers name. */
import type { Wording } from '../http/http-options.ts';

/** TRUD answers 400 or 404 to a key that it does not know. */
export const trudWording: Wording = {
  work: 'fetch',
  remedyOf: (status) =>
    [400, 401, 403, 404].includes(status)
      ? 'Check the key of --trud-key-file, trud.url, and that the account subscribes to item 341.'
      : '',
};

export const r4Wording: Wording = {
  work: 'fetch',
  remedyOf: (status) => {
    if (status === 401 || status === 403) return 'Check the API key of --r4-key-file.';
    return status === 404 ? 'Check r4.url.' : '';
  },
};

/** ORD lists the changes of at most 185 days. */
export const ordWording: Wording = {
  work: 'fetch',
  remedyOf: (status) =>
    status === 404
      ? 'Check ord.url.'
      : status === 406
        ? 'If the directory is older than half a year, fetch or import a release first.'
        : '',
};

export function peerWording(hasToken: boolean): Wording {
  return {
    work: 'sync',
    remedyOf: (status) => {
      if (status !== 401 && status !== 403) return '';
      return hasToken
        ? 'Renew the token in the file of --sync-token-file.'
        : 'If it requires a token, put it in a file, and name the file with --sync-token-file.';
    },
  };
}
