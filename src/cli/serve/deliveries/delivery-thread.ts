/** The program of the thread that delivers notifications. */
import { parentPort, workerData } from 'node:worker_threads';
import { sectionOf } from '../../../config/section.ts';
import { DSTU2 } from '../../../fhir/definitions/fhir-version.ts';
import {
  SUBSCRIBED_SEARCHES,
  storedSearchOf,
} from '../../../orders/order-response/search-parameters.ts';
import { mayFollowChanges } from '../../../orders/order-response/settings.ts';
import { SYSTEM_CLOCK } from '../../../orders/subscriptions/clock.ts';
import { Deliverer } from '../../../orders/subscriptions/deliverer.ts';
import { monotonicMs } from '../../../orders/subscriptions/delivery-holder.ts';
import { SUBSCRIPTION } from '../../../orders/subscriptions/subscription.ts';
import { createRepositoryClient } from '../../../storage/threads/repository-client.ts';
import { Slots } from '../../../threads/slots.ts';
import { configuredReceivers } from '../../subscriptions/receivers.ts';
import { subscriptionKeyOf } from '../../subscriptions/subscription-key.ts';
import type {
  DeliveryThreadData,
  FromDeliveryThread,
  ToDeliveryThread,
} from './delivery-messages.ts';

const { config, serverUrl, holder, mayDeliverUntil }: DeliveryThreadData = workerData;
const main = parentPort;
if (main === null) throw new Error('delivery-thread.ts is run by serve-deliveries.ts as a thread');

/** Requests that begin at a time, over all subscriptions. */
const REQUESTS_MAX = 256;
const FACTS_MS = 1_000;

const store = createRepositoryClient();
const receivers = configuredReceivers(config);
const deliverer = new Deliverer({
  store,
  receivers,
  holder,
  clock: SYSTEM_CLOCK,
  slots: new Slots(REQUESTS_MAX),
  definitions: DSTU2.definitions,
  giveUpMs: config['subscriptions.giveUpMinutes'] * 60_000,
  mayDeliver: () => monotonicMs() < (new Float64Array(mayDeliverUntil)[0] ?? 0),
  searches: SUBSCRIBED_SEARCHES,
  baseUrl: serverUrl,
  search: storedSearchOf(SUBSCRIPTION),
  key: () => subscriptionKeyOf(config),
  mayFollow: mayFollowChanges(sectionOf(config, 'orders')),
  onProblem: (subscription, problem) => post({ kind: 'problem', subscription, problem }),
  onFault: (problem) => post({ kind: 'fault', problem }),
});

const timer = setInterval(() => post({ kind: 'facts', facts: deliverer.facts }), FACTS_MS);

main.on('message', async (message: ToDeliveryThread) => {
  if (message.kind === 'orders') {
    store.reconnect(message.connection);
    return;
  }
  await deliverer.stop();
  post({ kind: 'facts', facts: deliverer.facts });
  clearInterval(timer);
  receivers.close();
  store.close();
  main.close();
});

deliverer.start();
post({ kind: 'ready' });

function post(message: FromDeliveryThread): void {
  main?.postMessage(message);
}
