/** The container image of a release, built with Podman. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { extract } from 'tar';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DOCKERFILE = join(ROOT, 'deploy/Dockerfile');

/**
 * Builds the image, and unpacks its archive to `folder`. All files have the time of the commit, and
 * there is one layer over the base. Returns why it could not be built.
 */
export async function buildImage(
  folder: string,
  tag: string,
  time: Date,
): Promise<string | undefined> {
  const reason = whyNoImage(readFileSync(DOCKERFILE, 'utf8'));
  if (reason !== undefined) return reason;
  const seconds = String(time.getTime() / 1000);
  const options = ['--format', 'oci', '--layers=false', '--no-cache', '--timestamp', seconds];
  const built = podman('build', ...options, '--file', DOCKERFILE, '--tag', tag, ROOT);
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
  const bases = dockerfile.match(/^FROM \S+/gm) ?? [];
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
