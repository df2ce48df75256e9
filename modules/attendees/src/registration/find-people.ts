import type { AccountReader } from '@service/database';
import { storable } from '@service/trpc';
import { nameWebinars } from '@service/webinars';
import { z } from 'zod';
import { Registration, registrationStatuses } from '../entities/registration.ts';
import { searchRegistrations, type Found } from './search-registrations.ts';

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
  const titles = await nameWebinars(
    reader,
    registrations.map(({ webinarId }) => webinarId),
  );
  return registrations.flatMap(({ id, webinarId, name, email, status }) => {
    const webinarTitle = titles.get(webinarId);
    return webinarTitle === undefined ? [] : [{ id, webinarId, webinarTitle, name, email, status }];
  });
}

function matching(reader: AccountReader, text: string): Promise<Found[]> {
  const { accountId } = reader;
  return z.uuid().safeParse(text).success
    ? reader.em.find(Registration, { accountId, id: text })
    : searchRegistrations(reader, { text, limit: shownMax });
}
