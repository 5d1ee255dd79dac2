/** Every method and path that the services and pages of a server answer. */
import { SOFTWARE } from '../src/config/version.ts';
import type { PlainService, Service } from '../src/fhir/service/interaction.ts';
import { createRouteTable, SYSTEM_TYPE } from '../src/fhir/service/route-table.ts';
import { openApiDownload } from '../src/fhir/statement/open-api.ts';
import type { DescribedServices } from './described-services.ts';

export interface ServerRoute {
  readonly method: string;
  /** With the names of its parameters: `/STU3/Organization/{id}`. */
  readonly path: string;
}

export interface DescribedRoute extends ServerRoute {
  /** FHIR's code of the interaction, or the `operationId` of another service. */
  readonly interaction: string;
  /** The type of its resources, if it has one. */
  readonly type?: string;
  readonly summary: string;
}

export function serviceRoutes(service: Service): readonly DescribedRoute[] {
  const base = new URL(service.baseUrl).pathname.replace(/\/$/, '');
  const routes = createRouteTable(service).endpoints.flatMap(({ name, type, interactions }) =>
    [...interactions].flatMap(([method, interaction]) => {
      if (method === 'HEAD') return [];
      const { summary } = interaction.describe(service, type);
      const { code } = interaction;
      const of = type.name === SYSTEM_TYPE ? undefined : type.name;
      const path = `${base}/${name}`;
      return [{ method, path, interaction: code, ...(of !== undefined && { type: of }), summary }];
    }),
  );
  const downloads = service.downloads.map(({ url, documentation }) =>
    downloadRoute(url, documentation),
  );
  return [...routes, ...downloads];
}

export function plainRoutes({ baseUrl, operations }: PlainService): readonly DescribedRoute[] {
  return Object.entries(operations).flatMap(([path, byMethod]) =>
    Object.entries(byMethod).map(([method, { operationId, summary }]) => ({
      method: method.toUpperCase(),
      path: `${new URL(baseUrl).pathname}${path === '' ? '' : `/${path}`}`,
      interaction: String(operationId),
      summary: String(summary),
    })),
  );
}

export function openApiRoute({ services, plainServices }: DescribedServices): DescribedRoute {
  const { url, documentation } = openApiDownload(services, SOFTWARE, plainServices);
  return downloadRoute(url, documentation);
}

export function pageRoutes({ web }: DescribedServices): readonly ServerRoute[] {
  return web.routes.map(({ method = 'GET', path }) => ({ method, path }));
}

/** All of them, as `GET /STU3/metadata`. */
export function namesOfRoutes(described: DescribedServices): readonly string[] {
  const routes = [
    ...described.services.flatMap(serviceRoutes),
    ...described.plainServices.flatMap(plainRoutes),
    openApiRoute(described),
    ...pageRoutes(described),
  ];
  return routes.map(({ method, path }) => `${method} ${path}`);
}

function downloadRoute(url: string, summary: string): DescribedRoute {
  return { method: 'GET', path: new URL(url).pathname, interaction: 'download', summary };
}
