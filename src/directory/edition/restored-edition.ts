/** The label of an edition that a rollback made, which names the edition whose content it has. */
import type { EditionInfo } from './edition-store.ts';

export function restoredSource({ number, source }: EditionInfo): string {
  return `edition ${number} again: ${source}`;
}

/** The number of the edition whose content a rollback made current again. */
export function restoredFrom({ source }: Pick<EditionInfo, 'source'>): number | undefined {
  const [, number] = /^edition (\d+) again: /.exec(source) ?? [];
  return number === undefined ? undefined : Number(number);
}
