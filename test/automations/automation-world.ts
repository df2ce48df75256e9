// A workspace with a webinar whose session starts tomorrow, for rules and subscriptions.
import { inMinutes } from '../support/api.ts';
import { createWorld, type World } from '../support/world.ts';

export { ruleTo } from '../support/world.ts';

export type AutomationWorld = World;

export const createAutomationWorld = (): Promise<AutomationWorld> =>
  createWorld({ sessionTime: inMinutes(24 * 60), webinar: { durationSeconds: undefined } });
