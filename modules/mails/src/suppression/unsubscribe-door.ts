// The page behind the link in marketing mails, and the one-click request of mail programs (RFC 8058). The token proves itself, so
// there is no sign-in. A scanner of links only gets the page: a GET changes nothing.
import { accountWriter, currentPayer, databaseTime, workForCaller, type Database } from '@service/database';
import { commonErrors } from '@service/errors';
import type { HttpDoor } from '@service/module';
import { createBuckets } from '@service/rest';
import { createHash } from 'node:crypto';
import type { Response } from 'express';
import { suppress } from './suppressions.ts';
import type { UnsubscribeLinks } from './suppression-links.ts';

export interface UnsubscribeParts {
  database: Pick<Database, 'ofAccount'>;
  unsubscribeLinks: Pick<UnsubscribeLinks, 'read'>;
  /** Called after the commit. */
  changes: { announce(accountId: string, topic: 'mails'): void };
}

/** Requests of one recipient. */
const limit = { burst: 20, perMinute: 10 };

export function createUnsubscribeDoor({ database, unsubscribeLinks, changes }: UnsubscribeParts): HttpDoor {
  const perRecipient = createBuckets(limit);

  const unsubscribe = async ({ accountId, address }: { accountId: string; address: string }) => {
    const now = databaseTime();
    const retryAfterSeconds = perRecipient.take(`${accountId} ${address}`, now);
    if (retryAfterSeconds !== undefined) throw commonErrors.service_busy({ retryAfterSeconds });
    const account = database.ofAccount(accountId);
    workForCaller(account, currentPayer());
    await account.transaction((tx) =>
      suppress(accountWriter(tx, { accountId, now }), [{ address, reason: 'unsubscribed' }]),
    );
    changes.announce(accountId, 'mails');
  };

  return {
    mount(routes) {
      routes.get('/unsubscribe/:token', (_request, response) => send(response, askPage));
      // The body is `List-Unsubscribe=One-Click` or the form's, and says nothing more than the request itself.
      routes.post('/unsubscribe/:token', async ({ params }, response) => {
        const recipient = unsubscribeLinks.read(params['token']);
        if (recipient) await unsubscribe(recipient);
        // The same answer for an unknown token.
        send(response, donePage);
      });
    },
  };
}

const style = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:15vh auto;padding:0 1rem}
button{font:inherit;padding:.5rem 1rem}`;

const page = (content: string): string => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">
<title>Unsubscribe</title><style>${style}</style></head>
<body><main><h1>Unsubscribe</h1>${content}</main></body>
</html>
`;

const askPage =
  page(`<p>You will get no more mails like the one that you came from. Mails about your own registrations, such as your join
link, are still sent.</p><form method="post"><button>Unsubscribe</button></form>`);

const donePage = page('<p>You are unsubscribed.</p>');

const styleSource = `'sha256-${createHash('sha256').update(style).digest('base64')}'`;

const send = (response: Response, html: string): Response =>
  response
    .set({
      'Content-Security-Policy': `default-src 'none'; style-src ${styleSource}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
    })
    .type('html')
    .send(html);
