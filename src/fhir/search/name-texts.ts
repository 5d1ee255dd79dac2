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

/** Parameters of other searches of the type, and why this one cannot have them. */
export interface ImpossibleParameters {
  readonly names: ReadonlySet<string>;
  readonly reason: string;
}

interface UsedName {
  readonly sent: string;
  /** Without its modifier. */
  readonly name: string;
  /** The parameter, which lacks the modifier. Undefined: there is none. */
  readonly parameter: SearchParameter | undefined;
}

interface Names {
  readonly parameters: readonly SearchParameter[];
  readonly nameTexts?: NameTexts;
  readonly impossible?: ImpossibleParameters;
}

/** The issue of a name that a search cannot have. `hint` is beside the words of a national service. */
export function problemOfName(
  { sent, name, parameter }: UsedName,
  { parameters, nameTexts = PLAIN_TEXTS, impossible }: Names,
): { readonly diagnostics: string; readonly hint?: string } {
  if (parameter === undefined && impossible?.names.has(name)) {
    return { diagnostics: `The parameter ${name} is not possible here: ${impossible.reason}` };
  }
  const [one] = parameter?.modifiers ?? [];
  // Of a parameter with modifiers, the text lists these.
  const near = parameter === undefined || one === undefined ? parameters : [parameter];
  const text = unknownSearchParameter(sent, near, nameTexts);
  const national = nameTexts.unknown?.(sent);
  return national === undefined ? { diagnostics: text } : { diagnostics: national, hint: text };
}

/** The text about an unknown parameter of a search. */
function unknownSearchParameter(
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
