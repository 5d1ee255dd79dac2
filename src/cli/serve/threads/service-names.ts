/** The names of services in the counts of requests. */

import { ASSISTANTS_SERVICE_NAME } from '../../../interfaces/assistants/service.ts';
import { EVENTS_SERVICE_NAME } from '../../../interfaces/events/service.ts';
import { ORD_SERVICE_NAME } from '../../../interfaces/ord/service.ts';
import { CODE_SERVICE_NAMES } from '../../../interfaces/questions/service.ts';
import { REPORT_SERVICE_NAMES } from '../../../interfaces/reports/service.ts';
import { DIRECTORY_FACES } from '../../../interfaces/served-faces.ts';
import { ORDER_SERVICE_NAME } from '../../../orders/order-response/service.ts';

/** The services that a server can have: the labels of their requests, in the order of the counters. */
export const SERVICE_NAMES: readonly string[] = [
  ...DIRECTORY_FACES.map(({ name }) => name),
  ORD_SERVICE_NAME,
  ...REPORT_SERVICE_NAMES,
  ...CODE_SERVICE_NAMES,
  EVENTS_SERVICE_NAME,
  ASSISTANTS_SERVICE_NAME,
  ORDER_SERVICE_NAME,
];
