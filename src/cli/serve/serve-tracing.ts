/** The traces of a server thread: of its pages and its calls of the store. */
import type { Pages } from '../../server/http-listener.ts';
import type { FollowCall } from '../../storage/threads/repository-client.ts';
import { nameRequest } from '../../telemetry/request-tracing.ts';
import type { Tracing } from '../../telemetry/tracing.ts';
import type { Web } from '../../web/web.ts';

/** Gives each request for a page its trace, because Fastify answers later, outside of the trace. */
export function tracePages(pages: Web, tracing: Tracing): Pages {
  return {
    ...pages,
    handle: (incoming, outgoing, request) => {
      const { current, request: span } = tracing;
      const trace = current && {
        id: current.traceId,
        setRoute: (route: string) => {
          const template = route.replaceAll(/:(\w+)/g, '{$1}');
          nameRequest(span, incoming.method ?? '', template);
        },
      };
      pages.handle(incoming, outgoing, trace === undefined ? request : { ...request, trace });
    },
  };
}

/** Records a span for each call of the store, and in it a span for the transaction of the call. */
export function followCalls(tracing: Tracing): FollowCall | undefined {
  const { recorder } = tracing;
  if (recorder === undefined) return undefined;
  return (name) => {
    const span = tracing.begin({ name: `store ${name}`, kind: 'internal' });
    return ({ batch, failure }) => {
      if (batch !== undefined && span !== undefined) {
        const { startMs, endMs, calls } = batch;
        const attributes = { 'db.operation.batch.size': calls };
        recorder
          .start({ name: 'store transaction', kind: 'internal', attributes, startMs }, span.context)
          .end({ endMs });
      }
      span?.end({ error: failure });
    };
  };
}
