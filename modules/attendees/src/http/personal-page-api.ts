// The pages of one attendee over HTTP: the page itself, its calendar file, and the request for a lost link.
import { currentPayer, type Database, databaseTime, workForCaller } from '@service/database';
import type { Page, Pages } from '@service/pages';
import { readBody, sendJson } from '@service/rest';
import { parseInput } from '@service/trpc';
import type { Request, RequestHandler, Router } from 'express';
import type { EventSubscriber } from '../event/event-subscriber.ts';
import type { JoinLinks, JoinToken } from '../registration/join-token.ts';
import type { PersonalPages } from '../room/personal-pages.ts';
import { LinkRequestInput, type PersonalPage, type PersonalPageData } from '../room/schemas.ts';
import { createLinkRequests } from './link-requests.ts';
import type { SlugLookup } from './page-admission.ts';
import { type RefusalOptions, refuse, refuseMethod, refuseWithPage } from './room-answer.ts';

interface PersonalPageApiParts extends RefusalOptions {
  database: Pick<Database, 'ofAccount'>;
  lookUpSlug: SlugLookup;
  pages: Pages;
  personal: PersonalPages;
  joinLinks: Pick<JoinLinks, 'read'>;
  subscriber: EventSubscriber;
  admitCall: (request: Request) => Promise<JoinToken>;
  now?: (() => Date) | undefined;
}

/** Largest body of a request for a link, in bytes. */
const bytesMax = 4096;

/** Adds `/room/link-requests`, `/room/preview`, `/room/{join}` and `/room/{join}/calendar.ics`. */
export function addPersonalPages(
  router: Router,
  {
    database,
    lookUpSlug,
    pages,
    personal,
    joinLinks,
    subscriber,
    admitCall,
    now = databaseTime,
    ...options
  }: PersonalPageApiParts,
): void {
  const requests = createLinkRequests({ database, lookUpSlug, joinLinks, subscriber, log: options.log, now });

  const requestLink: RequestHandler = async (request, response) => {
    try {
      requests.admit(request);
      requests.take(parseInput(LinkRequestInput, await readBody(request, { bytesMax })));
      sendJson(response, 202, { data: { state: 'link_by_mail' } });
    } catch (error) {
      refuse(response, error, options);
    }
  };

  /** Proves the token, and runs the work as a call of its account. */
  const asAttendee = async <Result>(
    request: Request,
    work: (token: JoinToken) => Promise<Result>,
  ): Promise<Result> => {
    const caller = currentPayer();
    const token = await admitCall(request);
    const account = database.ofAccount(token.accountId);
    workForCaller(account, caller);
    const endCall = await account.beginCall();
    try {
      return await work(token);
    } finally {
      endCall();
    }
  };

  const open: RequestHandler = async (request, response) => {
    const asHtml = request.accepts(['html', 'json']) === 'html';
    response.vary('Accept').set({ 'Referrer-Policy': 'no-referrer', 'X-Robots-Tag': 'noindex' });
    try {
      const page = await asAttendee(request, personal.read);
      if (!asHtml) return sendJson(response, 200, { data: page });
      await pages.send(request, response, {
        entry: 'room',
        layout: layoutOf(page),
        status: 200,
        lang: page.locale,
        title: page.webinar.title,
        description: page.webinar.description,
        siteName: page.branding.name,
        logoUrl: page.branding.logoUrl,
        imageUrl: page.webinar.posterUrl,
        data: { page } satisfies PersonalPageData,
      });
    } catch (error) {
      if (asHtml) await refuseWithPage(request, response, { entry: 'room', pages, error, ...options });
      else refuse(response, error, options);
    }
  };

  const sendCalendar: RequestHandler = async (request, response) => {
    try {
      const content = await asAttendee(request, personal.calendar);
      response
        .status(200)
        .set({
          'Cache-Control': 'no-store',
          'Content-Type': 'text/calendar; charset=utf-8',
          'Content-Disposition': 'attachment; filename="webinar.ics"',
          'X-Robots-Tag': 'noindex',
        })
        .send(content);
    } catch (error) {
      refuse(response, error, options);
    }
  };

  /** The same page for all. The dashboard sends it what to show. */
  const sendPreview: RequestHandler = (request, response) =>
    pages.send(request, response, {
      entry: 'preview',
      status: 200,
      lang: 'en',
      title: 'Preview',
      data: null,
    });

  router.route('/room/link-requests').post(requestLink).all(refuseMethod('POST', options));
  router.route('/room/preview').get(sendPreview).all(refuseMethod('GET', options));
  router.route('/room/:join').get(open).all(refuseMethod('GET', options));
  router.route('/room/:join/calendar.ics').get(sendCalendar).all(refuseMethod('GET', options));
}

const layoutOf = ({ phase }: PersonalPage): Page['layout'] => {
  if (phase === 'lobby') return 'lobby';
  return phase === 'live' || phase === 'replay' ? 'room' : 'card';
};
