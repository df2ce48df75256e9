import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { testWorker } from '../support/worker.ts';
import { createWorld } from '../support/world.ts';
import { startSmtpInbox } from '../worker/smtp-inbox.ts';

test('no name, title or setting adds a header, a recipient or a line of the log', async () => {
  const lines: string[] = [];
  await using inbox = await startSmtpInbox();
  await using world = await createWorld({ webinar: { title: 'Launch\r\nBcc: eve@example.com' } });
  const log = Object.assign(Object.create(null), {
    ...Object.fromEntries(
      ['debug', 'info', 'warn', 'error'].map((level) => [
        level,
        (...line: unknown[]) => void lines.push(JSON.stringify(line)),
      ]),
    ),
    child: () => log,
  });
  await using _worker = await testWorker(world.service.db.url, {
    mail: { smtpUrl: inbox.url, from: 'Hooks <hooks@example.com>' },
    log,
  });
  await world.call('PATCH /mails', {
    senderName: 'Acme" <eve@example.com>',
    replyTo: 'host@example.com',
    kinds: { confirmation: { subject: '{{name}} {{webinarTitle}}' } },
  });
  const { joinUrl } = await world.create<{ joinUrl: string }>('/registrations', {
    name: 'Ada\r\nBcc: eve@example.com\r\n\r\n<script>',
    email: 'ada@example.com',
    sessionTime: world.webinar.sessionTime,
  });
  const [mail] = await eventually('a mail', () => inbox.received.length > 0 && inbox.received);
  expect(mail!.to).toEqual(['ada@example.com']);
  const headers = mail!.headers.split('\r\n');
  expect(headers.filter((line) => /^(?:bcc|cc):/i.test(line))).toEqual([]);
  expect(headers.filter((line) => /^from:/i.test(line))).toEqual([
    expect.stringContaining('<hooks@example.com>'),
  ]);
  expect(headers.filter((line) => /^reply-to:/i.test(line))).toEqual([
    expect.stringContaining('host@example.com'),
  ]);
  expect(lines.join('\n')).not.toContain(joinUrl.split('/').at(-1));
});
