// A workspace with an API, and calls for rules and subscriptions.
import { callRest, createTestWorld, testApi, type TestApi, type TestWorld } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';

type Answer = Awaited<ReturnType<typeof callRest>>;

export interface AutomationWorld extends TestWorld, AsyncDisposable {
  service: TestApi;
  /** Calls a route below the webinar: `POST /webhooks`. */
  call(route: string, body?: unknown): Promise<Answer>;
  /** Registers an attendee. Returns the id of the registration. */
  register(email: string, rest?: Record<string, unknown>): Promise<string>;
  /** Waits until the newest delivery at this path has a status. Returns it. */
  // oxlint-disable-next-line typescript/no-explicit-any -- any answer
  untilNewest(deliveriesPath: string, status: string): Promise<any>;
}

export async function createAutomationWorld(): Promise<AutomationWorld> {
  const service = await testApi();
  const world = await createTestWorld(service);
  const { key, webinar } = world;
  const call: AutomationWorld['call'] = (route, body) => {
    const [method, path] = route.split(' ') as [string, string];
    return callRest(service, `${method} /webinars/${webinar.id}${path}`, { key, body });
  };
  return {
    ...world,
    service,
    call,
    async register(email, rest = {}) {
      const body = { name: 'Ada', email, sessionTime: webinar.sessionTime, ...rest };
      const { status, json } = await call('POST /registrations', body);
      if (status !== 201) throw new Error(`Registering was answered ${status}`);
      return json.data.id;
    },
    untilNewest: (path, status) =>
      eventually(`the newest delivery to be ${status}`, async () => {
        const [newest] = (await call(`GET ${path}?limit=1`)).json.data;
        return newest?.status === status && newest;
      }),
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}

/** The body of a rule that sends every registration to `url`. */
export const ruleTo = (url: string) => ({
  name: 'Mine',
  trigger: { type: 'registered' },
  action: { type: 'webhook', url },
});
