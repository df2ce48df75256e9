// Downloads of handouts, from the room to the webhook and the statistics.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { TestWebinar } from './test-webinar.ts';
import { createTriggerWorld, type TriggerWorld } from './trigger-world.ts';

let world: TriggerWorld;
let webinar: TestWebinar;
beforeAll(async () => {
  world = await createTriggerWorld();
});
beforeEach(async () => {
  webinar = await world.createWebinar();
});
afterAll(() => world[Symbol.asyncDispose]());

const makeHandout = (headline: string): Promise<string> =>
  webinar.interaction({
    type: 'handout',
    headline,
    internalName: `${headline}, 2026`,
    url: 'https://files.example/slides.pdf',
    fileName: 'slides.pdf',
  });

const downloadOf = (id: string, headline: string) => ({
  interactionId: id,
  interaction: { id, headline, internal_name: `${headline}, 2026` },
});

test('the link of a handout records the download, redirects to the file, and is no click on an offer or CTA', async () => {
  const handout = await makeHandout('Slides');
  const downloads = await webinar.rule('handout_download');
  const clicks = [
    await webinar.rule('cta_click'),
    await webinar.rule('cta_click', { interactionId: handout }),
    await webinar.subscribe(['cta_click']),
  ];
  const guest = await webinar.attend();
  webinar.start();
  const [{ clickUrl }] = (await guest.visit()).json.interactions;
  const { status, headers } = await guest.follow(clickUrl);
  expect([status, headers.get('location')]).toEqual([
    302,
    expect.stringMatching(/^https:\/\/files\.example\/slides\.pdf\?/),
  ]);
  await webinar.expectSent(downloads, {
    guest,
    type: 'handout_download',
    data: downloadOf(handout, 'Slides'),
    at: world.clock.now(),
  });
  for (const hook of clicks) expect(await webinar.typesSent(hook)).toEqual([]);
});

test('a download starts a timer', async () => {
  const handout = await makeHandout('Slides');
  const after = await webinar.rule('time_elapsed_after_event', {
    event: 'handout_download',
    delayMinutes: 10,
  });
  const guest = await webinar.attend();
  webinar.start();
  await guest.click(handout);
  world.clock.advance(12 * 60);
  await world.tick();
  expect(await webinar.typesSent(after)).toEqual(['time_elapsed_after_event']);
  const [sent] = await webinar.sent(after);
  expect(sent!.body.event_data).toMatchObject({ sourceEvent: 'handout_download', elapsedMinutes: 10 });
});
