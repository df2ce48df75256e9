import { toolCatalogue, type Service, type ServiceOptions } from '@service/composition';
import { createMcpHandler, type McpHandler } from '@service/mcp';
import type { ChainOptions } from '@service/surface';
import { createMcpResources } from './mcp-resources.ts';

interface McpHandlerOptions extends Pick<ServiceOptions, 'baseUrl'> {
  chain: ChainOptions;
  corsAllowedOrigins: readonly string[];
}

const instructions = `Webinars: sessions, registrations, offers and polls, and automation rules that send webhooks.
Begin with list_webinars, because most tools need a webinarId. Times are ISO 8601 in UTC; a schedule is in the time zone of its webinar.
Lists have 20 rows at most: pass pagination.nextCursor as cursor for more.
Pass an idempotency_key, such as a new UUID, with every write, and the same one when you repeat it.
Ask the user before a tool that is destructive or that people notice: publishing, registering, cancelling, sending again.
Webhook subscriptions belong to the REST API. Here you connect a receiver with create_automation.`;

/** Answers `/mcp`. Pages of this service and of the allowed origins may call it; programs send no `Origin`. */
export const createMcp = (
  service: Pick<Service, 'docsUrl'>,
  { baseUrl, chain, corsAllowedOrigins }: McpHandlerOptions,
): McpHandler =>
  createMcpHandler({
    ...chain,
    identity: { name: 'webinars', title: 'Webinar service', version: '1.0.0' },
    instructions,
    tools: toolCatalogue,
    resources: createMcpResources({ router: chain.router, docsUrl: service.docsUrl }),
    allowedOrigins: [new URL(baseUrl).origin, ...corsAllowedOrigins],
  });
