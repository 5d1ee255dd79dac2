/** Checks the operator's image beside the name of the service. */
import { accessSync, constants, statSync } from 'node:fs';
import { extname } from 'node:path';

export const LOGO_TYPES: Readonly<Record<string, string>> = {
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
};

/** Small, because every first visit loads it. */
const LOGO_BYTES_MAX = 64 * 1024;

/** The problem of the file, in one line with its name and the remedy; undefined if it is valid. */
export function logoProblem(file: string): string | undefined {
  if (LOGO_TYPES[extname(file).toLowerCase()] === undefined) {
    return `${file}: a logo is an SVG, PNG or WebP file`;
  }
  try {
    accessSync(file, constants.R_OK);
    const size = statSync(file).size;
    return size <= LOGO_BYTES_MAX
      ? undefined
      : `${file}: a logo has at most ${LOGO_BYTES_MAX} bytes, and this one ${size}`;
  } catch {
    return `${file}: this logo cannot be read; name another file with --pages-logo`;
  }
}
