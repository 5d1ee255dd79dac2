/** The messages between the main thread and the thread that delivers notifications. */
import type { Config } from '../../../config/settings.ts';
import type { DeliveryFacts } from '../../../orders/subscriptions/delivery-store.ts';
import type { OrdersConnection } from '../../../storage/threads/repository-messages.ts';

export interface DeliveryThreadData {
  readonly config: Config;
  readonly serverUrl: string;
  /** As the lease names this server. Undefined: there is no lease. */
  readonly holder: string | undefined;
  /** Until when this server may deliver, as `monotonicMs` has it: one float. */
  readonly mayDeliverUntil: SharedArrayBuffer;
}

/** From the main thread. */
export type ToDeliveryThread =
  | { readonly kind: 'orders'; readonly connection: OrdersConnection }
  | { readonly kind: 'stop' };

/** To the main thread. */
export type FromDeliveryThread =
  | { readonly kind: 'ready' }
  | { readonly kind: 'facts'; readonly facts: DeliveryFacts }
  | { readonly kind: 'problem'; readonly subscription: string; readonly problem: string }
  | { readonly kind: 'fault'; readonly problem: string };
