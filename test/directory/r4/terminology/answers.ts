/** What tests read from the answers of operations. */

interface Part {
  readonly name: string;
  readonly part?: readonly Part[];
  readonly [value: `value${string}`]: unknown;
}

/** `code: value (description)` for each property of `$lookup`; a Coding is `system|code|display`. */
export function lookedUp({ parameter }: { readonly parameter: readonly Part[] }): string[] {
  return parameter
    .filter(({ name }) => name === 'property')
    .map(({ part = [] }) => {
      const [code, value, description] = ['code', 'value', 'description'].map((name) => {
        const found = part.find((each) => each.name === name) ?? {};
        const given = Object.entries(found).find(([key]) => key.startsWith('value'))?.[1];
        return given instanceof Object ? Object.values(given).join('|') : given;
      });
      return `${code}: ${value}${description === undefined ? '' : ` (${description})`}`;
    });
}

/** The codes of an expansion. */
export function expandedCodes({
  expansion,
}: {
  readonly expansion: { readonly contains?: readonly { readonly code: string }[] };
}): string[] {
  return (expansion.contains ?? []).map(({ code }) => code);
}
