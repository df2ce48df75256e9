// A workspace with a webinar whose session starts tomorrow, for rules and subscriptions.
import { test as base } from 'vitest';
import { inMinutes } from '../support/api.ts';
import { openDashboard } from '../support/dashboard.ts';
import { startReceiver } from '../support/receiver.ts';
import { createWorld, ruleTo, type World } from '../support/world.ts';

export { ruleTo };

export type AutomationWorld = World;

/** A URL for rules whose deliveries are not sent in the test. */
export const nowhere = 'http://127.0.0.1:9/';

export const createAutomationWorld = (): Promise<AutomationWorld> =>
  createWorld({ sessionTime: inMinutes(24 * 60), webinar: { durationSeconds: undefined } });

/** Both kinds of sources of deliveries over REST. */
export const sources = [
  {
    kind: 'webhooks',
    onOff: 'active',
    off: 'webhook_inactive',
    body: (url: string): object => ({ url, eventTypes: ['registered'] }),
  },
  { kind: 'automations', onOff: 'enabled', off: 'rule_disabled', body: (url: string): object => ruleTo(url) },
] as const;

export const test = base
  // oxlint-disable-next-line eslint/no-empty-pattern -- vitest reads here which fixtures this one needs
  .extend('world', async ({}, { onCleanup }) => {
    const world = await createAutomationWorld();
    onCleanup(() => world[Symbol.asyncDispose]());
    return world;
  })
  // oxlint-disable-next-line eslint/no-empty-pattern -- as above
  .extend('receiver', async ({}, { onCleanup }) => {
    const receiver = await startReceiver();
    onCleanup(() => receiver[Symbol.asyncDispose]());
    return receiver;
  })
  .extend('dashboard', ({ world }) => openDashboard(world.service, world));
