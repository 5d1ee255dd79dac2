/** The scopes of the reference: which requests for order responses and the audit log need which. */
import { loadConfig } from '../src/config/load-config.ts';
import { sectionOf } from '../src/config/section.ts';
import type { Interaction, SystemInteraction } from '../src/fhir/service/interaction.ts';
import { writtenTypes } from '../src/fhir/service/stored-resource.ts';
import { createOrderService } from '../src/orders/order-response/service.ts';
import { AllowedHosts } from '../src/orders/subscriptions/allowed-hosts.ts';
import { createMemoryRepository } from '../test/storage/memory-repository.ts';

/** The cells of each row: the scope, and the requests that need it. */
export function scopeRows(): string[][] {
  const config = loadConfig({ flags: {}, environment: {} });
  const settings = sectionOf(config, 'orders');
  const { interactions, types } = createOrderService({
    settings: { ...settings, allowDelete: true },
    serverUrl: '',
    store: createMemoryRepository(),
    authorize: () => ({ subject: '' }),
    newId: () => '',
    subscriptions: {
      hosts: new AllowedHosts(),
      key: () => new Uint8Array(),
      ...sectionOf(config, 'subscriptions'),
    },
  });
  // One of the types that clients write is enough for a request to the whole service.
  const written = writtenTypes(types).map(({ name }) => name);
  const requests = [
    ...types.flatMap(({ name, interactions }) =>
      interactions.map((one) => ({ scope: scopeOf([name], one), request: requestOf(name, one) })),
    ),
    ...interactions.map((one) => ({
      scope: scopeOf(written, one),
      request: requestOf('', one),
    })),
  ];
  return Object.entries(Object.groupBy(requests, ({ scope }) => scope)).map(
    ([scope, same = []]) => [scope, requestsText(same.map(({ request }) => request))],
  );
}

/** Each method once: GET of `A`, `B`; POST of `C`. */
function requestsText(requests: readonly string[]): string {
  const byMethod = Map.groupBy(requests, (request) => request.split(' ')[0] ?? '');
  return Array.from(byMethod, ([method, same]) => {
    const paths = same.map((request) => `\`${request.slice(method.length + 1)}\``);
    return `${method} of ${paths.join(', ')}`;
  }).join('; ');
}

function scopeOf(types: readonly string[], { needs }: Interaction | SystemInteraction): string {
  if (needs === undefined) return 'none';
  const actions = needs === 'either' ? ['read', 'write'] : [needs];
  const scopes = types.flatMap((type) => actions.map((action) => `\`system/${type}.${action}\``));
  return scopes.join(' or ');
}

function requestOf(type: string, { method, path }: Interaction | SystemInteraction): string {
  return `${method} ${path.replace('[type]', type) || '[base]'}`;
}
