import { calendarFile } from '@service/mail';
import { escapeHtml } from '@service/pages';
import { createHash } from 'node:crypto';
import type { MailboxMail } from './mailbox.ts';

const style = `
:root { color-scheme: light dark; --ink: #1f2328; --dim: #5f6670; --line: #dfe2e6; --card: #fff; --page: #f6f7f8; --link: #3b4fc4; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e8eb; --dim: #9aa2ad; --line: #32373e; --card: #1c1f24; --page: #131518; --link: #9aa8ff; }
}
* { box-sizing: border-box; }
body { margin: 0; padding: 24px 16px 48px; background: var(--page); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 760px; margin: 0 auto; }
h1 { margin: 0 0 4px; font-size: 22px; line-height: 1.3; overflow-wrap: anywhere; }
h2 { margin: 24px 0 8px; font-size: 15px; }
p { margin: 0 0 16px; }
a { color: var(--link); text-underline-offset: 3px; overflow-wrap: anywhere; }
ul { margin: 0; padding: 0; list-style: none; }
li, .card { padding: 14px 16px; border: 1px solid var(--line); border-radius: 8px; background: var(--card); }
li + li { margin-top: 8px; }
li ul { margin-top: 6px; }
li li { padding: 0; border: 0; margin-top: 4px; font-size: 14px; }
.subject { font-weight: 600; color: var(--ink); }
.dim { margin: 0; color: var(--dim); font-size: 14px; overflow-wrap: anywhere; }
pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; }
iframe { width: 100%; height: 60vh; border: 1px solid var(--line); border-radius: 8px; background: #fff; }
`;

/** The source for `style-src`: only this style. */
export const styleSource = `'sha256-${createHash('sha256').update(style).digest('base64')}'`;

const page = (title: string, content: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Mailbox</title>
<style>${style}</style>
</head>
<body><main>${content}</main></body>
</html>
`;

const about = `Mails that this installation would send. They are shown here, on this machine only, because no mail server is set
(SMTP_URL). The newest 200 are kept.`;

export function listPage(mails: readonly MailboxMail[]): string {
  const list =
    mails.length === 0
      ? `<div class="card"><p class="dim">No mails yet. Links to reset a password, to confirm an address and of invitations appear
here, and the mails of webinars and about paused webhooks. Reload the page to see new ones.</p></div>`
      : `<ul>${mails.map(entry).join('')}</ul>`;
  return page('Mails', `<h1>Mailbox</h1><p class="dim">${about}</p><h2>Mails</h2>${list}`);
}

const entry = ({ id, at, to, subject, text }: MailboxMail): string => `<li>
<a class="subject" href="/mail/${id}">${escapeHtml(subject)}</a>
<p class="dim">To ${escapeHtml(to)} · ${timeOf(at)}</p>${linkList(text)}</li>`;

export function mailPage({ id, at, to, subject, text, html, calendar }: MailboxMail): string {
  const links = linkList(text);
  return page(
    subject,
    `<p><a href="/mail">All mails</a></p>
<h1>${escapeHtml(subject)}</h1>
<p class="dim">To ${escapeHtml(to)} · ${timeOf(at)}</p>
<h2>Text</h2><div class="card"><pre>${escapeHtml(text)}</pre></div>
${links && `<h2>Links</h2>${links}`}
${calendar ? `<h2>Attachment</h2><p><a href="/mail/${id}/${calendarFile}">${calendarFile}</a></p>` : ''}
${html === undefined ? '' : `<h2>HTML</h2><iframe sandbox title="The mail as HTML" src="/mail/${id}/html"></iframe>`}`,
  );
}

function linkList(text: string): string {
  const links = [...new Set(text.match(/https?:\/\/[^\s<>"']+/g))];
  if (links.length === 0) return '';
  return `<ul>${links.map((url) => `<li><a href="${escapeHtml(url)}" rel="noreferrer">${escapeHtml(url)}</a></li>`).join('')}</ul>`;
}

/** 2026-11-20 21:14:09 UTC. */
const timeOf = (at: Date): string =>
  `<time datetime="${at.toISOString()}">${at.toISOString().slice(0, 19).replace('T', ' ')} UTC</time>`;
