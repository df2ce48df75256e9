import type { Locator, Page, Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { callRest, createTestWorld, testApi } from '../support/api.ts';
import { launchBrowser } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { startReceiver } from '../support/receiver.ts';
import { signIn } from '../support/sign-in.ts';
import { openAutomations, ruleItem } from './webhook-world.ts';

/** A workspace with an offer, a poll and a handout, and its owner on the tab of rules. */
async function openRules() {
  const service = await testApi();
  const receiver = await startReceiver();
  const world = await createTestWorld(service);
  const path = `/webinars/${world.webinar.id}`;
  const call = async (route: string, body?: unknown) =>
    (await callRest(service, route.replace(' .', ` ${path}`), { key: world.key, body })).json.data;
  const common = { showAtSeconds: 5, headline: 'Now' };
  const link = { url: 'https://example.com/' };
  const handout = await call('POST ./handouts', {
    ...common,
    ...link,
    internalName: 'Slides',
    fileName: 'slides.pdf',
  });
  const offer = await call('POST ./offers', {
    ...common,
    ...link,
    internalName: 'Discount',
    buttonLabel: 'Buy',
  });
  const options = [{ label: 'This month' }, { label: 'Next quarter' }];
  const poll = await call('POST ./polls', { ...common, internalName: 'Timing', options });
  const browser = await launchBrowser();
  const page = await browser.newPage();
  await signIn(page, service, world);
  await openAutomations(page);
  return {
    call,
    page,
    receiver,
    sessionTime: world.webinar.sessionTime,
    handout,
    offer,
    poll,
    async [Symbol.asyncDispose]() {
      await browser[Symbol.asyncDispose]();
      await receiver[Symbol.asyncDispose]();
      await service[Symbol.asyncDispose]();
    },
  };
}

const form = (page: Page, title: string) => page.getByRole('dialog', { name: title, exact: true });

test('the rule form has every trigger of the catalogue, and the fields of the chosen one', async () => {
  await using world = await openRules();
  const { page, call, receiver, handout } = world;
  await page.getByRole('button', { name: 'Create rule' }).first().click();
  const dialog = form(page, 'Create rule');
  await dialog.getByRole('button', { name: 'Save rule' }).click();
  await expect.poll(() => dialog.getByText('Give a value.').count()).toBe(2);
  await dialog.getByLabel('Rule name').fill('Downloads');
  await dialog.getByLabel('Endpoint URL').fill('https://10.0.0.1/hook');
  await dialog.getByText('The URL points to a private or reserved address.').waitFor();
  await dialog.getByLabel('Endpoint URL').fill(receiver.url);
  await dialog.getByLabel('Webhooks can be sent to this URL').waitFor();

  const trigger = dialog.getByRole('combobox', { name: 'Trigger' });
  await trigger.click();
  const types = await call('GET /event-types');
  await page.getByRole('option', { name: 'An attendee downloads a handout' }).waitFor();
  await expect.poll(() => page.getByRole('option').count()).toBe(types.length);
  // Words of the descriptions are found too.
  await trigger.fill('each second of the video');
  await page.getByRole('option', { name: 'Watch time reaches some minutes' }).click();
  await dialog.getByTestId('payload-sample').getByText('"event_type": "watched_minutes"').waitFor();
  await dialog.getByRole('button', { name: 'Save rule' }).click();
  // The service names the missing param, and the form shows it at the field.
  await dialog.getByText('Give a value.').waitFor();
  await dialog.getByLabel('Minutes').fill('5000');
  await dialog
    .getByText(/<=1440|at most 1440|1440/)
    .first()
    .waitFor();
  await dialog.getByLabel('Minutes').fill('5');
  await dialog.getByText('When an attendee has watched 5 min, POST to').waitFor();

  await trigger.click();
  await page.getByRole('option', { name: 'An attendee downloads a handout' }).click();
  await dialog.getByRole('combobox', { name: 'Handout' }).click();
  // The list of triggers is still closing, and the handouts may still be loading.
  await expect.poll(() => page.getByRole('option').allInnerTexts()).toEqual(['Slides']);
  await page.getByRole('option', { name: 'Slides' }).click();
  await dialog.getByRole('button', { name: 'Save rule' }).click();
  await page.getByRole('switch', { name: 'Downloads enabled' }).waitFor();
  const [rule] = await call('GET ./automations');
  expect(rule.trigger).toEqual({ type: 'handout_download', params: { interactionId: handout.id } });
  await form(page, 'Rule').getByText('When an attendee downloads Slides, POST to').waitFor();
});

test('a rule with two conditions is made with the keyboard alone', async () => {
  await using world = await openRules();
  const { page, call, receiver, offer } = world;
  const choose = async (text: string) => {
    await page.keyboard.type(text);
    await page.getByRole('option', { name: text, exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
  };
  const dialog = form(page, 'Create rule');
  const isFocused = async (target: Locator) => (await target.and(page.locator(':focus')).count()) === 1;
  const tabTo = async (target: Locator) => {
    for (let presses = 0; presses < 60; presses += 1) {
      if (await isFocused(target)) return;
      await page.keyboard.press('Tab');
    }
    throw new Error('The keyboard did not reach it');
  };
  const field = (name: string) => dialog.getByLabel(name, { exact: true });
  const button = (name: string) => dialog.getByRole('button', { name });
  await page.getByRole('button', { name: 'Create rule' }).first().focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => isFocused(field('Rule name'))).toBe(true);
  await page.keyboard.type('Warm leads');
  await tabTo(button('Add condition'));
  await page.keyboard.press('Enter');
  expect(await isFocused(field('Condition 1: field'))).toBe(true);
  await choose('Clicked offer');
  await tabTo(field('Condition 1: value'));
  await choose('Discount');
  await tabTo(button('Add condition'));
  await page.keyboard.press('Enter');
  expect(await isFocused(field('Condition 2: field'))).toBe(true);
  await choose('utm_source');
  await tabTo(field('Condition 2: value'));
  await page.keyboard.type('google');
  await tabTo(field('Endpoint URL'));
  await page.keyboard.type(receiver.url);
  await tabTo(button('Save rule'));
  await page.keyboard.press('Enter');
  const drawer = form(page, 'Rule');
  await drawer.getByText('only if they clicked Discount and utm_source is “google”').waitFor();
  await drawer.getByText('Once per registration and session').waitFor();
  const [rule] = await call('GET ./automations');
  expect(rule).toMatchObject({
    name: 'Warm leads',
    trigger: { type: 'registered' },
    conditions: [
      { field: 'clickedOffer', operator: 'eq', value: offer.id },
      { field: 'utm.source', operator: 'eq', value: 'google' },
    ],
  });

  // An attendee who registers has not clicked yet, and everyone who clicks has registered.
  await drawer.getByRole('link', { name: 'Change' }).click();
  const editor = form(page, 'Change rule');
  const note =
    'when an attendee registers. An attendee does not count if they clicked Discount only after that.';
  await editor.getByText(note).waitFor();
  await editor.getByRole('button', { name: 'Fire instead when an attendee clicks Discount' }).click();
  await editor.getByText('When an attendee clicks Discount, only if utm_source is “google”').waitFor();
  const trigger = editor.getByRole('combobox', { name: 'Trigger' });
  // A click marks the text of the chosen trigger, and typing replaces it. A click during which the form moves marks nothing.
  await eventually('the text of the trigger to be marked', async () => {
    await trigger.click();
    return page.evaluate<boolean>(`(({ value, selectionStart, selectionEnd }) =>
      selectionEnd > 0 && selectionEnd - selectionStart === value.length)(document.activeElement)`);
  });
  await page.keyboard.type('completion');
  await page.getByRole('option', { name: 'Watch completion reaches a percentage' }).click();
  await editor.getByLabel('Percent').fill('50');
  await editor.getByRole('button', { name: 'Add condition' }).click();
  await editor.getByRole('button', { name: 'Save rule' }).click();
  await editor.getByText('Choose a field.').waitFor();
  await editor.getByLabel('Condition 2: field').click();
  await page.getByRole('option', { name: 'Clicked offer', exact: true }).click();
  await editor.getByLabel('Condition 2: value').click();
  await page.getByRole('option', { name: 'Discount' }).click();
  await editor.getByText('Choose a field.').waitFor({ state: 'detached' });
  await editor
    .getByRole('button', { name: 'Save, then make a second rule: when an attendee clicks' })
    .click();
  await expect.poll(() => dialog.getByLabel('Rule name').inputValue()).toBe('Other order of Warm leads');
  await dialog.getByRole('button', { name: 'Save rule' }).click();
  await drawer.getByText('When an attendee clicks Discount, only if').waitFor();
  const half = { field: 'watchedPercent', operator: 'gte', value: 50 };
  const rules = await call('GET ./automations');
  expect(rules[0]).toMatchObject({
    trigger: { type: 'cta_click' },
    conditions: [{ field: 'utm.source' }, half],
  });
  expect(rules[1]).toMatchObject({ trigger: { type: 'watched_percent', params: { percent: 50 } } });
});

test('a rule is changed, duplicated, tested, and its secret is revealed and rotated', async () => {
  await using world = await openRules();
  const { page, call, receiver, poll } = world;
  const trigger = { type: 'poll_response', params: { interactionId: poll.id } };
  const action = { type: 'webhook', url: receiver.url };
  const { id, secret } = await call('POST ./automations', { name: 'Answers', trigger, action });
  await page.reload();
  await ruleItem(page, 'Answers').getByText('When an attendee answers Timing, POST to').waitFor();
  await page.getByRole('button', { name: 'Answers', exact: true }).click();
  const drawer = form(page, 'Rule');
  await drawer.getByRole('button', { name: 'Reveal secret' }).click();
  await expect.poll(() => page.getByTestId('rule-secret').innerText()).toBe(secret);
  await drawer.getByRole('button', { name: 'Rotate' }).click();
  const dialog = form(page, 'Rotate the secret of “Answers”');
  await dialog.getByText('The old secret ends at once').waitFor();
  // Escape closes the dialog only, and the secret is still the old one.
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => page.getByTestId('rule-secret').innerText()).toBe(secret);
  await drawer.getByRole('button', { name: 'Rotate' }).click();
  await dialog.getByRole('button', { name: 'Rotate secret' }).click();
  const rotated = await page.getByTestId('new-secret').innerText();
  expect(rotated).toMatch(/^whsec_[\w+/]{44}$/);
  expect(rotated).not.toBe(secret);
  expect((await call(`GET ./automations/${id}`)).secretLast4).toBe(rotated.slice(-4));
  await dialog.getByRole('button', { name: 'Done' }).click();

  await drawer.getByRole('link', { name: 'Change' }).click();
  const editor = form(page, 'Change rule');
  await editor.getByRole('combobox', { name: 'Option' }).click();
  await page.getByRole('option', { name: 'Next quarter' }).click();
  // Back and Escape ask before the changes are lost.
  await editor.getByLabel('Rule name').focus();
  await page.keyboard.press('Escape');
  await form(page, 'Leave without saving?').getByRole('button', { name: 'Stay' }).click();
  await editor.getByRole('button', { name: 'Save rule' }).click();
  await drawer.getByText('When an attendee answers Next quarter in Timing, POST to').waitFor();
  expect((await call(`GET ./automations/${id}`)).trigger.params).toEqual({
    interactionId: poll.id,
    optionId: poll.options[1].id,
  });

  await drawer.getByRole('link', { name: 'Duplicate' }).click();
  const copy = form(page, 'Create rule');
  await expect.poll(() => copy.getByLabel('Rule name').inputValue()).toBe('Copy of Answers');
  await copy.getByRole('button', { name: 'Save rule' }).click();
  await page.getByRole('switch', { name: 'Copy of Answers enabled' }).waitFor();
  const rules = await call('GET ./automations');
  expect(rules.map(({ name }: { name: string }) => name)).toEqual(['Copy of Answers', 'Answers']);
  expect(rules[0].trigger).toEqual(rules[1].trigger);
});

test('a rule gets an e-mail beside its webhook, is previewed, and can then lose the webhook', async () => {
  await using world = await openRules();
  const { page, call, receiver, sessionTime } = world;
  await call('POST ./registrations', { name: 'Ada Lovelace', email: 'ada@example.com', sessionTime });
  await page.getByRole('button', { name: 'Create rule' }).first().click();
  const dialog = form(page, 'Create rule');
  await dialog.getByLabel('Rule name').fill('Welcome');
  await dialog.getByLabel('Endpoint URL').fill(receiver.url);
  await dialog.getByRole('button', { name: 'Add e-mail' }).click();
  // The refusal arrives after the check of the form, whose messages stay.
  const answerLate = async (route: Route): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await route.continue();
  };
  await page.route(/rules\.create/, answerLate, { times: 1 });
  await dialog.getByRole('button', { name: 'Save rule' }).click();
  await expect.poll(() => dialog.getByLabel('Subject').and(page.locator(':focus')).count()).toBe(1);
  await dialog.getByRole('group', { name: 'E-mail' }).getByText('Give a value.').waitFor();
  await dialog.getByRole('button', { name: 'Variables' }).click();
  await dialog.getByLabel('Subject').fill('Hello ');
  await dialog.getByRole('button', { name: 'Insert firstName' }).click();
  await dialog.getByText('and e-mail “Hello {{firstName}}” to the attendee').waitFor();
  await dialog.getByRole('button', { name: 'Preview and test' }).click();
  await expect.poll(() => page.getByTestId('mail-subject').innerText()).toBe('Hello Ada');
  // A mail to members cannot have the links of the attendee.
  await dialog.getByRole('button', { name: 'Variables' }).click();
  await dialog.getByText('To the members').click();
  await dialog.getByRole('button', { name: 'Insert joinLink' }).waitFor({ state: 'detached' });
  await dialog.getByText('To the attendee').click();
  await dialog.getByText('Marketing', { exact: true }).click();
  await dialog.getByRole('button', { name: 'Save rule' }).click();
  const drawer = form(page, 'Rule');
  await drawer.getByRole('heading', { name: 'E-mail to the attendee' }).waitFor();
  const [rule] = await call('GET ./automations');
  expect(rule.actions).toMatchObject([
    { type: 'webhook', url: receiver.url },
    { type: 'email', to: 'attendee', purpose: 'marketing', subject: 'Hello {{firstName}}' },
  ]);

  await drawer.getByRole('link', { name: 'Change' }).click();
  const editor = form(page, 'Change rule');
  await editor.getByRole('button', { name: 'Remove Webhook' }).click();
  await editor.getByText('the signing secret ends').waitFor();
  await editor.getByRole('button', { name: 'Add e-mail' }).and(page.locator(':focus')).waitFor();
  await editor.getByRole('button', { name: 'Add webhook' }).click();
  await editor.getByLabel('URL').and(page.locator(':focus')).waitFor();
  await editor.getByRole('button', { name: 'Remove Webhook' }).click();
  await editor.getByRole('button', { name: 'Save rule' }).click();
  await drawer.getByRole('heading', { name: 'E-mail to the attendee' }).waitFor();
  await expect.poll(() => drawer.getByRole('button', { name: 'Reveal secret' }).count()).toBe(0);
  await call('POST ./registrations', { name: 'Bob', email: 'bob@example.com', sessionTime });
  await drawer.getByRole('link', { name: 'Executions' }).click();
  await page.getByRole('button', { name: 'Welcome', exact: true }).click();
  await page.getByText('Waiting', { exact: true }).waitFor();
  expect((await call('GET ./automations'))[0].actions).toMatchObject([{ id: rule.actions[1].id }]);
});

test('of two people who change one rule the second sees both changes, chooses for the field that both changed, and loses nothing', async () => {
  await using world = await openRules();
  const { page, call, receiver } = world;
  const { id } = await call('POST ./automations', {
    name: 'Leads',
    trigger: { type: 'registered' },
    action: { type: 'webhook', url: receiver.url },
  });
  await page.reload();
  await page.getByRole('button', { name: 'Leads', exact: true }).click();
  await form(page, 'Rule').getByRole('link', { name: 'Change' }).click();
  const editor = form(page, 'Change rule');
  await editor.getByLabel('Rule name').fill('Mine');
  await editor.getByLabel('Endpoint URL').fill(`${receiver.url}/mine`);
  await call(`PATCH ./automations/${id}`, {
    name: 'Theirs',
    trigger: { type: 'watched_minutes', params: { minutes: 5 } },
    conditions: [{ field: 'utm.source', operator: 'eq', value: 'google' }],
  });
  await editor.getByRole('button', { name: 'Save rule' }).click();
  const question = form(page, 'This was changed in the meantime');
  await question.getByText('They changed it to “an attendee has watched 5 min”').waitFor();
  await question.getByText(/^They changed it to “utm_source is/).waitFor();
  await question.getByText(`You changed it to “POST to ${receiver.url}/mine”`).waitFor();
  await question.getByRole('radio', { name: 'Take theirs: “Theirs”' }).waitFor();
  await question.getByRole('button', { name: 'Save' }).click();
  await form(page, 'Rule').getByRole('heading', { name: 'Mine' }).waitFor();
  expect(await call(`GET ./automations/${id}`)).toMatchObject({
    name: 'Mine',
    trigger: { type: 'watched_minutes', params: { minutes: 5 } },
    conditions: [{ value: 'google' }],
    action: { url: `${receiver.url}/mine` },
  });
});
