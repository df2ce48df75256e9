import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { createTestAccount, createTestKey, type TestApi } from '../support/api.ts';
import { test } from '../support/browser-test.ts';
import { eventually } from '../support/eventually.ts';
import { signIn } from '../support/sign-in.ts';
import { createWorld } from '../support/world.ts';

const wide = { viewport: { width: 1440, height: 900 } };

async function sessionWorld(service: TestApi) {
  const account = await createTestAccount(service);
  const { key } = await createTestKey(service, account.accountId);
  const world = await createWorld({ beside: { service }, workspace: { ...account, key } });
  return { ...world, account };
}

async function openSessions(page: Page): Promise<void> {
  await page.getByText('Launch', { exact: true }).first().click();
  await page.getByRole('tab', { name: 'Sessions' }).click();
}

const list = (page: Page, name: string) =>
  page.getByRole('radiogroup', { name: 'Sessions' }).getByText(name, { exact: true }).click();

const sessions = (page: Page) => page.getByRole('region', { name: 'Sessions' });

test('an API-controlled session is created, started, moved on, seen as a test attendee, ended and reset on its page, and a message is hidden', async ({
  service,
  browser,
}) => {
  const world = await sessionWorld(service);
  const page = await browser.newPage(wide);
  await signIn(page, service, world.account);
  await openSessions(page);

  await page.getByRole('button', { name: 'Create API-controlled session' }).click();
  await page.getByLabel('Starts at').fill('2020-01-01T10:00');
  await page.getByRole('button', { name: 'Create session' }).click();
  await page.getByText('Must be in the future.').waitFor();
  await page.getByLabel('Starts at').fill('2099-01-01T10:00');
  await page.getByRole('button', { name: 'Create session' }).click();
  await page.getByText('The session was created.').waitFor();
  const { json } = await world.call('GET /sessions');
  const { id, startsAt } = json.data.find(({ control }: { control: string }) => control === 'api');
  expect(startsAt).toBe('2099-01-01T10:00:00.000Z');
  const read = async () => (await world.call(`GET /sessions/${id}`)).json.data;

  const spammer = await world.attend('spam@example.com', { sessionTime: startsAt });

  await page
    .getByRole('row', { name: /API-controlled/ })
    .getByRole('button')
    .first()
    .click();
  await page.getByRole('button', { name: 'Start session' }).click();
  await page.getByLabel('Position').waitFor();
  expect((await read()).status).toBe('live');
  await page.getByLabel('Position').fill('11:00');
  await page.getByText('At most 10:00, the length.').waitFor();
  await page.getByLabel('Position').fill('2:05');
  await page.getByRole('button', { name: 'Seek' }).click();
  await page.getByText('Now at 2:05 of 10:00.').waitFor();
  expect((await read()).positionSeconds).toBe(125);

  const opening = page.context().waitForEvent('page');
  await page.getByRole('button', { name: 'Open as a test attendee' }).click();
  const room = await opening;
  await room.getByText('Test attendee: not counted').waitFor();
  await spammer.visit();
  await spammer.say('Buy this elsewhere');
  const heard = room.getByRole('log', { name: 'Chat messages' }).getByText('Buy this elsewhere');
  await heard.waitFor();
  await page.getByRole('button', { name: 'Hide the message of' }).click();
  await heard.waitFor({ state: 'detached' });
  await room.close();

  await page.getByRole('button', { name: 'End session…' }).click();
  await page.getByRole('button', { name: 'End session', exact: true }).click();
  await page.getByRole('dialog', { name: 'Session' }).getByText('Ended', { exact: true }).first().waitFor();
  expect((await read()).status).toBe('ended');
  await page.getByRole('button', { name: 'Reset…' }).click();
  await page.getByRole('button', { name: 'Reset session', exact: true }).click();
  await page.getByRole('button', { name: 'Start session' }).waitFor();
  expect(await read()).toMatchObject({ status: 'scheduled', positionSeconds: 0 });
  // The drawer is part of the address.
  await page.reload();
  await page.getByRole('button', { name: 'Start session' }).waitFor();
});

test('a session is moved, and cancelled after its people were moved as far as there are places, which their registrations say', async ({
  service,
  browser,
}) => {
  const world = await sessionWorld(service);
  await world.register('ada@example.com');
  await world.register('bob@example.com');
  const taken = await world.create('/sessions', { startsAt: '2099-01-01T10:00:00Z', control: 'api' });
  expect(taken['id']).toBeTruthy();
  const page = await browser.newPage(wide);
  await signIn(page, service, world.account);
  await openSessions(page);
  const row = sessions(page).getByRole('row').nth(1);
  await row.getByText('2', { exact: true }).waitFor();

  await row.getByRole('button', { name: 'More about this session' }).click();
  await page.getByRole('menuitem', { name: 'Move…' }).click();
  await page.getByText(/2 people are registered and keep the place/).waitFor();
  await page.getByLabel('Starts at').fill('2099-01-01T10:00');
  await page.getByRole('button', { name: 'Move session' }).click();
  await page.getByText('The webinar already has a session that starts at this time.').waitFor();
  await page.getByLabel('Starts at').fill('2098-06-01T12:30');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Stay' }).click();
  await page.getByRole('button', { name: 'Move session' }).click();
  await page.getByText('The session was moved.').waitFor();
  const { json } = await world.call('GET /registrations');
  expect(json.data.map(({ sessionTime }: { sessionTime: string }) => sessionTime)).toEqual(
    Array.from({ length: 2 }, () => '2098-06-01T12:30:00.000Z'),
  );

  await row.getByRole('button', { name: 'More about this session' }).click();
  await page.getByRole('menuitem', { name: 'Cancel session…' }).click();
  await page.getByText('2 people are registered', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Move and cancel' }).click();
  await page.getByText('Choose a session.').waitFor();
  await page.getByRole('combobox', { name: 'New session' }).click();
  await page.getByRole('option', { name: /2099/ }).click();
  // The limit comes after the page was loaded.
  await world.call('PATCH ', { registrationForm: { capacityPerSession: 1 } });
  const stopped = Promise.withResolvers<void>();
  await page.route('**/registrations.movePeople*', async (route) => {
    await stopped.promise;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Move and cancel' }).click();
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  stopped.resolve();
  await page.getByText('Stopped. 1 person moved. The session was not cancelled.').waitFor();
  await page.getByRole('button', { name: 'Move and cancel' }).click();
  await page.getByText('0 people moved. 1 person could not be moved:').waitFor();
  await page.getByText('bob: no place is left').waitFor();
  expect((await world.get('/sessions?status=scheduled')).length).toBe(2);
  await page.getByRole('button', { name: 'Cancel session', exact: true }).click();
  await page.getByText('The session was cancelled.').waitFor();
  await list(page, 'Past and cancelled');
  await sessions(page).getByText('Cancelled').waitFor();
  // The former time of the moved session is not a session to people.
  expect(await sessions(page).getByRole('row').count()).toBe(2);

  await sessions(page)
    .getByRole('row')
    .nth(1)
    .getByRole('button', { name: 'More about this session' })
    .click();
  await page.getByRole('menuitem', { name: 'Registrations' }).click();
  await page.getByText('1 registration', { exact: true }).waitFor();
  await page.getByText('Session cancelled').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByRole('button', { name: 'ada', exact: true }).click();
  await page.getByText('Moved to another session').waitFor();
  await page.getByText(/^From .* 2098.* to .* 2099.*, by /).waitFor();

  // A cancellation that was sent cannot be stopped.
  await world.create('/sessions', { startsAt: '2099-02-01T10:00:00Z', control: 'api' });
  await page.keyboard.press('Escape');
  await openSessions(page);
  await row.getByRole('button', { name: 'More about this session' }).click();
  await page.getByRole('menuitem', { name: 'Cancel session…' }).click();
  await page.getByRole('combobox', { name: 'New session' }).click();
  await page.getByRole('option', { name: /2099/ }).click();
  const sent = Promise.withResolvers<void>();
  await page.route('**/sessions.cancel*', async (route) => {
    await sent.promise;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Move and cancel' }).click();
  await page.getByText('1 of 1 person moved. The session is being cancelled.').waitFor();
  expect(await page.getByRole('button', { name: 'Stop', exact: true }).count()).toBe(0);
  sent.resolve();
  await page.getByText('The session was cancelled.').waitFor();
  await eventually('the list without it', async () => (await sessions(page).getByRole('row').count()) === 2);

  await row.getByRole('button', { name: 'More about this session' }).click();
  await page.getByRole('menuitem', { name: 'Cancel session…' }).click();
  await page.getByText(/^1 person is registered\. They get the e-mail about a cancelled session/).waitFor();
  await page.getByRole('button', { name: 'Keep session' }).click();

  // An open form keeps its values when nothing can be booked any more.
  await page.getByRole('tab', { name: 'Registrations' }).click();
  await page.getByRole('button', { name: 'Register attendee' }).first().click();
  const name = page.getByLabel('Name', { exact: true });
  await name.fill('Grace Hopper');
  for (const { id } of await world.get('/sessions?status=scheduled'))
    expect((await world.call(`POST /sessions/${id}/cancel`)).status).toBe(200);
  await page.getByText('This webinar has no upcoming session.', { exact: true }).waitFor();
  expect(await name.inputValue()).toBe('Grace Hopper');
});
