import type { MailFacts } from './mail-facts.ts';

export const facts: MailFacts = {
  attendee: { name: 'Ada Lovelace', email: 'ada@example.com' },
  webinar: { title: 'Product launch' },
  session: { startsAt: new Date('2026-12-01T17:00:00Z'), endsAt: new Date('2026-12-01T18:00:00Z') },
  timezone: 'Europe/London',
  links: {
    join: 'https://example.com/room/t',
    replay: 'https://example.com/room/t',
    unsubscribe: 'https://example.com/unsubscribe/t',
  },
  workspaceName: 'Acme',
  now: new Date('2026-12-01T16:00:00Z'),
};
