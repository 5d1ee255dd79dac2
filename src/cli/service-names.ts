/** The names of all services that a server can have: the labels of their requests in metrics. */
import { DIRECTORY_FACES } from '../directory/faces.ts';
import { ORD_SERVICE_NAME } from '../directory/ord/service.ts';
import { ORDER_SERVICE_NAME } from '../order-response/service.ts';

export const SERVICE_NAMES: readonly string[] = [
  ...DIRECTORY_FACES.map(({ name }) => name),
  ORD_SERVICE_NAME,
  ORDER_SERVICE_NAME,
];
