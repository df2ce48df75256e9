// GET /r/{clickToken}: the link of an offer, CTA or handout that a person opens.
import { type AppError, httpStatusByKind } from '@service/errors';
import { errorToAnswer } from '@service/rest';
import type { Request, RequestHandler, Response } from 'express';
import type { Room } from '../room/room.ts';
import type { Admission, Limits } from './room-admission.ts';
import { type RefusalOptions, refuse, toRefusal } from './room-answer.ts';

interface ClickLinkOptions extends RefusalOptions {
  room: Pick<Room, 'follow'>;
  admission: Pick<Admission, 'click'>;
  limits: Pick<Limits, 'admitCall'>;
  now: () => Date;
}

/** Records a click and redirects to the target. Browsers get errors as a page, programs as JSON. */
export function followClickLink({
  room,
  admission,
  limits,
  now,
  ...options
}: ClickLinkOptions): RequestHandler {
  return async (request: Request, response: Response) => {
    try {
      if (isNoClick(request)) return refuseVisit(response);
      const token = await admission.click(request.params['token'] as string, request);
      limits.admitCall(token, now());
      const { redirectUrl } = await room.follow(token);
      response.writeHead(302, {
        Location: redirectUrl,
        // This URL contains a credential.
        'Referrer-Policy': 'no-referrer',
        'Cache-Control': 'no-store',
        'Content-Length': 0,
      });
      response.end();
    } catch (error) {
      response.vary('Accept');
      if (request.accepts(['json', 'html']) === 'html') showRefusal(response, error, options);
      else refuse(response, error, options);
    }
  };
}

/**
 * True for a request that is not a click: a browser that prefetches the link
 * (https://wicg.github.io/nav-speculation/prefetch.html#sec-purpose-header, and its predecessors), or a program that shows a
 * preview in a chat.
 */
function isNoClick({ headers }: Request): boolean {
  const purposes = [headers['sec-purpose'], headers['purpose'], headers['x-purpose'], headers['x-moz']];
  return (
    purposes.some((purpose) => /\b(prefetch|prerender|preview)\b/i.test(String(purpose ?? ''))) ||
    previewers.test(headers['user-agent'] ?? '')
  );
}

/** User agents of such programs. A mail scanner with the user agent of a browser cannot be recognised. */
const previewers =
  /\b(Slackbot|Slack-ImgProxy|Twitterbot|facebookexternalhit|facebookcatalog|LinkedInBot|Discordbot|TelegramBot|WhatsApp|SkypeUriPreview|MicrosoftPreview|redditbot|Pinterestbot|Mastodon|Iframely|Googlebot|bingbot|Applebot)\b/i;

/** A browser discards a prefetched answer with a status outside 200 to 299, and requests the link again at the click. */
function refuseVisit(response: Response): void {
  response.writeHead(503, { 'Cache-Control': 'no-store', 'Retry-After': 0, 'Content-Length': 0 }).end();
}

function showRefusal(response: Response, thrown: unknown, { docsUrl, log }: RefusalOptions): void {
  const { error, requestId } = toRefusal(thrown, log);
  const { headers } = errorToAnswer(error, { requestId, docsUrl });
  response
    .status(httpStatusByKind[error.kind])
    .set({ ...headers, 'X-Request-Id': requestId, 'Cache-Control': 'no-store' })
    .type('html')
    .send(toPage(error));
}

function toPage(error: AppError): string {
  const [title, text] =
    error.kind === 'gone'
      ? ['This link is not valid any more', 'Ask the host of the webinar for a new link.']
      : ['This link does not work now', error.message];
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<h1>${title}</h1>
<p>${text}</p>
</html>
`;
}
