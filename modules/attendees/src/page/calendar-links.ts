import type { Session } from '@service/webinars';
import type { z } from 'zod';
import { calendarTime } from './calendar.ts';
import type { CalendarLinks } from './schemas.ts';

interface Appointment {
  title: string;
  joinUrl: string;
  session: Pick<Session, 'startsAt' | 'endsAt'>;
}

/** Links that add a session to a calendar. The file is served by the room; the others open a form of Google or Outlook. */
export function calendarLinksOf({ title, joinUrl, session }: Appointment): z.output<typeof CalendarLinks> {
  const { startsAt, endsAt } = session;
  const google = new URLSearchParams({
    action: 'TEMPLATE',
    text: title,
    dates: `${calendarTime(startsAt)}/${calendarTime(endsAt)}`,
    details: joinUrl,
    location: joinUrl,
  });
  const outlook = new URLSearchParams({
    path: '/calendar/action/compose',
    rru: 'addevent',
    subject: title,
    startdt: startsAt.toISOString(),
    enddt: endsAt.toISOString(),
    body: joinUrl,
    location: joinUrl,
  });
  return {
    icsUrl: `${joinUrl}/calendar.ics`,
    googleUrl: `https://calendar.google.com/calendar/render?${google.toString()}`,
    outlookUrl: `https://outlook.live.com/calendar/0/deeplink/compose?${outlook.toString()}`,
  };
}
