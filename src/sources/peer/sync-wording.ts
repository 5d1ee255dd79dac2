/** The bearer token of a sync, and the remedies that its messages name. */
import type { Wording } from '../http/http-options.ts';

export function syncHeaders(token: string | undefined): Readonly<Record<string, string>> {
  return token === undefined ? {} : { Authorization: `Bearer ${token}` };
}

export function syncWording(hasToken: boolean): Wording {
  return {
    work: 'sync',
    remedyOf: (status) => {
      if (status === 404) {
        return 'Give the FHIR base of the directory, such as https://directory.example/STU3.';
      }
      if (status !== 401 && status !== 403) return '';
      return hasToken
        ? 'Renew the token in the file of --sync-token-file.'
        : 'If it requires a token, put it in a file, and name the file with --sync-token-file.';
    },
  };
}
