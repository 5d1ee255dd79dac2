/** The error of a path that nothing has: it names all bases and the most similar path. */
import { similarDistance } from './edit-distance.ts';
import { FhirError } from './fhir-error.ts';
import type { Service } from './interaction.ts';
import { pathOf } from './locate.ts';
import type { PlainService } from './plain-service.ts';

export interface ElsewhereError {
  readonly error: FhirError;
  readonly nearestPath: string | undefined;
}

/** `otherPaths`: the paths of what is no service, such as pages. */
export function createElsewhere(
  services: readonly Service[],
  plainServices: readonly PlainService[],
  otherPaths: readonly string[],
): (path: string) => ElsewhereError {
  const bases = [...services, ...plainServices]
    .map(({ title, baseUrl }) => `${title} at ${baseUrl}`)
    .join('; ');
  const known = [
    ...otherPaths,
    ...services.flatMap((service) =>
      ['', ...service.types.map(({ name }) => `/${name}`)].map((end) => pathOf(service) + end),
    ),
    ...plainServices.map(pathOf),
  ].filter((path) => path !== '');
  return (path) => {
    const nearestPath = nearestOf(path, known);
    const hint = nearestPath === undefined ? '' : ` Did you mean "${nearestPath}"?`;
    const diagnostics = `There is nothing at "${path}".${hint} The server has ${bases}.`;
    return { error: new FhirError([{ kind: 'unknown-path', diagnostics }]), nearestPath };
  };
}

/** The path, with its first segments replaced by those of the longest and most similar known path. */
function nearestOf(path: string, known: readonly string[]): string | undefined {
  const segments = path.split('/');
  let nearest: string | undefined;
  let longest = 0;
  let least = 0;
  for (const one of known) {
    const wanted = one.split('/');
    const distance = wanted
      .map((segment, i) => similarDistance(segment, segments[i] ?? ''))
      .reduce((sum, each) => sum + each);
    const isNearer = wanted.length > longest || (wanted.length === longest && distance < least);
    if (!Number.isFinite(distance) || !isNearer) continue;
    nearest = [one, ...segments.slice(wanted.length)].join('/');
    [longest, least] = [wanted.length, distance];
  }
  return nearest === path ? undefined : nearest;
}
