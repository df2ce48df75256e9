import { databaseTime } from '@service/database';
import {
  type AccountCommandParts,
  accountOption,
  type Command,
  type CommandLineValues,
} from '@service/module';
import { parseInput } from '@service/trpc';
import { isoTime } from '@service/trpc/fields';
import { onceAt } from '../schedule/schedule.ts';
import { createWebinar, publishWebinar } from './webinars.ts';
import { CreateWebinarInput } from './schemas.ts';

const minuteMs = 60_000;
const hourMs = 3_600_000;

/** `create-webinar` of operators and scripts. */
export const createWebinarCommand: Command<AccountCommandParts> = {
  summary: 'Creates a webinar with one session, tomorrow by default. Prints {id, sessionTime}.',
  options: {
    account: accountOption,
    title: { type: 'text', hint: 'TITLE', required: true },
    'starts-at': { type: 'text', hint: 'ISO_TIME' },
    publish: { type: 'flag' },
  },
  async run({ requireAccount, write }, values) {
    const accountId = await requireAccount(values);
    const startsAt = readStart(values['starts-at']);
    const input = parseInput(CreateWebinarInput, {
      title: values['title'],
      schedule: { recurrences: [onceAt(startsAt)] },
    });
    return write(accountId, async (tx) => {
      const webinar = await createWebinar(tx, input);
      if (values['publish']) await publishWebinar(tx, webinar.id);
      return { id: webinar.id, sessionTime: startsAt.toISOString() };
    });
  },
};

/** The given time, rounded up to a minute because schedules have no seconds. By default the next full hour tomorrow. */
function readStart(value: CommandLineValues[string]): Date {
  const nowMs = databaseTime().getTime();
  if (typeof value !== 'string') return new Date(Math.ceil((nowMs + 24 * hourMs) / hourMs) * hourMs);
  const parsed = isoTime.safeParse(value);
  if (!parsed.success) throw new Error('--starts-at must be an ISO 8601 time, such as 2026-12-01T17:00:00Z.');
  const startsAt = new Date(Math.ceil(Date.parse(parsed.data) / minuteMs) * minuteMs);
  if (startsAt.getTime() <= nowMs) throw new Error('--starts-at must be in the future.');
  return startsAt;
}
