// A workspace with one of everything, a key for each scope, and the paths and tools of the service.
import { eventCatalogue } from '@service/automations';
import { allScopes, type Scope } from '@service/catalogue';
import { toolCatalogue } from '@service/composition';
import { createTools, type Tool } from '@service/mcp';
import { listRoutes, type Route } from '@service/rest';
import { callRest, createTestKey, testApi, type TestApi } from '../support/api.ts';
import { createEverything, type Everything } from '../support/everything.ts';
import { callMcp, type McpAnswer } from '../support/mcp.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';

const hasAmount = ({ sample }: (typeof eventCatalogue)[number]): boolean =>
  Object.keys(sample.event_data).some((name) => /amount|currency|revenue/i.test(name));

/** The event types whose webhooks have an amount. */
export const moneyTypes = eventCatalogue.filter(hasAmount).map(({ type }) => type as string);

/** The scopes with which a key reads the body of a delivery, but no revenue. */
export const readBodies: readonly Scope[] = ['automations:read', 'registrations:read'];

type Answer = Awaited<ReturnType<typeof callRest>>;

export interface ScopeWorld extends AsyncDisposable {
  service: TestApi;
  /** A receiver may repeat the body in its answer, which is stored too. */
  echo: Receiver;
  world: Everything;
  routes: Route[];
  tools: Tool[];
  /** By scopes, with commas between: each scope alone, and two pairs. */
  keys: ReadonlyMap<string, string>;
  keyOf(...scopes: readonly Scope[]): string;
  /** Below /webinars. */
  rulesAt: string;
  rest(route: string, key: string, body?: object): Promise<Answer>;
  callTool(name: string, key: string, given: object): Promise<McpAnswer>;
}

export async function createScopeWorld(): Promise<ScopeWorld> {
  const service = await testApi();
  const echo = await startReceiver((_request, response) => response.end(echo.received.at(-1)!.body));
  const world = await createEverything(service, echo.url);
  const keys = new Map<string, string>();
  const pairs: (readonly Scope[])[] = [readBodies, ['automations:read', 'revenue:read']];
  for (const scopes of [...allScopes.map((scope) => [scope]), ...pairs])
    keys.set(scopes.join(), (await createTestKey(service, world.accountId, { scopes })).key);
  return {
    service,
    echo,
    world,
    routes: listRoutes(service.api.service.router),
    tools: createTools(service.api.service.router, toolCatalogue),
    keys,
    keyOf: (...scopes) => keys.get(scopes.join())!,
    rulesAt: `/webinars/${world.ids['webinarId']}/automations`,
    rest: (route, key, body) => callRest(service, route, { key, body }),
    callTool: (name, key, given) =>
      callMcp(service, { id: 1, method: 'tools/call', params: { name, arguments: given } }, { key }),
    async [Symbol.asyncDispose]() {
      await echo[Symbol.asyncDispose]();
      await service[Symbol.asyncDispose]();
    },
  };
}
