// The pages /mail and /mail/{id} of the embedded default. Every mail contains links that sign a person in or change a password, so
// only a program on this machine reads them. For others, and for an installation with a mail server, the paths do not exist.
import { isFromThisMachine } from '@service/lifecycle';
import { calendarFile } from '@service/mail';
import type { HttpDoor } from '@service/module';
import type { Request, RequestHandler, Response } from 'express';
import { z } from 'zod';
import type { Mailbox, MailboxMail } from './mailbox.ts';
import { listPage, mailPage, styleSource } from './mailbox-pages.ts';

export interface DoorParts {
  /** Undefined: an installation without a mailbox. */
  mailbox: Mailbox | undefined;
}

const nothingElse = "base-uri 'none'; form-action 'none'";

const pagePolicy = `default-src 'none'; style-src ${styleSource}; frame-src 'self'; frame-ancestors 'none'; ${nothingElse}`;

/** The HTML of a mail is a document of its own without scripts, forms, links and remote content. */
const mailPolicy = `sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'; ${nothingElse}`;

export function createMailboxDoor({ mailbox }: DoorParts): HttpDoor {
  return {
    mount(routes) {
      if (!mailbox) return;
      routes.get('/mail', guard, async (_request, response) =>
        send(response, pagePolicy, listPage(await mailbox.list())),
      );
      const one = (answer: (response: Response, mail: MailboxMail) => Response): RequestHandler[] => [
        guard,
        async (request, response, next) => {
          const mail = await findMail(mailbox, request);
          if (mail) answer(response, mail);
          else next('route');
        },
      ];
      routes.get('/mail/:id', ...one((response, mail) => send(response, pagePolicy, mailPage(mail))));
      routes.get('/mail/:id/html', ...one((response, mail) => send(response, mailPolicy, mail.html ?? '')));
      routes.get(
        `/mail/:id/${calendarFile}`,
        ...one((response, { calendar }) =>
          response
            .set('Cache-Control', 'no-store')
            .attachment(calendarFile)
            .type('text/calendar; charset=utf-8')
            .send(calendar?.content ?? ''),
        ),
      );
    },
  };
}

const guard: RequestHandler = (request, _response, next) =>
  isFromThisMachine(request) ? next() : next('route');

async function findMail(mailbox: Mailbox, { params }: Request): Promise<MailboxMail | undefined> {
  const id = z.uuid().safeParse(params['id']);
  return id.success ? await mailbox.find(id.data) : undefined;
}

const send = (response: Response, policy: string, html: string): Response =>
  response
    .set({
      'Content-Security-Policy': policy,
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
    })
    .type('html')
    .send(html);
