import type { AccountReader } from '@service/database';
import { storable } from '@service/trpc';
import { loadWebinars } from '@service/webinars';
import { z } from 'zod';
import { Registration, registrationStatuses } from '../entities/registration.ts';
import { searchRegistrations } from './search-registrations.ts';

const shownMax = 6;

export const FindPeopleInput = z.strictObject({
  /** Beginnings of words of a name or an e-mail address, or the id of a registration. */
  q: storable(z.string().max(200)),
});

export const FoundPerson = z.object({
  id: z.uuid(),
  webinarId: z.uuid(),
  webinarTitle: z.string(),
  name: z.string(),
  email: z.string(),
  status: z.enum(registrationStatuses),
});

/** Registrations of the account for the search of the dashboard, newest first, at most six. */
export async function findPeople(
  reader: AccountReader,
  text: string,
): Promise<z.input<typeof FoundPerson>[]> {
  const registrations = await matching(reader, text.trim());
  const { query, accountId } = reader;
  const webinars = await loadWebinars(
    query,
    registrations.map(({ webinarId }) => ({ accountId, id: webinarId })),
  );
  return registrations.flatMap(({ id, webinarId, name, email, status }) => {
    const webinar = webinars.get(webinarId);
    return webinar ? [{ id, webinarId, webinarTitle: webinar.title, name, email, status }] : [];
  });
}

function matching(reader: AccountReader, text: string): Promise<Registration[]> {
  const { accountId } = reader;
  return z.uuid().safeParse(text).success
    ? reader.em.find(Registration, { accountId, id: text })
    : searchRegistrations(reader, { text, limit: shownMax });
}
