// A published webinar over REST, and its sessions.
import type { TestApi } from '../support/api.ts';
import { createWorld, type World } from '../support/world.ts';

export type { World };

/** Half a day from now, so that no session starts during a test. */
export const hour = String((new Date().getUTCHours() + 12) % 24).padStart(2, '0');
export const daily = { frequency: 'daily', time: `${hour}:00`, startDate: '2026-01-01' };

/** A published webinar with a schedule, in a workspace of its own. */
export const publish = (service: TestApi, schedule: object, fields: object = {}): Promise<World> =>
  createWorld({ beside: { service }, webinar: { durationSeconds: undefined, schedule, ...fields } });

export const listSessions = async ({ call }: World, query = 'limit=100') =>
  (await call(`GET /sessions?${query}`)).json.data as {
    id: string;
    startsAt: string;
    endsAt: string;
    status: string;
    registrationCount: number;
  }[];
