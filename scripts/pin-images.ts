/**
 * Writes the current digest of each image into the files of `deploy/` that name images: `npm run
 * pin-images`. A tag refers to a new image after each update of Debian. A digest always refers to the
 * same image.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const FILES = ['Dockerfile', 'compose.yaml'].map((name) =>
  fileURLToPath(new URL(`../deploy/${name}`, import.meta.url)),
);
/** https://distribution.github.io/distribution/spec/api/ */
const DOCKER_HUB = 'https://registry-1.docker.io';
const IMAGE = /^(FROM docker\.io\/| +image: )([\w/.-]+):([\w.-]+)(?:@sha256:\w+)?/gm;
/** The media types of a list with one image for each architecture. */
const LISTS =
  'application/vnd.oci.image.index.v1+json, application/vnd.docker.distribution.manifest.list.v2+json';

const { values } = parseArgs({
  options: {
    file: { type: 'string', multiple: true, default: FILES },
    registry: { type: 'string', default: DOCKER_HUB },
  },
});

for (const file of values.file) {
  const text = readFileSync(file, 'utf8');
  const digests = new Map<string, string>();
  for (const [, , name = '', tag = ''] of text.matchAll(IMAGE)) {
    const image = `${name}:${tag}`;
    if (digests.has(image)) continue;
    digests.set(image, await digestOf(name.includes('/') ? name : `library/${name}`, tag));
    console.log(`${image} is ${digests.get(image)}`);
  }
  const pinned = text.replace(
    IMAGE,
    (_, start, name, tag) => `${start}${name}:${tag}@${digests.get(`${name}:${tag}`)}`,
  );
  writeFileSync(file, pinned);
}

async function digestOf(name: string, tag: string): Promise<string> {
  const url = `${values.registry}/v2/${name}/manifests/${tag}`;
  const ask = (headers: Readonly<Record<string, string>>) =>
    fetch(url, { method: 'HEAD', headers: { Accept: LISTS, ...headers } });
  let response = await ask({});
  if (response.status === 401) {
    const token = await tokenFor(response.headers.get('www-authenticate') ?? '');
    response = await ask({ Authorization: `Bearer ${token}` });
  }
  const digest = response.headers.get('docker-content-digest') ?? '';
  if (response.ok && /^sha256:[0-9a-f]{64}$/.test(digest)) return digest;
  throw new Error(`${url} has no digest: the status is ${response.status}.`);
}

/** Gets an anonymous token from the address in `Bearer realm="https://auth…",service="…",scope="…"`. */
async function tokenFor(challenge: string): Promise<string> {
  const parts = new Map(
    [...challenge.matchAll(/(\w+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, value]),
  );
  const url = new URL(parts.get('realm') ?? '');
  for (const key of ['service', 'scope']) url.searchParams.set(key, parts.get(key) ?? '');
  const response = await fetch(url);
  const { token } = JSON.parse(await response.text());
  return token;
}
