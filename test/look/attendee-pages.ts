// Registration pages and pages of join links, for the table of pages.
import type { Page } from 'playwright-core';
import type { TestApi } from '../support/api.ts';
import type { LookPage } from './pages.ts';

const registration = { route: '/w/$slug', signedOut: true, tablet: true } as const;
const scheduled = { route: '/room/$joinToken', signedOut: true, tablet: true } as const;

export const attendeePages: readonly LookPage[] = [
  { ...registration, name: 'registration' },
  { ...registration, name: 'registration-problems', open: submit },
  { ...registration, name: 'registration-confirmed', open: (page) => registerAs(page, newAddress()) },
  { ...registration, name: 'registration-by-mail', open: registerTwice },
  { ...registration, name: 'registration-embed', route: '/w/$slug/embed', pictureOnly: true },
  { ...registration, name: 'registration-on-demand', route: '/w/$onDemandSlug', pictureOnly: true },
  { ...registration, name: 'registration-full', route: '/w/$fullSlug' },
  { ...registration, name: 'registration-missing', route: '/w/nothing-k3f9x2', pictureOnly: true },
  { ...scheduled, name: 'personal-scheduled', pictureOnly: true },
  { ...scheduled, name: 'personal-change', open: press('Change the time') },
  { ...scheduled, name: 'personal-cancel', open: press('Cancel my registration') },
  { ...scheduled, name: 'personal-cancelled', route: '/room/$cancelledToken', pictureOnly: true },
  { ...scheduled, name: 'session-cancelled', route: '/room/$cancelledSessionJoin', pictureOnly: true },
  { ...scheduled, name: 'personal-ended', route: '/room/$endedToken' },
  { ...scheduled, name: 'link-replaced', route: '/room/$replacedToken' },
];

const knownAddress = 'ada@example.com';

let visitors = 0;
const newAddress = (): string => `visitor${(visitors += 1)}@example.com`;

function press(name: string): (page: Page) => Promise<void> {
  return (page) => page.getByRole('button', { name }).click();
}

function submit(page: Page): Promise<void> {
  return page.getByRole('button', { name: /^(Register|Watch now)$/ }).click();
}

async function registerAs(page: Page, email: string): Promise<void> {
  await page.getByLabel('Name').fill('Ada Lovelace');
  await page.getByLabel('E-mail').fill(email);
  const [company, size] = [page.getByLabel('Company'), page.getByLabel('Team size')];
  if ((await company.count()) > 0) {
    await company.fill('Analytical Engines');
    await size.selectOption({ index: 1 });
  }
  await submit(page);
  await page.getByRole('heading', { level: 1, name: /^(You are registered|Check your inbox)/ }).waitFor();
}

/** The second time, the page says that the link comes by mail. */
async function registerTwice(page: Page): Promise<void> {
  const email = newAddress();
  await registerAs(page, email);
  await page.reload();
  await registerAs(page, email);
}

type Call = (
  route: string,
  body: unknown,
) => Promise<{ id: string; slug: string; joinUrl: string; sessionId: string }>;

/** Webinars with their pages, and the values of the routes above. Long texts and many presenters with `isLong`, bare with `isBare`. */
export async function createAttendeePages(
  { db }: TestApi,
  {
    call,
    sessionTime,
    longName,
    isBare,
  }: { call: Call; sessionTime: string; longName?: string; isBare: boolean },
): Promise<Record<string, string>> {
  const publish = async (fields: object) => {
    const { id } = await call('POST /webinars', fields);
    return call(`POST /webinars/${id}/publish`, {});
  };
  const title = longName ?? 'Launch of the spring collection';
  const startDate = sessionTime.slice(0, 10);
  const daily = { recurrences: [{ frequency: 'daily', time: sessionTime.slice(11, 16), startDate }] };
  const once = { recurrences: [{ ...daily.recurrences[0], frequency: 'once' }] };
  const schedule = { ...daily, justInTime: isBare ? null : { intervalMinutes: 60 }, slotsShown: 6 };
  const webinar = await publish({ title, schedule, ...(isBare ? {} : contentOf(longName)) });
  const onDemand = await publish({ title, schedule: { onDemand: true } });
  const full = await publish({ title, schedule: once, registrationForm: { capacityPerSession: 1 } });
  const register = (webinarId: string, email: string) => {
    const customFields = { company: 'Analytical Engines', size: 'More' };
    const name = longName ?? 'Ada Lovelace';
    const body = {
      name,
      email,
      sessionTime,
      ...(webinarId === webinar.id && !isBare && { customFields }),
    };
    return call(`POST /webinars/${webinarId}/registrations`, body);
  };
  await register(full.id, knownAddress);
  const [booked, cancelled, replaced] = await Promise.all(
    [knownAddress, 'cancelled@example.com', 'replaced@example.com'].map((email) =>
      register(webinar.id, email),
    ),
  );
  await call(`POST /webinars/${webinar.id}/registrations/${cancelled!.id}/cancel`, {});
  await call(`POST /webinars/${webinar.id}/registrations/${replaced!.id}/rotate-token`, {});
  const past = await publish({ title, schedule: daily });
  const ended = await register(past.id, knownAddress);
  await db.database.query({ text: endSession }, [ended.sessionId]);
  const tokenOf = (made: { joinUrl: string }): string => made.joinUrl.split('/').at(-1)!;
  return {
    slug: webinar.slug,
    onDemandSlug: onDemand.slug,
    fullSlug: full.slug,
    joinToken: tokenOf(booked!),
    cancelledToken: tokenOf(cancelled!),
    replacedToken: tokenOf(replaced!),
    endedToken: tokenOf(ended),
  };
}

const endSession = `
  update webinars.session set status = 'ended', starts_at = now() - interval '2 days', ends_at = now() - interval '47 hours'
  where id = $1`;

const contentOf = (longName: string | undefined) => ({
  description: `${'Most dashboards have sixty charts and no answer. We build a metric tree together.'.repeat(longName ? 8 : 1)}\n\nBring your questions.`,
  registrationForm: {
    fields: [
      {
        key: 'company',
        label: longName ? `Company ${longName.slice(0, 190)}` : 'Company',
        type: 'text',
        required: true,
      },
      { key: 'size', label: 'Team size', type: 'select', required: true, options: ['1 to 10', 'More'] },
      { key: 'phone', label: 'Phone', type: 'phone' },
    ],
    consentText: 'Northwind may write to me about its products.',
  },
  registrationPage: {
    presenters: Array.from({ length: longName ? 12 : 2 }, (_unused, index) => ({
      name: longName?.slice(0, 90) ?? ['Grace Hopper', 'Katherine Johnson'][index],
      title: longName ?? 'Engineering, Northwind',
    })),
    takeaways: ['Turn a goal into a metric tree', longName ?? 'Choose numbers that move within a week'],
  },
});
