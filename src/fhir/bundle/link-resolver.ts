/**
 * The targets of the links in the entries of a Bundle: another entry, or another resource.
 * https://hl7.org/fhir/STU3/bundle.html#references
 */
import { cut, FINDINGS_MAX } from '../format/findings.ts';
import { type FhirObject, isObject } from '../format/resource.ts';
import { FhirError } from '../request/fhir-error.ts';
import type { Finding } from '../request/finding.ts';
import type { TypeContext } from '../service/interaction.ts';
import { isOwnAddress } from '../service/own-address.ts';
import { refusalOf } from '../service/resource-body.ts';
import { type ConditionalReferences, isConditional } from './conditional-references.ts';
import { type ResourceLink, replaceLinks } from './links.ts';
import type { ResolvedEntry, SentEntry } from './sent-bundle.ts';

/** The resource that an entry with POST or PUT creates, finds or updates. */
export interface LinkTarget {
  readonly type: string;
  /** The id that links use, and the version that links to versions use. */
  id: string;
  version: number;
  /** Whether a link uses the id, and the version. */
  isUsed: boolean;
  isVersionUsed: boolean;
  /** The version by which the sender knows the resource. */
  readonly sentVersion: string | undefined;
}

interface LinkContext {
  readonly context: TypeContext;
  /** By `fullUrl`. A batch has none, because its entries cannot refer to each other. */
  readonly targets: ReadonlyMap<string, LinkTarget>;
  /** Absent in a batch. */
  readonly conditional?: ConditionalReferences;
}

export function resolveLinks(entry: SentEntry, links: LinkContext): ResolvedEntry {
  const { resource } = entry;
  if (resource === undefined) return { resource, refusal: undefined };
  const { definitions } = links.context.service.version;
  const findings: Finding[] = [];
  const root = rootOf(entry, links.context);
  const resolved = replaceLinks(resource, definitions, (link) => {
    try {
      return resolve(link, entry, root, links);
    } catch (error) {
      if (!(error instanceof FhirError)) throw error;
      if (findings.length < FINDINGS_MAX) findings.push(...findingsOf(error, link));
      return link.text;
    }
  });
  const decoded = { findings, findingsTotal: findings.length, isWhole: true };
  const refusal = findings.length === 0 ? undefined : refusalOf(decoded, []);
  return { resource: resolved, refusal };
}

function findingsOf({ issues }: FhirError, { kind, text, path }: ResourceLink): Finding[] {
  const what = kind === 'narrative' ? 'The link in the narrative' : 'The reference';
  return issues.map(({ diagnostics }) => ({
    path: path(),
    code: 'not-found',
    text: `${what} ${cut(text)} ${diagnostics}`,
  }));
}

/** The base that the relative links of an entry are relative to. */
interface Root {
  readonly url: string;
  readonly isOwn: boolean;
}

/** `https://client.example/fhir` for a `fullUrl` of the form `https://client.example/fhir/Order/1`. */
function rootOf({ fullUrl = '' }: SentEntry, context: TypeContext): Root {
  const { baseUrl, version } = context.service;
  const [, url, type = ''] = RESOURCE_URL.exec(fullUrl) ?? [];
  if (url === undefined || version.definitions.resource(type) === undefined) {
    return { url: baseUrl, isOwn: true };
  }
  return { url, isOwn: isOwnAddress(url, '', context) };
}

const RESOURCE_URL = /^(https?:\/\/.+)\/([A-Z][A-Za-z]*)\/[A-Za-z0-9\-.]{1,64}$/;

/** Throws a FhirError if the link leads nowhere. Its diagnostics continue a sentence about the link. */
function resolve(link: ResourceLink, entry: SentEntry, root: Root, links: LinkContext): string {
  const { kind, text } = link;
  if (text.startsWith('#')) return text;
  if (kind === 'reference' && isConditional(text)) {
    return links.conditional?.addressOf(link, entry) ?? text;
  }
  const [, address = '', fragment = ''] = /^([^#]*)(#.*)?$/s.exec(text) ?? [];
  const target = targetOf(address, root, links);
  if (target !== undefined) return `${target}${fragment}`;
  // A URI need not be a link.
  if (kind !== 'uri') requireLeading(address, root, links.context);
  return text;
}

/** The address of the entry that the link means; undefined if it means none. */
function targetOf(address: string, root: Root, { targets }: LinkContext): string | undefined {
  const absolute = ABSOLUTE.test(address) ? address : `${root.url}/${address}`;
  const target = targets.get(address) ?? targets.get(absolute);
  if (target !== undefined) {
    target.isUsed = true;
    return `${target.type}/${target.id}`;
  }
  const [, resource = '', version] = /^(.+)\/_history\/([^/]+)$/.exec(absolute) ?? [];
  const versioned = targets.get(resource);
  if (versioned === undefined || versioned.sentVersion !== version) return undefined;
  versioned.isUsed = true;
  versioned.isVersionUsed = true;
  return `${versioned.type}/${versioned.id}/_history/${versioned.version}`;
}

const ABSOLUTE = /^[A-Za-z][A-Za-z0-9+.-]*:/;

/** Throws a FhirError if the address has a meaning only in the Bundle, and no entry has it. */
function requireLeading(address: string, root: Root, { service }: TypeContext): void {
  if (ENTRY_ADDRESS.test(address)) {
    throw nowhere(
      'leads to no resource. In a transaction, it must be the fullUrl of an entry with POST or ' +
        'PUT. Entries of a batch cannot refer to each other.',
    );
  }
  const [, type = ''] = RELATIVE.exec(address) ?? [];
  if (root.isOwn || service.version.definitions.resource(type) === undefined) return;
  throw nowhere(
    `leads to no resource. By the fullUrl of its entry, it means ${root.url}/${address}, and no ` +
      'entry with POST or PUT has this fullUrl. Send the resource in an entry, or send its ' +
      `absolute address. Addresses of resources on this server begin with ${service.baseUrl}/.`,
  );
}

function nowhere(diagnostics: string): FhirError {
  return FhirError.of('invalid-resource', diagnostics);
}

/** Such an address has a meaning only in the Bundle. https://hl7.org/fhir/DSTU2/bundle.html#references */
const ENTRY_ADDRESS = /^urn:(uuid|oid):/i;

const RELATIVE = /^([A-Z][A-Za-z]*)\/[A-Za-z0-9\-.]{1,64}(?:\/_history\/[A-Za-z0-9\-.]{1,64})?$/;

/** The version that a sent resource has at its sender. */
export function sentVersionOf(resource: FhirObject | undefined): string | undefined {
  const meta = resource?.meta;
  return isObject(meta) && typeof meta.versionId === 'string' ? meta.versionId : undefined;
}
