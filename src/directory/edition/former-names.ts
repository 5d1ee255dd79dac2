/** The names that organisations had in earlier editions, the last one first, by code. */
export type FormerNames = ReadonlyMap<string, readonly string[]>;

/** More than any organisation has had. */
const NAMES_MAX = 20;

/** Keeps the name that an organisation had, if it has another one now. */
export function renamed(
  names: Map<string, readonly string[]>,
  code: string,
  { old, name }: { readonly old: string | undefined; readonly name: string | undefined },
): void {
  if (old === undefined || old === name) return;
  const others = (names.get(code) ?? []).filter((other) => other !== old);
  const former = [old, ...others].filter((other) => other !== name);
  names.set(code, former.slice(0, NAMES_MAX));
}
