// People whom a purchase without a credit may belong to: they have the address of the buyer and registered later, or nearly this address.
import { searchRegistrations } from '@service/attendees';
import type { AccountReader } from '@service/database';
import { nameWebinars } from '@service/webinars';
import { z } from 'zod';

export const NearMatchOutput = z.object({
  registrationId: z.uuid(),
  name: z.string(),
  email: z.string(),
  webinarTitle: z.string(),
});

const shownMax = 5;

/** Registrations of one search that are compared. */
const searchedMax = 200;

/** An address with more different letters is another one. */
const editsMax = 2;

/** The newest registration of each address that is the same or nearly, the nearest first, at most five. */
export async function findNearMatches(
  reader: AccountReader,
  email: string,
): Promise<z.input<typeof NearMatchOutput>[]> {
  const [local] = partsOf(email);
  // The same address, the same name at any provider, with the dots of the buyer and without dots, and the same beginning with a typing
  // error after it. A dot divides an address into words, so a search without it finds no address that has it.
  const texts = [email, localOf(email), local, local.slice(0, local.length < 5 ? 2 : 3)].filter((text) =>
    /[\p{L}\p{N}]/u.test(text),
  );
  const found = await Promise.all(
    [...new Set(texts)].map((text) => searchRegistrations(reader, { text, limit: searchedMax })),
  );
  const byEmail = new Map(
    found
      .flat()
      .map((registration) => [registration.email, registration] as const)
      .toReversed(),
  );
  const near = [...byEmail.values()]
    .map((registration) => ({ registration, distance: distanceOf(email, registration.email) }))
    .filter(({ distance }) => distance !== undefined)
    .toSorted((one, other) => one.distance! - other.distance!)
    .slice(0, shownMax)
    .map(({ registration }) => registration);
  const titles = await nameWebinars(
    reader,
    near.map(({ webinarId }) => webinarId),
  );
  return near.flatMap(({ id, name, email: address, webinarId }) => {
    const webinarTitle = titles.get(webinarId);
    return webinarTitle === undefined ? [] : [{ registrationId: id, name, email: address, webinarTitle }];
  });
}

/**
 * 0 for the same address, 0.5 for one that differs in dots or in what follows a plus, the number of different letters for one with a
 * typing error, and a little more for the same name at another provider. Undefined for another address.
 */
export function distanceOf(wanted: string, other: string): number | undefined {
  if (wanted === other) return 0;
  const [local, domain] = partsOf(wanted);
  const [otherLocal, otherDomain] = partsOf(other);
  if (local === otherLocal) return domain === otherDomain ? 0.5 : editsMax + 0.5;
  const edits = countEdits(`${local}@${domain}`, `${otherLocal}@${otherDomain}`);
  return edits <= editsMax ? edits : undefined;
}

/** The name before the @ without dots and without what follows a plus, and the domain. */
function partsOf(email: string): [local: string, domain: string] {
  const at = email.lastIndexOf('@');
  return [localOf(email).replaceAll('.', ''), at < 0 ? '' : email.slice(at + 1)];
}

/** The name before the @, without what follows a plus. */
const localOf = (email: string): string => email.replace(/@[^@]*$/, '').replace(/\+.*$/, '');

/** Letters that are inserted, removed or replaced to make one text of the other (Levenshtein's distance). */
function countEdits(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > editsMax) return editsMax + 1;
  let before = Array.from({ length: other.length + 1 }, (_unused, index) => index);
  for (let row = 1; row <= one.length; row += 1) {
    const next = [row];
    for (let place = 1; place <= other.length; place += 1) {
      const replaced = before[place - 1]! + (one[row - 1] === other[place - 1] ? 0 : 1);
      next.push(Math.min(replaced, before[place]! + 1, next[place - 1]! + 1));
    }
    before = next;
  }
  return before[other.length]!;
}
