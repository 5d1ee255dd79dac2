/** The cases of all endpoints, as they are asked, and the check that each is answered. */
import type { DescribedServices } from '../../../scripts/described-services.ts';
import { namesOfRoutes } from '../../../scripts/server-routes.ts';
import type { Ask, AskedAnswer, CaseFacts } from './case.ts';
import { casesOf } from './cases.ts';

export interface Asking {
  /** `GET /STU3/metadata`. */
  readonly name: string;
  /** The expected status. */
  readonly status: number;
  /** Makes the next time like the first. */
  prepare(): Promise<void>;
  ask(): Promise<AskedAnswer>;
}

/** Throws if an endpoint has no case. */
export function askedOf(
  described: DescribedServices,
  facts: CaseFacts,
  ask: Ask,
): readonly Asking[] {
  const cases = casesOf(facts);
  return namesOfRoutes(described).map((name) => {
    const asked = cases[name];
    if (asked === undefined) throw new Error(`${name} has no case in bench/worst/endpoints`);
    const [method = '', path = ''] = name.split(' ');
    const { before, status = 200, ...request } = asked;
    return {
      name,
      status,
      prepare: async () => {
        if (before !== undefined) await ask(before);
      },
      ask: () => ask({ path, ...request, method }),
    };
  });
}

/** Asks each once. Throws an error that names all with another status: they measure something else. */
export async function requireAnswers(all: readonly Asking[]): Promise<void> {
  const problems: string[] = [];
  for (const asking of all) {
    await asking.prepare();
    const problem = problemOf(asking, await asking.ask());
    if (problem !== undefined) problems.push(problem);
  }
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

/** Undefined if the answer is one of the kind that the case measures. */
export function problemOf(
  { name, status }: Pick<Asking, 'name' | 'status'>,
  answer: Pick<AskedAnswer, 'status' | 'text'>,
): string | undefined {
  if (answer.status === status) return undefined;
  const text = answer.text?.replaceAll(/\s+/g, ' ') ?? '';
  return `${name} answered ${answer.status} instead of ${status}: ${text}`;
}
