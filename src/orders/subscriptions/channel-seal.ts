/**
 * Encrypts what a channel must not show: the values of its headers and the secret that signs its
 * notifications. The ciphertext is a part of each version, so it is erased, moved and restored with
 * it. It also names who wrote the version and for which endpoint, so that it cannot be taken to
 * another subscription or endpoint.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { Identity } from '../../fhir/audit/audit.ts';
import type { FhirObject, Resource } from '../../fhir/format/resource.ts';
import {
  channelOf,
  extensionsOf,
  extensionText,
  type HeaderLine,
  headerLines,
  headerText,
  MASK,
  plainText,
  SEAL_URL,
  SECRET_URL,
} from './subscription.ts';

/** What the seal of a version has. */
export interface Sealed {
  readonly endpoint: string;
  readonly headers: readonly HeaderLine[];
  /** Signs notifications. Absent: they have no signature. */
  readonly secret?: string;
  /** Who wrote the version; absent if the service asks for no token. */
  readonly owner?: Identity;
}

/** The key of seals, of 32 bytes, from the key of the audit log, which all servers of a store have. */
export function sealKeyOf(auditKey: Uint8Array): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', auditKey, '', 'gazetteer subscriptions', 32));
}

/** What hides the secrets of a version that a client wrote. `lost`: masks that hide nothing known. */
export type Concealed =
  | { readonly resource: Resource }
  | { readonly lost: 'channel.header' | 'the secret' };

/**
 * The resource with masks and a seal in place of its secrets. A mask that the client sent back keeps
 * what the sent seal has, if the endpoint and the client are the same: no client makes the server send
 * the credentials of another one.
 */
export function conceal(
  resource: Resource,
  id: string,
  owner: Identity | undefined,
  key: Uint8Array,
): Concealed {
  const { extension: _, id: channelId, ...channel } = channelOf(resource);
  const all = channelOf(resource);
  const endpoint = plainText(channel.endpoint);
  const before = openSeal(resource, id, key);
  const isSame = before?.endpoint === endpoint && clientOf(before.owner) === clientOf(owner);
  const known = isSame ? before : undefined;
  const sent = headerLines(plainText(channel.header)) ?? [];
  const headers = sent.flatMap(({ name, value }) => {
    if (value !== MASK) return { name, value };
    return known?.headers.find((each) => each.name === name) ?? [];
  });
  if (headers.length < sent.length) return { lost: 'channel.header' };
  const sentSecret = extensionText(all, SECRET_URL);
  const secret = sentSecret === MASK ? known?.secret : sentSecret;
  if (sentSecret !== undefined && secret === undefined) return { lost: 'the secret' };
  const sealed: Sealed = {
    endpoint,
    headers,
    ...(secret !== undefined && { secret }),
    ...(owner !== undefined && { owner }),
  };
  const masked = headers.map(({ name }) => ({ name, value: MASK }));
  const extension: FhirObject[] = [
    ...extensionsOf(all).filter(({ url }) => url !== SECRET_URL && url !== SEAL_URL),
    ...(secret === undefined ? [] : [{ url: SECRET_URL, valueString: MASK }]),
    { url: SEAL_URL, valueString: seal(sealed, id, key) },
  ];
  return {
    resource: {
      ...resource,
      channel: {
        ...(channelId !== undefined && { id: channelId }),
        extension,
        ...channel,
        ...(headers.length > 0 && { header: headerText(masked) }),
      },
    },
  };
}

/** The program that wrote it, or who did without one, as for `orders.updates`. */
function clientOf(owner: Identity | undefined): string | undefined {
  return owner?.client ?? owner?.subject;
}

/** Undefined if the resource has no seal that the server made for the subscription with this id. */
export function openSeal(resource: Resource, id: string, key: Uint8Array): Sealed | undefined {
  const bytes = Buffer.from(extensionText(channelOf(resource), SEAL_URL) ?? '', 'base64');
  if (bytes.length <= NONCE_BYTES + TAG_BYTES) return undefined;
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const cipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(id)).setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    const text = cipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
    return JSON.parse(Buffer.concat([text, cipher.final()]).toString());
  } catch {
    return undefined;
  }
}

function seal(sealed: Sealed, id: string, key: Uint8Array): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(id));
  const text = [cipher.update(JSON.stringify(sealed)), cipher.final()];
  return Buffer.concat([nonce, ...text, cipher.getAuthTag()]).toString('base64');
}

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
