import type { BrowserContext, Request } from 'playwright-core';
import { createRule, register, startMoodyReceiver } from '../browser/webhook-world.ts';
import { callRest, createTestWorld, testApi } from '../support/api.ts';
import type { TestBrowser } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { signIn } from '../support/sign-in.ts';
import { testWorker } from '../support/worker.ts';

/**
 * The paths that idle tabs of the main pages request beside the stream of changes, while a delivery waits for its next try: of all these
 * pages, or of every fourth one.
 */
export async function findBusyTabs(
  browser: TestBrowser,
  { isWhole }: { isWhole: boolean },
): Promise<string[]> {
  const retryScheduleSeconds = [0, 86_400];
  await using service = await testApi({ options: { retryScheduleSeconds } });
  await using _worker = await testWorker(service.db.url, { retryScheduleSeconds });
  await using receiver = await startMoodyReceiver(500);
  const world = await createTestWorld(service);
  await createRule(service, world, receiver.url);
  await register(service, world, 'ada@example.com');
  await eventually('a failed try', () => receiver.received.length === 1);
  const rules = await callRest(service, `GET /webinars/${world.webinar.id}/automations`, { key: world.key });
  const all = mainPages(`webinars/${world.webinar.id}`, rules.json.data[0].id);
  const context = await browser.newContext();
  await context.clock.install();
  const requests = watchRequests(context);
  const first = await context.newPage();
  await signIn(first, service, world);
  for (const path of isWhole ? all : all.filter((_, index) => index % 4 === 0)) {
    const page = await context.newPage();
    await page.goto(`${service.baseUrl}/w/${world.accountId}/${path}`);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await page.waitForLoadState('load');
  }
  // Another tab opens a stream, which may be without a message for 40 s.
  await first.close();
  await eventually('the stream of another tab', () => streamsIn(requests.paths) === 2);
  await context.clock.runFor(3000);
  await eventually('the last answers', () => requests.open.size === 0);
  const before = requests.paths.length;
  await context.clock.runFor(25_000);
  return requests.paths.slice(before);
}

const mainPages = (webinar: string, ruleId: string): string[] => [
  'webhooks?tab=deliveries',
  'webinars',
  webinar,
  `${webinar}/schedule`,
  `${webinar}/automations`,
  `${webinar}/page`,
  `${webinar}/interactions`,
  `${webinar}/adaptive`,
  `${webinar}/rule/${ruleId}`,
  `${webinar}/sessions`,
  `${webinar}/registrations`,
  `${webinar}/webhooks`,
  'revenue',
  'webhooks',
  'settings/revenue',
  'settings/keys',
  'settings/activity',
  'ai-tools',
  'settings/members',
];

const streamPath = '/trpc/accounts.stream';

/** The paths of all requests of a context, and those that have no answer yet. A stream has none. */
export function watchRequests(context: BrowserContext) {
  const paths: string[] = [];
  const open = new Set<Request>();
  context.on('request', (request) => {
    const path = new URL(request.url()).pathname;
    paths.push(path);
    if (path !== streamPath) open.add(request);
  });
  context.on('requestfinished', (request) => open.delete(request));
  context.on('requestfailed', (request) => open.delete(request));
  return { paths, open };
}

export const streamsIn = (paths: readonly string[]): number =>
  paths.filter((path) => path === streamPath).length;
