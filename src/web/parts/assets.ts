/**
 * Style sheets, scripts and images. Their names contain a hash of their content, so that browsers
 * can keep them. Each is compressed once.
 */
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { libraryFile } from './libraries.ts';
import { LOGO_TYPES } from './logo.ts';

export type Encoding = 'br' | 'gzip';

export interface Asset {
  readonly contentType: string;
  readonly bytes: Buffer;
  /** The compressed bytes, made at the first request; undefined if they are not smaller. */
  compressed(encoding: Encoding): Promise<Buffer> | undefined;
}

export interface Assets {
  /** The path of an asset below that of the server: `/assets/styles.1f2e3d4c.css`. */
  pathOf(name: AssetName | 'logo'): string;
  /** By the last part of its path. */
  find(fileName: string): Asset | undefined;
  readonly hasLogo: boolean;
}

export type AssetName = keyof typeof FILES;

export const ASSETS_PATH = '/assets';

/** Reads all files. `logo` is the operator's file, for which `logoProblem` returns undefined. */
export function openAssets(logo: string | undefined): Assets {
  const byFile = new Map<string, Asset>();
  const paths = new Map<string, string>();
  const add = (name: string, file: string): void => {
    const bytes = readFileSync(file);
    const extension = extname(file).toLowerCase();
    const contentType = CONTENT_TYPES[extension];
    if (contentType === undefined) throw new Error(`${file} is not an asset`);
    const fileName = `${name}.${hash('sha256', bytes).slice(0, HASH_LENGTH)}${extension}`;
    byFile.set(fileName, assetOf(bytes, contentType));
    paths.set(name, `${ASSETS_PATH}/${fileName}`);
  };
  for (const [name, file] of Object.entries(FILES)) add(name, file);
  if (logo !== undefined) add('logo', logo);
  return {
    pathOf: (name) => {
      const path = paths.get(name);
      if (path === undefined) throw new Error(`there is no asset ${name}`);
      return path;
    },
    find: (fileName) => byFile.get(fileName),
    hasLogo: logo !== undefined,
  };
}

const OWN = fileURLToPath(new URL('./assets/', import.meta.url));

const FILES = {
  styles: join(OWN, 'styles.generated.css'),
  pages: join(OWN, 'pages.js'),
  icon: join(OWN, 'icon.svg'),
  api: join(OWN, 'api.js'),
  'try-order-response': join(OWN, 'try-order-response.js'),
  'swagger-ui': libraryFile('swagger-ui-dist', 'swagger-ui.css'),
  'swagger-ui-bundle': libraryFile('swagger-ui-dist', 'swagger-ui-bundle.js'),
} as const;

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  ...LOGO_TYPES,
};

/** 64 bits, so that different contents have different names. */
const HASH_LENGTH = 16;

/**
 * 5 ms for the style sheet. The highest level takes 320 ms for a tenth less, and each server thread
 * compresses for itself.
 */
const BROTLI_QUALITY = 7;

const COMPRESSIBLE = /^(text|image\/svg)/;

function assetOf(bytes: Buffer, contentType: string): Asset {
  const made = new Map<Encoding, Promise<Buffer>>();
  return {
    contentType,
    bytes,
    compressed: (encoding) => {
      if (!COMPRESSIBLE.test(contentType)) return undefined;
      let promise = made.get(encoding);
      if (promise === undefined) {
        promise = encoding === 'br' ? brotli(bytes) : promisify(gzip)(bytes, { level: 9 });
        made.set(encoding, promise);
      }
      return promise;
    },
  };
}

function brotli(bytes: Buffer): Promise<Buffer> {
  return promisify(brotliCompress)(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
}
