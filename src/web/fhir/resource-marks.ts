/** Which texts of a resource are links, and where they lead on this server. */
import type { Service } from '../../fhir/service/interaction.ts';
import type { JsonPath, MarkOf } from './highlight-json.ts';

/** The texts of a resource that its page shows elsewhere too, by their paths: `link.0.url`. */
export type ResourceFacts = ReadonlyMap<string, string>;

export interface ResourceMarks {
  readonly markOf: MarkOf;
  /** Complete after the last call of `markOf`. */
  readonly facts: ResourceFacts;
}

/** The marks of one resource. */
export function createResourceMarks(service: Service): ResourceMarks {
  const facts = new Map<string, string>();
  const markOf: MarkOf = (text, path) => {
    const isFact = FACT_NAMES.has(path[0]!) && path.length <= FACT_DEPTH;
    if (isFact || isNote(path)) facts.set(path.join('.'), text);
    const [first, , last] = path;
    if (first === 'contained' && last === 'id' && path.length === 3) return { id: anchorOf(text) };
    const href = hrefOf(text, path, facts, service);
    return href === undefined ? undefined : { href };
  };
  return { markOf, facts };
}

const FACT_NAMES: ReadonlySet<string | number> = new Set([
  'resourceType',
  'id',
  'meta',
  'type',
  'total',
  'link',
  'issue',
]);

/** That of `issue.0.details.text`. */
const FACT_DEPTH = 4;

/** Whether the path is that of a sentence of an outcome in a Bundle. */
function isNote([first, , resource, issue, , last, ...others]: JsonPath): boolean {
  const isIssue = first === 'entry' && resource === 'resource' && issue === 'issue';
  return isIssue && last === 'diagnostics' && others.length === 0;
}

/** The sentences of the outcomes in a Bundle. */
export function notesIn(facts: ResourceFacts): readonly string[] {
  return [...facts].flatMap(([path, text]) => (NOTE.test(path) ? [text] : []));
}

const NOTE = /^entry\.\d+\.resource\.issue\.\d+\.diagnostics$/;

function hrefOf(
  text: string,
  path: JsonPath,
  facts: ResourceFacts,
  service: Service,
): string | undefined {
  const name = path.findLast((each) => typeof each === 'string') ?? '';
  if (path.length === 2 && path[0] === 'meta' && name === 'versionId') {
    return versionHref(text, facts, service);
  }
  if (name === 'reference' && path[0] !== 'entry' && CONTAINED.test(text)) {
    return `#${anchorOf(text.slice(1))}`;
  }
  if (REFERENCE_NAMES.has(name) && isRelative(text, service)) {
    return ownPath(`${service.baseUrl}/${text}`, service);
  }
  return ownPath(text, service) ?? definitionHref(text, service);
}

/** A reference to a contained resource. In a Bundle, several resources can contain the same id. */
const CONTAINED = /^#[\w.-]+$/;

/** The elements that have references: those of resources, and those of entries of Bundles. */
const REFERENCE_NAMES: ReadonlySet<string> = new Set(['reference', 'url', 'location', 'fullUrl']);

function anchorOf(id: string): string {
  return `contained-${id}`;
}

/** Whether a text is a relative reference to a type of the service: `Organization/RTG`. */
function isRelative(text: string, { types }: Service): boolean {
  const type = RELATIVE.exec(text)?.[1];
  return type !== undefined && types.some(({ name }) => name === type);
}

const RELATIVE = /^([A-Z][A-Za-z]+)\/[\w.-]+(?:\/_history\/[\w.-]+)?$/;

/** A part of a sentence. */
export interface SentencePart {
  readonly text: string;
  readonly href?: string | undefined;
}

/** A sentence, in which the addresses of this server are links. */
export function linkedSentence(sentence: string, service: Service): readonly SentencePart[] {
  return sentence
    .split(ADDRESS)
    .map((text, i) => (i % 2 === 0 ? { text } : { text, href: ownPath(text, service) }));
}

/** An address without the punctuation after it. */
const ADDRESS = /(https?:\/\/[^\s"]*[^\s".,;:])/;

/** The path of an address of this server, so that the link also works behind another name. */
function ownPath(text: string, { serverUrl }: Service): string | undefined {
  if (!text.startsWith(`${serverUrl}/`) || !URL.canParse(text)) return undefined;
  const { origin } = new URL(serverUrl);
  const path = text.slice(origin.length);
  // Browsers read two slashes as the beginning of the name of another server.
  return /^\/(?![/\\])[!-~]*$/.test(path) ? path : undefined;
}

/** The address of the version, if the service has versions of the type. */
function versionHref(
  version: string,
  facts: ResourceFacts,
  { types, baseUrl, serverUrl }: Service,
): string | undefined {
  const name = facts.get('resourceType');
  const type = types.find((each) => each.name === name);
  const hasVersions = type?.interactions.some(({ code }) => code === 'vread');
  if (hasVersions !== true) return undefined;
  const id = encodeURIComponent(facts.get('id') ?? '');
  const { origin } = new URL(serverUrl);
  return `${baseUrl.slice(origin.length)}/${name}/${id}/_history/${encodeURIComponent(version)}`;
}

/** The address of a definition by its canonical URL: of a code system, a value set, a parameter. */
function definitionHref(text: string, { types, baseUrl, serverUrl }: Service): string | undefined {
  if (!text.startsWith('http')) return undefined;
  const base = baseUrl.slice(new URL(serverUrl).origin.length);
  for (const { name, ids, codeSystems } of types) {
    if (codeSystems?.includes(text)) return `${base}/${name}?url=${encodeURIComponent(text)}`;
    const end = text.split(`/${name}/`)[1];
    if (end !== undefined && ids?.includes(end)) return `${base}/${name}/${end}`;
  }
  return undefined;
}
