// GET /r/{clickToken}: the one address of the room that people open themselves.
import { httpStatusByKind, type AppError } from '@service/errors';
import { errorToAnswer } from '@service/rest';
import type { Room } from '@service/webinars';
import type { Request, RequestHandler, Response } from 'express';
import type { Admission } from './admission.ts';
import { refuse, toRefusal, type RefusalOptions } from './answer.ts';
import type { Limits } from './limits.ts';

interface ClickLinkOptions extends RefusalOptions {
  room: Pick<Room, 'follow'>;
  admission: Pick<Admission, 'click'>;
  limits: Pick<Limits, 'admitCall'>;
  now: () => Date;
}

/** Records a click and leads to where it goes. Browsers get a page where programs get the error as JSON. */
export function followClickLink({
  room,
  admission,
  limits,
  now,
  ...options
}: ClickLinkOptions): RequestHandler {
  return async (request: Request, response: Response) => {
    try {
      const token = await admission.click(request.params['token'] as string, request);
      limits.admitCall(token, now());
      const { redirectUrl } = await room.follow(token);
      response.writeHead(302, {
        Location: redirectUrl,
        // The address that is left is a credential.
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
