/** The metrics of deliveries. */
import type { Metric, Sample } from '../../../server/operations/operation-server.ts';
import type { DeliveryFacts } from '../../../subscriptions/deliverer.ts';
import type { WebhookFacts } from '../../../subscriptions/webhooks.ts';

/** Undefined if there are no such receivers. */
export interface NotificationFacts {
  readonly deliveries: DeliveryFacts | undefined;
  readonly webhooks: WebhookFacts | undefined;
}

interface DeliveryMetric extends Metric {
  readonly samples: (facts: NotificationFacts) => readonly Sample[];
}

export const DELIVERY_METRICS: readonly DeliveryMetric[] = [
  gauge(
    'gazetteer_subscriptions',
    'Active subscriptions that this server delivers to.',
    ({ active }) => active,
  ),
  gauge(
    'gazetteer_subscriptions_failing',
    'Active subscriptions whose last delivery failed, and those with the status error.',
    ({ failing }) => failing,
  ),
  gauge(
    'gazetteer_notifications_pending',
    'Notifications that were read and not yet delivered, at most 100 for each subscription.',
    ({ pending }) => pending,
  ),
  gauge(
    'gazetteer_notification_age_seconds',
    'Age of the oldest notification that is not yet delivered; 0 if there is none.',
    ({ oldestMs }) => (oldestMs === null ? 0 : Math.max(0, (Date.now() - oldestMs) / 1000)),
  ),
  {
    name: 'gazetteer_notifications_total',
    type: 'counter',
    help: 'Attempts to deliver a notification.',
    labels: ['outcome'],
    samples: ({ deliveries }) => outcomesOf(deliveries),
  },
  {
    name: 'gazetteer_webhooks_failing',
    type: 'gauge',
    help: 'Receivers of subscriptions.webhooks that have not accepted the current edition.',
    labels: [],
    samples: ({ webhooks }) =>
      webhooks === undefined ? [] : [{ labels: [], value: webhooks.failing }],
  },
  {
    name: 'gazetteer_webhook_notifications_total',
    type: 'counter',
    help: 'Attempts to announce an edition to a receiver.',
    labels: ['outcome'],
    samples: ({ webhooks }) => outcomesOf(webhooks),
  },
];

function outcomesOf(
  counts: Pick<DeliveryFacts, 'delivered' | 'failed'> | undefined,
): readonly Sample[] {
  if (counts === undefined) return [];
  return (['delivered', 'failed'] as const).map((outcome) => ({
    labels: [outcome],
    value: counts[outcome],
  }));
}

function gauge(
  name: string,
  help: string,
  valueIn: (facts: DeliveryFacts) => number,
): DeliveryMetric {
  const samples: DeliveryMetric['samples'] = ({ deliveries }) =>
    deliveries === undefined ? [] : [{ labels: [], value: valueIn(deliveries) }];
  return { name, type: 'gauge', help, labels: [], samples };
}
