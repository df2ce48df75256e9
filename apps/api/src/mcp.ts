import { protectedResource, toolCatalogue, type Service, type ServiceOptions } from '@service/composition';
import { createMcpHandler, createTools, grantScheme, type McpHandler } from '@service/mcp';
import { keyScheme, type ChainOptions } from '@service/surface';
import { createMcpResources } from './mcp-resources.ts';

interface McpHandlerOptions extends Pick<ServiceOptions, 'baseUrl'> {
  chain: Omit<ChainOptions, 'credentials'>;
  corsAllowedOrigins: readonly string[];
}

const instructionsOf = (
  baseUrl: string,
): string => `Webinars: sessions, registrations, offers and polls, and automation rules that send webhooks.
Begin with list_webinars, because most tools need a webinarId. Times are ISO 8601 in UTC; a schedule is in the time zone of its webinar.
Lists have 20 rows at most: pass pagination.nextCursor as cursor for more.
To change a record only if it is unchanged, pass the version of its result as if_match.
Pass an idempotency_key, such as a new UUID, with every write, and the same one when you repeat it.
Ask the user before a tool that is destructive or that people notice: publishing, registering, cancelling, sending again.
Each call takes one unit of the rate limit of the workspace, which the REST API shares, however many rows it returns.
No result has a secret. The user reveals the secret of a rule at ${baseUrl}/w/WORKSPACE_ID/webinars/WEBINAR_ID/rule/RULE_ID; get_me has the id of the workspace.
Webhook subscriptions are read here and changed over REST or in the dashboard. Here you connect a receiver with create_automation.
For webhooks that fail begin with list_webhook_endpoints.`;

interface McpHandlers {
  /** Answers `/mcp`: API keys. It never mentions authorization servers, because clients drop a configured key when they find one. */
  keys: McpHandler;
  /** Answers `/mcp/connect`: access tokens of connectors. */
  grants: McpHandler;
}

/** The same tools for two kinds of credentials. Pages of this service and of the allowed origins may call; programs send no `Origin`. */
export function createMcp(
  service: Pick<Service, 'docsUrl' | 'admitKey' | 'admitGrant'>,
  { baseUrl, chain, corsAllowedOrigins }: McpHandlerOptions,
): McpHandlers {
  const shared = {
    ...chain,
    identity: { name: 'webinars', title: 'Webinar service', version: '1.0.0' },
    instructions: instructionsOf(baseUrl),
    tools: createTools(chain.router, toolCatalogue),
    resources: createMcpResources({ router: chain.router, docsUrl: service.docsUrl }),
    allowedOrigins: [new URL(baseUrl).origin, ...corsAllowedOrigins],
  };
  return {
    keys: createMcpHandler({ ...shared, path: '/mcp', credentials: keyScheme(service.admitKey) }),
    grants: createMcpHandler({
      ...shared,
      path: protectedResource.path,
      credentials: grantScheme(service.admitGrant, `${baseUrl}${protectedResource.metadataPath}`),
    }),
  };
}
