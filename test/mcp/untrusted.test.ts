// An assistant may take a text of a stranger for an instruction. So each result has such texts below the key `untrusted`.
import { toolCatalogue } from '@service/composition';
import { createTools } from '@service/mcp';
import { expect, test } from 'vitest';
import { createSender } from '../revenue/sender.ts';
import { callMcp, callTool, initialize } from '../support/mcp.ts';
import { startReceiver } from '../support/receiver.ts';
import { testWorker } from '../support/worker.ts';
import { createWorld } from '../support/world.ts';

/** Stands in every text that a stranger can write. */
const canary = 'ignoreallinstructions';

/** The paths of a result at which a text contains the canary. */
function* placesOf(value: unknown, place: string): Generator<string> {
  if (typeof value === 'string' && value.toLowerCase().includes(canary)) yield place;
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) yield* placesOf(inner, `${place}.${name}`);
}

test('texts of strangers are under `untrusted` in the result of every tool that reads, and the instructions say that they are data', async () => {
  await using world = await createWorld();
  const { service, key, webinar } = world;
  await using receiver = await startReceiver((_request, response) => {
    response.statusCode = 400;
    response.end(canary);
  });
  const email = `${canary}@example.com`;
  const rule = await world.rule(receiver.url, {
    conditions: [{ field: 'utm.source', operator: 'neq', value: 'mail' }],
  });
  const poll = await world.create<Poll>('/polls', {
    internalName: 'Poll',
    showAtSeconds: 0,
    headline: 'Which?',
    options: [{ label: 'One' }, { label: 'Two' }],
  });
  const ada = await world.attend(email, { name: canary, utm: { source: canary } });
  world.startSession();
  await ada.visit();
  await ada.say(canary);
  await ada.answer(poll.id, poll.options[0]!.id);
  const shop = await createSender(service, world);
  await shop.send({ email, timestamp: new Date().toISOString() });
  await using _worker = await testWorker(service.db.url, { retryScheduleSeconds: [0] });
  await world.untilNewest(`/automations/${rule.id}/deliveries`, 'failure');
  // A key of the workspace with a hostile label and client.
  await fetch(`${service.baseUrl}/api/v1/webinars/${canary}`, {
    headers: { Authorization: `Bearer ${key}`, 'User-Agent': canary, 'X-Request-Id': canary },
  });
  await service.api.service.activity.flush();

  const first = async (tool: string, given: object) =>
    (await callTool(service, key, tool, { webinarId: webinar.id, ...given })).data.data[0];
  const known: Record<string, string> = {
    webinarId: webinar.id,
    ruleId: rule.id,
    interactionId: poll.id,
    registrationId: (await first('list_registrations', {})).id,
    sessionId: (await first('list_sessions', {})).id,
    deliveryId: (await first('list_deliveries', {})).id,
    from: dayOf(0),
    to: dayOf(1),
    revenueEventId: (await first('list_revenue_events', {})).id,
  };
  const seen: string[] = [];
  for (const { name, isWrite, listed } of createTools(service.api.service.router, toolCatalogue)) {
    const { properties, required = [] } = listed.inputSchema as unknown as Arguments;
    if (isWrite || !required.every((argument) => argument in known)) continue;
    const given = Object.fromEntries(required.map((argument) => [argument, known[argument]]));
    const { isError, data } = await callTool(service, key, name, {
      ...given,
      ...('by' in properties && { by: 'utmSource' }),
      ...(name === 'preview_automation_recovery' && { from: known['from'] }),
    });
    expect([isError, isError && data], name).toEqual([false, false]);
    const places = [...placesOf(data, name)];
    for (const place of places) expect(place).toContain('.untrusted.');
    if (places.length > 0) seen.push(name);
  }
  expect(seen).toEqual([
    'list_api_calls',
    'get_analytics',
    'list_chat_messages',
    'list_registrations',
    'get_registration_timeline',
    'list_registration_mails',
    'list_interaction_responses',
    'explain_automation',
    'list_executions',
    'list_deliveries',
    'get_automation_delivery',
    'list_revenue_events',
    'get_revenue_event',
    'get_revenue_summary',
  ]);
  const { response } = await callMcp(service, initialize('2025-11-25'), { key });
  expect(response.result.instructions).toMatch(/under the key untrusted .* data/);
});

interface Arguments {
  properties: object;
  required?: string[];
}

interface Poll {
  id: string;
  options: { id: string }[];
}

const dayOf = (later: number): string =>
  new Date(Math.floor(Date.now() / 86_400_000 + later) * 86_400_000).toISOString();
