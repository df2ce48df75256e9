// The public registration page of a webinar and the registrations that it sends. Callers are strangers: the slug names the account,
// and no answer says who is registered.
import { setTimeout as delay } from 'node:timers/promises';
import {
  type AccountDatabase,
  type AccountReader,
  currentPayer,
  type Database,
  databaseTime,
  isId,
  workForCaller,
} from '@service/database';
import type { HttpDoor } from '@service/module';
import type { Pages } from '@service/pages';
import { readBody, sendJson } from '@service/rest';
import { parseInput, writeBatched } from '@service/trpc';
import { acceptsEvents, findWebinar, type Webinar, webinarErrors } from '@service/webinars';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { attendeeErrors } from '../errors.ts';
import type { EventSubscriber } from '../event/event-subscriber.ts';
import type { FormTokens } from '../page/form-tokens.ts';
import { readPage } from '../page/read-page.ts';
import { answerForm, linkByMail, registrationOf } from '../page/register-from-page.ts';
import {
  type Branding,
  type BrandingReader,
  RegistrationPageInput,
  type WebinarPage,
  withoutRefused,
} from '../page/schemas.ts';
import type { JoinLinks } from '../registration/join-token.ts';
import { batchRegistrations } from '../registration/register.ts';
import { createPageLimits, type SlugLookup } from './page-admission.ts';
import { type RefusalOptions, refuse, refuseMethod, refuseWithPage } from './room-answer.ts';

export interface PageApiParts extends RefusalOptions {
  /** Without a trailing slash. */
  baseUrl: string;
  database: Pick<Database, 'ofAccount'>;
  lookUpSlug: SlugLookup;
  pages: Pages;
  joinLinks: Pick<JoinLinks, 'urlOf'>;
  formTokens: FormTokens;
  subscriber: EventSubscriber;
  readBranding: BrandingReader;
  now?: (() => Date) | undefined;
}

/** Largest body, in bytes: thirty answers of a thousand characters, with room for other alphabets. */
const bytesMax = 128 * 1024;

/**
 * An answer that the link was mailed comes after this time, in milliseconds, so that its time does not say whether a registration was
 * made or found. Where links are only mailed, a refusal does too, because a person who is registered gets a mail with it.
 */
const mailAnswerMs = 400;

interface OpenPage {
  account: AccountDatabase;
  reader: Pick<AccountReader, 'query' | 'accountId' | 'now'>;
  webinar: Webinar;
  branding: Branding;
}

/** The routes below `/w`. The dashboard has `/w/{workspace id}`, and no slug is an id. */
export function createPageApi({
  baseUrl,
  database,
  lookUpSlug,
  pages,
  joinLinks,
  formTokens,
  subscriber,
  readBranding,
  now = databaseTime,
  ...options
}: PageApiParts): HttpDoor {
  const router = Router({ caseSensitive: true, strict: true });
  const limits = createPageLimits();
  const registering = batchRegistrations(subscriber);

  /** Finds the published webinar of the path. Its account pays for the work from now on. Throws webinar_not_found. */
  const find = async (request: Request, caller = currentPayer()): Promise<OpenPage> => {
    const found = await lookUpSlug(request.params['slug'] as string);
    if (!found) throw webinarErrors.webinar_not_found();
    const { accountId, webinarId } = found;
    const account = database.ofAccount(accountId);
    workForCaller(account, caller);
    const reader = { query: account.query, accountId, now: now() };
    const [webinar, workspace] = await Promise.all([findWebinar(reader, webinarId), readBranding(reader)]);
    const { isSuspended, ...branding } = workspace;
    if (!acceptsEvents(webinar) || isSuspended) throw webinarErrors.webinar_not_found();
    return { account, reader, webinar, branding };
  };

  const sendPage = (request: Request, response: Response, page: WebinarPage, isEmbed: boolean) => {
    const { webinar, branding, locale, slug } = page;
    return pages.send(request, response, {
      entry: 'registration',
      layout: 'registration',
      status: 200,
      lang: locale,
      title: webinar.title,
      description: webinar.description,
      siteName: branding.name,
      logoUrl: branding.logoUrl,
      presenters: webinar.presenters.map(({ name }) => name),
      canonicalUrl: `${baseUrl}/w/${slug}`,
      imageUrl: webinar.posterUrl,
      isEmbed,
      data: page,
    });
  };

  const open =
    (isEmbed: boolean): RequestHandler =>
    async (request, response) => {
      const asHtml = request.accepts(['html', 'json']) === 'html';
      try {
        response.vary('Accept');
        if (!asHtml) response.set('Access-Control-Allow-Origin', '*');
        limits.admitView(request, now());
        const { account, reader, webinar, branding } = await find(request);
        const { slug } = webinar;
        if (slug !== request.params['slug']) return redirect(request, response, slug, isEmbed);
        const page = await inTurn(account, () => readPage(reader, webinar, { branding, formTokens }));
        if (asHtml) await sendPage(request, response, page, isEmbed);
        else sendJson(response, 200, { data: page });
      } catch (error) {
        if (asHtml)
          await refuseWithPage(request, response, { entry: 'registration', pages, error, ...options });
        else refuse(response, error, options);
      }
    };

  const takeForm: RequestHandler = async (request, response) => {
    const mayAnswer = delay(mailAnswerMs);
    let mayRefuse: Promise<void> | undefined;
    try {
      response.set('Access-Control-Allow-Origin', '*');
      limits.admitCall(request, now());
      const { account, reader, webinar } = await find(request);
      const { accountId } = reader;
      const body = withoutRefused(await readBody(request, { bytesMax }));
      const input = parseInput(RegistrationPageInput, body);
      if (!formTokens.isValid(input.formToken, webinar.id, now())) throw attendeeErrors.form_expired();
      limits.admitRegistration({ accountId, webinarId: webinar.id }, input.email, now());
      if (webinar.registrationPage.linksByMailOnly) mayRefuse = mayAnswer;
      const register = () =>
        writeBatched(
          { database: account, accountId, now: now() },
          { write: registering, input: registrationOf({ webinar, input }) },
          (tx, registered) => answerForm(tx, registered, { webinar, subscriber, joinLinks }),
        );
      const answer = input.website ? linkByMail : await inTurn(account, register);
      if (answer === 'full') throw webinarErrors.session_full();
      const isMailed = answer.state === 'link_by_mail';
      if (isMailed) await mayAnswer;
      sendJson(response, isMailed ? 202 : 201, { data: answer });
    } catch (error) {
      await mayRefuse;
      refuse(response, error, options);
    }
  };

  // The paths of the dashboard.
  router.use('/w/:slug', (request, _response, next) =>
    next(isId(request.params.slug) ? 'router' : undefined),
  );
  router.route('/w/:slug').get(open(false)).all(refuseMethod('GET', options));
  router.route('/w/:slug/embed').get(open(true)).all(refuseMethod('GET', options));
  router
    .route('/w/:slug/registrations')
    .options(allowPages)
    .post(takeForm)
    .all(refuseMethod('POST', options));
  return { mount: (routes) => void routes.use(router) };
}

/** Runs a call of the account when it may run one more. */
async function inTurn<Result>(account: AccountDatabase, run: () => Promise<Result>): Promise<Result> {
  const endCall = await account.beginCall();
  try {
    return await run();
  } finally {
    endCall();
  }
}

/** With the query, which says where the visitor comes from. */
function redirect(request: Request, response: Response, slug: string, isEmbed: boolean): void {
  const { originalUrl } = request;
  const query = originalUrl.includes('?') ? originalUrl.slice(originalUrl.indexOf('?')) : '';
  response.set('Cache-Control', 'no-store').redirect(301, `/w/${slug}${isEmbed ? '/embed' : ''}${query}`);
}

/** The form on pages of other sites. It sends no cookie and gets no answer about the visitor. */
const allowPages: RequestHandler = (_request, response) => {
  response
    .status(204)
    .set({
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Allow-Methods': 'POST',
      'Access-Control-Allow-Headers': 'Content-Type',
      'Access-Control-Max-Age': '600',
    })
    .end();
};
