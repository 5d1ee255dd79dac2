/** A notification: the version that it is about as headers, and its content as the body. */
import { createHash, createHmac } from 'node:crypto';
import type { Definitions } from '../../fhir/definitions/definitions.ts';
import { encodeBody } from '../../fhir/service/answer.ts';
import { parseStored } from '../../fhir/service/stored-resource.ts';
import type { Change } from '../../fhir/stored/repository.ts';
import type { Sealed } from './channel-seal.ts';
import type { ActiveSubscription } from './subscription.ts';

export interface Notification {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * The notification of a change. A deleted version, and a channel without a payload, have no body.
 * Its id does not depend on the position in the store, because a move gives versions other ones.
 * The date tells two versions apart that got the same number before and after a restore.
 * The signature is an HMAC-SHA-256 with the secret over the time, a full stop and the body.
 *
 * @param nowMs milliseconds since 1970
 */
export function notificationOf(
  change: Pick<Change, 'type' | 'id' | 'version' | 'writtenAt' | 'text'>,
  { id, payload, mediaType }: Pick<ActiveSubscription, 'id' | 'payload' | 'mediaType'>,
  { headers, secret }: Pick<Sealed, 'headers' | 'secret'>,
  nowMs: number,
  toXml: (text: string) => string,
): Notification {
  const { text } = change;
  const resource = `${change.type}/${change.id}/_history/${change.version}`;
  const hasBody = payload !== 'none' && text !== undefined;
  const notification = signedNotification(
    { name: `${id} ${resource} ${change.writtenAt}`, resource },
    hasBody ? { type: mediaType, text: payload === 'json' ? text : toXml(text) } : undefined,
    secret,
    nowMs,
  );
  const own = Object.fromEntries(headers.map(({ name, value }) => [name, value]));
  return { ...notification, headers: { ...own, ...notification.headers } };
}

/**
 * The headers that every notification has, and its body. `name`: names it among all, so that each
 * repeat has the same id. Without content, the body is empty. Without a secret, it has no signature.
 */
export function signedNotification(
  { name, resource }: { readonly name: string; readonly resource: string },
  content: { readonly type: string; readonly text: string } | undefined,
  secret: string | undefined,
  nowMs: number,
): Notification {
  const body = content?.text ?? '';
  return {
    headers: {
      'User-Agent': 'Gazetteer',
      ...(content !== undefined && { 'Content-Type': `${content.type};charset=utf-8` }),
      'Gazetteer-Delivery': createHash('sha256').update(name).digest('hex').slice(0, 32),
      'Gazetteer-Resource': resource,
      ...(secret !== undefined && { 'Gazetteer-Signature': signatureOf(body, secret, nowMs) }),
    },
    body,
  };
}

/** What an operator sends to try a receiver: it is about the subscription. */
export function testNotification(
  id: string,
  sealed: Pick<Sealed, 'headers' | 'secret'>,
  nowMs: number,
): Notification {
  const about = { type: 'Subscription', id, version: 0, writtenAt: `test ${nowMs}` };
  const channel = { id, payload: 'none', mediaType: '' } as const;
  const { headers, body } = notificationOf(about, channel, sealed, nowMs, () => '');
  return { headers: { ...headers, 'Gazetteer-Resource': `Subscription/${id}` }, body };
}

/** `t=1764172800,v1=…`: the time in seconds since 1970, and the signature in hexadecimal digits. */
function signatureOf(body: string, secret: string, nowMs: number): string {
  const time = Math.floor(nowMs / 1000);
  const signature = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
  return `t=${time},v1=${signature}`;
}

/** A stored text in XML. */
export function xmlOf(text: string, definitions: Definitions): string {
  const form = { format: 'xml', isPretty: false, contentType: '' } as const;
  return encodeBody(parseStored(text, definitions), form, definitions);
}
