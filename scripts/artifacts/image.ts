/** The container image of a release, built with Podman. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { extract } from 'tar';

export interface Image {
  readonly dockerfile: string;
  /** The folder of the files that the Dockerfile copies. */
  readonly context: string;
  readonly tag: string;
  /** The time of all its files. */
  readonly time: Date;
}

/**
 * Builds an image with one layer over its base, and unpacks its archive to `folder`. Returns why it
 * could not be built.
 */
export async function buildImage(folder: string, image: Image): Promise<string | undefined> {
  const { dockerfile, context, tag, time } = image;
  const reason = whyNoImage(readFileSync(dockerfile, 'utf8'));
  if (reason !== undefined) return reason;
  const seconds = String(time.getTime() / 1000);
  const options = ['--format', 'oci', '--layers=false', '--no-cache', '--timestamp', seconds];
  const built = podman('build', ...options, '--file', dockerfile, '--tag', tag, context);
  if (UNREACHABLE.test(built.stderr)) return 'its base images or packages cannot be downloaded';
  requireSuccess(built);
  const archive = `${folder}.tar`;
  requireSuccess(podman('save', '--format', 'oci-archive', '--output', archive, tag));
  requireSuccess(podman('rmi', tag));
  mkdirSync(folder);
  await extract({ file: archive, cwd: folder });
  rmSync(archive);
  return undefined;
}

/** A tag refers to other images over time, so it would not give the same bytes. */
export function whyNoImage(dockerfile: string): string | undefined {
  const bases = dockerfile.match(/^FROM (?!scratch)\S+/gm) ?? [];
  if (!bases.every((base) => base.includes('@sha256:'))) {
    return 'deploy/Dockerfile names images without digests, which "npm run pin-images" writes';
  }
  if (podman('--version').status !== 0) return 'the program podman is missing';
  return undefined;
}

const UNREACHABLE = /pinging container registry|no such host|Temporary failure|i\/o timeout/;

interface Ended {
  readonly status: number | null;
  readonly stderr: string;
}

function podman(...words: string[]): Ended {
  const { status, stderr } = spawnSync('podman', words, { encoding: 'utf8' });
  return { status, stderr: stderr ?? '' };
}

function requireSuccess({ status, stderr }: Ended): void {
  if (status !== 0) throw new Error(`The image cannot be built: ${stderr}`);
}
