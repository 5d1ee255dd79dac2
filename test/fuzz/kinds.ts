/** The kinds of input that the fuzzer knows. */
import type { FuzzKind } from './fuzz-kind.ts';

const KINDS = {
  http: async () => (await import('./http-kind.ts')).openHttpKind(),
  xml: async () => (await import('./codec-kind.ts')).openCodecKind('xml'),
  'xml-events': async () => (await import('./xml-events-kind.ts')).openXmlEventsKind(),
  json: async () => (await import('./codec-kind.ts')).openCodecKind('json'),
  release: async () => (await import('./release-kind.ts')).openReleaseKind(),
  search: async () => {
    const { openSearchKind, STU3_SEARCH } = await import('./search-kind.ts');
    return openSearchKind(STU3_SEARCH);
  },
  'search-r4': async () => {
    const { openSearchKind, R4_SEARCH } = await import('./search-kind.ts');
    return openSearchKind(R4_SEARCH);
  },
} as const satisfies Readonly<Record<string, () => Promise<FuzzKind>>>;

export type KindName = keyof typeof KINDS;

export const KIND_NAMES = Object.keys(KINDS).filter(isKindName);

export function isKindName(name: string | undefined): name is KindName {
  return name !== undefined && Object.hasOwn(KINDS, name);
}

export function openKind(name: KindName): Promise<FuzzKind> {
  return KINDS[name]();
}
