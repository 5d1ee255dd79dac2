/** What a search says of the names of parameters that it cannot have. */
import { METADATA, unknownName } from '../request/unknown-name.ts';
import type { SearchParameter } from './parameter.ts';

/** The diagnostics of the names of parameters that a search cannot have. */
export interface NameTexts {
  /** The words of a national service. The text that names the remedy is then beside them. */
  unknown?(name: string): string;
  repeated(name: string): string;
  /** The names of parameters of the same request that are parsed elsewhere. */
  readonly elsewhere?: readonly string[];
}

export const PLAIN_TEXTS: NameTexts = {
  repeated: (name) => `The parameter ${name} can be given only once.`,
};

/** The text about an unknown parameter of a search. */
export function unknownSearchParameter(
  sent: string,
  parameters: readonly SearchParameter[],
  { elsewhere = [] }: NameTexts,
): string {
  const others = parameters.flatMap(({ name, otherNames = [] }) =>
    otherNames.map((other) => [other.toLowerCase(), name]),
  );
  return unknownName({
    kind: 'search parameter',
    sent,
    known: [...new Set([...elsewhere, ...namesOf(parameters)])],
    listedAt: METADATA,
    meanings: Object.fromEntries(others),
  });
}

/** With their modifiers. */
function namesOf(parameters: readonly SearchParameter[]): readonly string[] {
  return parameters.flatMap(({ name, modifiers }) => [
    name,
    ...modifiers.map((modifier) => `${name}:${modifier}`),
  ]);
}
