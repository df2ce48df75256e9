import { runSessionClock } from '@service/attendees';
import { expect, test } from 'vitest';
import { contactOf, createContactsWorld } from './contacts-world.ts';

test('the evening of an attendee who watches, clicks and leaves is four sends', async () => {
  const use = ['registered', 'attended', 'clicked', 'watched50'] as const;
  await using contacts = await createContactsWorld({
    tool: 'mailchimp',
    sync: { fields: {}, tags: { prefix: '', use: [...use] } },
  });
  const { world } = contacts;
  const { database } = world.service.db;
  const { subscriber } = world.service.api.service;
  const offer = await world.interaction({ type: 'offer', url: 'https://shop.example/', buttonLabel: 'Buy' });
  const attendee = await world.attend();
  // The session is in ten minutes and lasts as long.
  contacts.clock.advance(3600);
  await contacts.send();
  world.startSession();
  await attendee.beat();
  await contacts.send();
  for (const percent of [25, 50, 75, 100]) {
    await attendee.watch(150);
    await contacts.send();
    if (percent === 50) await attendee.click(offer);
    await contacts.send();
  }
  await attendee.leave();
  world.clock.advance(120);
  await runSessionClock(database, { now: world.clock.now(), subscriber });
  await contacts.send();
  expect(contactOf(contacts)?.tags).toEqual(new Set(['registered', 'attended', 'clicked', 'watched 50']));
  expect(await contacts.sends()).toHaveLength(4);
});
