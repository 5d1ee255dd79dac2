/** The rules of the service for subscriptions, in addition to those of FHIR. */
import type { Resource } from '../fhir/format/resource.ts';
import type { Finding } from '../fhir/rules/finding.ts';
import { FhirError } from '../fhir/service/fhir-error.ts';
import type { Review, WriteRules, Writer } from '../fhir/stored/stored-type.ts';
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
  SUBSCRIPTION,
} from './subscription.ts';

export interface SubscriptionRulesOptions extends CriteriaOptions {
  readonly hosts: AllowedHosts;
  /** The key of seals; called for each write. */
  readonly key: () => Uint8Array;
}

/** What a service needs to let clients write subscriptions. */
export function subscriptionRules(
  options: SubscriptionRulesOptions,
): Required<Pick<WriteRules, 'review' | 'prepare'>> {
  return {
    review: (resource) => review(resource, options),
    prepare: (resource, id, writer) => prepare(resource, id, writer, options),
  };
}

function review(resource: Resource, options: SubscriptionRulesOptions): Review {
  const channel = channelOf(resource);
  const isOff = resource.status === 'off';
  const findings = [
    ...(['requested', 'off'].includes(plainText(resource.status))
      ? []
      : [broken('status', 'Send the status requested or off. The server sets the others.')]),
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

/** Refuses a client that may not read what would be delivered, and hides the secrets. */
async function prepare(
  resource: Resource,
  id: string,
  { identity, mayRead }: Writer,
  { key, ...options }: SubscriptionRulesOptions,
): Promise<Resource> {
  const { type = '' } = parseCriteria(plainText(resource.criteria), options) ?? {};
  if (resource.status !== 'off' && !(await mayRead(type))) {
    const text = `A subscription to ${type} needs the scope system/${type}.read.`;
    throw FhirError.of('forbidden', text, { location: '/f:Subscription/f:criteria' });
  }
  const concealed = conceal(ownOf(resource), id, identity, key());
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
