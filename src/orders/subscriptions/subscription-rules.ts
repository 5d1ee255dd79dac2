/** The rules of the service for subscriptions, in addition to those of FHIR. */
import type { Resource } from '../../fhir/format/resource.ts';
import { FhirError } from '../../fhir/request/fhir-error.ts';
import type { Finding } from '../../fhir/request/finding.ts';
import type { Review, WriteRules, Writer } from '../../fhir/stored/stored-type.ts';
import type { AllowedHosts } from './allowed-hosts.ts';
import { conceal } from './channel-seal.ts';
import {
  type CriteriaOptions,
  channelOf,
  extensionsOf,
  type HeaderLine,
  headerLines,
  MASK,
  parseCriteria,
  payloadOf,
  plainText,
  SECRET_URL,
  STATUS_CODES,
  SUBSCRIPTION,
  withStatus,
} from './subscription.ts';

export interface SubscriptionRulesOptions extends CriteriaOptions {
  readonly hosts: AllowedHosts;
  /** The key of seals; called for each write. */
  readonly key: () => Uint8Array;
  /** Whether clients may follow the changes of the types: a notification is such a change. */
  readonly mayFollow: boolean;
}

/** What a service needs to let clients write subscriptions. */
export function subscriptionRules(
  options: SubscriptionRulesOptions,
): Required<Pick<WriteRules, 'review' | 'prepare'>> {
  return {
    review: (resource, isNew) => review(resource, isNew, options),
    prepare: (resource, id, writer) => prepare(resource, id, writer, options),
  };
}

function review(resource: Resource, isNew: boolean, options: SubscriptionRulesOptions): Review {
  const channel = channelOf(resource);
  const status = plainText(resource.status);
  const isOff = status === 'off';
  const findings = [
    // `prepare` compares the status of an update with the stored one.
    ...(isNew && !isOfClients(status) ? [broken('status', WRONG_STATUS)] : []),
    ...(isOff || options.mayFollow ? [] : [broken('status', NOT_FOLLOWED)]),
    ...criteriaFindings(plainText(resource.criteria), options),
  ];
  if (channel.type !== undefined && channel.type !== 'rest-hook') {
    findings.push(broken('channel/f:type', 'channel.type must be rest-hook.'));
  }
  const endpoint = plainText(channel.endpoint);
  const refusal = isOff ? undefined : options.hosts.refusalOf(endpoint);
  if (endpoint === '') {
    findings.push(broken('channel', 'Send channel.endpoint: the URL that gets the notifications.'));
  } else if (refusal !== undefined) {
    findings.push(broken('channel/f:endpoint', `channel.endpoint is refused. ${refusal}`));
  }
  if (payloadOf(channel) === undefined) {
    const text = 'channel.payload must be application/json, application/xml or blank.';
    findings.push(broken('channel/f:payload', text));
  }
  const headers = headerLines(plainText(channel.header));
  if (headers === undefined) findings.push(WRONG_HEADER);
  else if (!isShort(headers)) findings.push(LONG_HEADER);
  const secrets = extensionsOf(channel).filter(({ url }) => url === SECRET_URL);
  const isSecret = (text: string) => text === MASK || /^.{16,256}$/s.test(text);
  if (secrets.length > 1 || secrets.some((each) => !isSecret(plainText(each.valueString)))) {
    findings.push(WRONG_SECRET);
  }
  return { findings, warnings: [] };
}

/** The server sets the others. */
function isOfClients(status: string): boolean {
  return status === 'requested' || status === 'off';
}

const WRONG_STATUS = 'Send the status requested or off. The server sets the others.';

const STALE_STATUS =
  'Send the status requested or off, or the current one. The server sets the others.';

const NOT_FOLLOWED =
  'This server sends no notifications, because it does not let clients follow changes. Its ' +
  'operator can add history-type to orders.interactions. Until then, send the status off.';

/** Receivers accept so many, and a version is not much longer than its headers. */
function isShort(headers: readonly HeaderLine[]): boolean {
  const isLong = ({ name, value }: HeaderLine) => name.length + value.length > HEADER_LENGTH_MAX;
  return headers.length <= HEADERS_MAX && !headers.some(isLong);
}

const HEADERS_MAX = 20;
const HEADER_LENGTH_MAX = 4096;

/** Each problem of the criteria, which its text names by parameter. */
function criteriaFindings(text: string, options: SubscriptionRulesOptions): Finding[] {
  const types = [...options.searches.keys()];
  try {
    if (text === '' || parseCriteria(text, options) !== undefined) return [];
    const remedy = `Begin them with ${types.map((type) => `${type}?`).join(' or ')}.`;
    const problem = `The criteria "${text}" do not begin with a type of this server.`;
    return [broken('criteria', `${problem} ${remedy}`)];
  } catch (error) {
    if (!(error instanceof FhirError)) throw error;
    return error.issues.map(({ diagnostics }) => broken('criteria', diagnostics));
  }
}

/**
 * Refuses a status that the server has not set, and a client that may not read what would be
 * delivered. Hides the secrets.
 */
async function prepare(
  resource: Resource,
  id: string,
  { identity, mayRead, current }: Writer,
  { key, ...options }: SubscriptionRulesOptions,
): Promise<Resource> {
  const { type = '' } = parseCriteria(plainText(resource.criteria), options) ?? {};
  if (resource.status !== 'off' && !(await mayRead(type))) {
    const text = `A subscription to ${type} needs the scope system/${type}.read.`;
    throw FhirError.of('forbidden', text, { location: '/f:Subscription/f:criteria' });
  }
  const own = await withStoredStatus(ownOf(resource), current);
  const concealed = conceal(own, id, identity, key());
  if ('resource' in concealed) return concealed.resource;
  const { lost } = concealed;
  const problem =
    `The seal has no value for the mask in ${lost}. Only the client that sent the value can keep ` +
    'it, and only for the same channel.endpoint.';
  const remedy = `Send ${lost} again without the mask, or leave it out.`;
  throw FhirError.of('rule-broken', `${problem} ${remedy}`, {
    location: '/f:Subscription/f:channel',
  });
}

/** A client may send back the status that it read, which keeps the error that belongs to it. */
async function withStoredStatus(resource: Resource, current: Writer['current']): Promise<Resource> {
  if (isOfClients(plainText(resource.status))) return resource;
  const stored = await current();
  const status = STATUS_CODES.find((each) => each === stored?.status);
  if (status === undefined || status !== resource.status) {
    throw FhirError.of('rule-broken', STALE_STATUS, { location: '/f:Subscription/f:status' });
  }
  return withStatus(resource, status, plainText(stored?.error) || undefined);
}

/** The resource without what only the server sets, and without the spaces around the criteria. */
function ownOf({ error: _error, _error: _more, ...resource }: Resource): Resource {
  const { criteria } = resource;
  return { ...resource, ...(typeof criteria === 'string' && { criteria: criteria.trim() }) };
}

function broken(element: string, text: string): Finding {
  return { path: `/f:${SUBSCRIPTION}/f:${element}`, code: 'business-rule', text };
}

const WRONG_HEADER = broken(
  'channel/f:header',
  'channel.header must be lines of the form "Name: value" in ASCII, each name once, and none that the server sets, such as Content-Type.',
);

const LONG_HEADER = broken(
  'channel/f:header',
  `channel.header can have at most ${HEADERS_MAX} headers, each of at most ${HEADER_LENGTH_MAX} characters.`,
);

const WRONG_SECRET = broken(
  'channel',
  `Send the secret (${SECRET_URL}) at most once, as a valueString of 16 to 256 characters.`,
);
