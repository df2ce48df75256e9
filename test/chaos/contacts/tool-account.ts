// An account of the drill with one marketing tool, and the registrations of its people.
import type { ProviderId } from '@service/marketing-providers';
import { credentialOf, providerOf, type RunningFake, samplesOf } from '@service/marketing-providers/testing';
import { allInStep } from '../../contacts/contacts-world.ts';
import { openAccount, type Account, type ChaosWorld } from '../world.ts';

const bulkMax = 500;

export interface Tool {
  id: ProviderId;
  fake: RunningFake;
  account: Account;
  connectionId: string;
  /** With a rule for all parts of a change, and without one, whose people are sent in batches. */
  webinars: { ruled: string; plain: string };
  sessionTime: string;
  registered: { email: string; webinar: 'ruled' | 'plain' }[];
}

export async function openTool(
  { apiOrigin, query }: ChaosWorld,
  { id, name, fake }: { id: ProviderId; name: string; fake: RunningFake },
): Promise<Tool> {
  // One address may sign up ten times a minute.
  await query('delete from accounts.sign_in_attempt');
  const account = await openAccount(apiOrigin, `${name}-${id}`);
  const { text, name: firstName, lists, event } = samplesOf(id);
  const { words } = providerOf(id);
  const tags = words.tag === undefined ? [] : ['customer'];
  const { connection } = await account.mutate<{ connection: { id: string } }>('connections.connectTool', {
    provider: id,
    credential: credentialOf(id),
    baseUrl: fake.baseUrl,
    sync: {
      ...allInStep,
      fields: { lastWebinar: { key: text, policy: 'always' } },
      tags: { ...allInStep.tags, use: tags.length > 0 ? ['registered'] : [] },
    },
  });
  const sessionTime = `${new Date().getUTCFullYear() + 1}-06-01T09:00:00.000Z`;
  const [startDate, time] = [sessionTime.slice(0, 10), sessionTime.slice(11, 16)];
  const publish = async (): Promise<string> => {
    const schedule = { recurrences: [{ frequency: 'once', startDate, time }] };
    const webinar = { title: 'Launch', timezone: 'UTC', schedule };
    const made = await account.call<{ id: string }>('POST /webinars', webinar);
    await account.call(`POST /webinars/${made.id}/publish`, {});
    return made.id;
  };
  const webinars = { ruled: await publish(), plain: await publish() };
  await account.call(`POST /webinars/${webinars.ruled}/automations`, {
    name: 'All parts',
    trigger: { type: 'registered' },
    actions: [
      {
        type: 'integration',
        connectionId: connection.id,
        fields: [{ key: firstName, from: 'first_name' }],
        tags: { add: tags },
        lists: { add: words.list === undefined ? [] : [lists[0]] },
        event: event === undefined ? null : { name: event },
      },
    ],
  });
  return { id, fake, account, connectionId: connection.id, webinars, sessionTime, registered: [] };
}

export async function register(
  { account, webinars, sessionTime, registered }: Tool,
  webinar: 'ruled' | 'plain',
  emails: readonly string[],
): Promise<void> {
  for (let from = 0; from < emails.length; from += bulkMax) {
    const registrations = emails.slice(from, from + bulkMax).map((email) => ({
      name: 'Ada Lovelace',
      email,
      sessionTime,
      suppressConfirmation: true,
      consent: { given: true },
    }));
    await account.call(`POST /webinars/${webinars[webinar]}/registrations/bulk`, { registrations });
  }
  registered.push(...emails.map((email) => ({ email, webinar })));
}
