// One suite for every sender. Each test runs against the fake of each provider.
import { describe, expect, test } from 'vitest';
import { mailSenders } from './index.ts';
import {
  createTestContext,
  credentialOf,
  exampleMail,
  type FakeProvider,
  startFake,
} from './testing/index.ts';

const invite = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'PRODID:-//test//EN',
  'METHOD:REQUEST',
  'BEGIN:VEVENT',
  'UID:1@example.com',
  'DTSTAMP:20261201T090000Z',
  'DTSTART:20261201T170000Z',
  'SUMMARY:Grüße',
  'END:VEVENT',
  'END:VCALENDAR',
  '',
].join('\r\n');

for (const sender of mailSenders) {
  const open = async (): Promise<{
    fake: FakeProvider;
    context: ReturnType<typeof createTestContext>;
    credential: unknown;
  }> => {
    const fake = await startFake(sender.id);
    return {
      fake,
      context: createTestContext(fake),
      credential: sender.credential.parse(credentialOf(sender.id, fake)),
    };
  };
  const secret = (sender.id === 'smtp' ? 'password' : sender.id === 'postmark' ? 'token' : 'key') as string;

  describe(sender.name, () => {
    test('a mail arrives as it was written', async () => {
      const { fake, context, credential } = await open();
      await using _fake = fake;
      await using _context = context;
      const mail = exampleMail({ unsubscribeUrl: 'https://example.com/u/abc?x=1' });
      const outcome = await sender.send(mail, credential, context);
      expect(outcome).toEqual({
        kind: 'sent',
        providerMessageId: expect.stringContaining(fake.mails[0]!.id),
      });
      expect(fake.mails).toEqual([
        {
          id: expect.any(String),
          idempotencyKey: sender.idempotencyMs === undefined ? undefined : mail.idempotencyKey,
          // Brevo would drop a name with a comma and a letter beyond ASCII.
          from: {
            name: sender.id === 'brevo' ? 'Zoë Webinars Inc' : 'Zoë Webinars, Inc',
            address: 'hooks@example.com',
          },
          replyTo: mail.replyTo,
          to: ['ada@recipients.example'],
          subject: mail.subject,
          text: mail.text,
          html: mail.html,
          headers: expect.objectContaining({
            // Brevo sets the Message-ID itself.
            ...(sender.id !== 'brevo' && { 'message-id': mail.messageId }),
            'auto-submitted': 'auto-generated',
            'list-unsubscribe': '<https://example.com/u/abc?x=1>',
            'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
          }),
          calendar: undefined,
        },
      ]);
    });

    test('a calendar invitation arrives unchanged with its method', async () => {
      const { fake, context, credential } = await open();
      await using _fake = fake;
      await using _context = context;
      const mail = exampleMail({ calendar: { content: invite, method: 'REQUEST' } });
      expect(await sender.send(mail, credential, context)).toMatchObject({ kind: 'sent' });
      const { content, type } = fake.mails[0]!.calendar!;
      expect(content.trimEnd()).toBe(invite.trimEnd());
      expect(type).toMatch(/^text\/calendar/);
      // SendGrid refuses parameters, and Brevo takes the type from the name: there the method is in the content only.
      if (sender.id !== 'sendgrid' && sender.id !== 'brevo') expect(type).toMatch(/method="?REQUEST/);
    });

    test('a line end in a name, a subject or an address adds neither a header nor a recipient', async () => {
      const { fake, context, credential } = await open();
      await using _fake = fake;
      await using _context = context;
      const evil = '\r\nBcc: eve@example.com\r\nX-Evil: 1\u2028\u0000"<eve@example.com>,';
      const mail = exampleMail({
        from: { name: `Acme${evil}`, address: 'hooks@example.com' },
        replyTo: { name: `Ada${evil}`, address: 'ada@example.com' },
        subject: `Paused${evil}`,
      });
      expect(await sender.send(mail, credential, context)).toMatchObject({ kind: 'sent' });
      const [taken] = fake.mails;
      expect(taken).toMatchObject({ to: [mail.to], from: { address: 'hooks@example.com' } });
      expect(taken!.replyTo?.address).toBe('ada@example.com');
      expect(taken!.subject).toMatch(/^Paused Bcc: eve@example.com X-Evil: 1 /);
      expect(Object.keys(taken!.headers)).not.toContain('x-evil');
      expect(Object.keys(taken!.headers)).not.toContain('bcc');

      const requests = fake.requests.length;
      for (const bad of ['ada@example.com\r\nBcc: eve@example.com', 'a@example.com, b@example.com', 'Ada']) {
        expect(await sender.send({ ...mail, to: bad }, credential, context), bad).toMatchObject({
          kind: 'recipient_refused',
        });
        for (const part of [
          { from: { name: '', address: bad } },
          { replyTo: { name: '', address: bad } },
          { messageId: `<${bad}>` },
          { idempotencyKey: bad },
          { unsubscribeUrl: `javascript:${bad}` },
        ])
          expect(await sender.send({ ...mail, ...part }, credential, context), bad).toMatchObject({
            kind: 'mail_refused',
          });
      }
      expect(fake.requests).toHaveLength(requests);
    });

    test('long values are cut or refused', async () => {
      const { fake, context, credential } = await open();
      await using _fake = fake;
      await using _context = context;
      const long = exampleMail({
        from: { name: 'ä'.repeat(5000), address: 'hooks@example.com' },
        subject: `a${'🎉'.repeat(5000)}`,
        text: 'word ü '.repeat(10_000),
      });
      expect(await sender.send(long, credential, context)).toMatchObject({ kind: 'sent' });
      const [{ from, subject, text }] = fake.mails as [(typeof fake.mails)[number]];
      expect(from.name).toBe('ä'.repeat(100));
      expect(subject).toBe(`a${'🎉'.repeat(249)}`);
      expect(text.replaceAll(/\s+/g, ' ').trim()).toBe(long.text.trim());
      const tooLong = await sender.send({ ...long, text: 'a'.repeat(500_001) }, credential, context);
      expect(tooLong).toMatchObject({ kind: 'mail_refused' });
      expect(fake.mails).toHaveLength(1);
    });

    test('a working credential is accepted, with the domains where the provider lists them', async () => {
      const { fake, context, credential } = await open();
      await using _fake = fake;
      await using _context = context;
      const verification = await sender.verify(credential, context);
      expect(verification).toMatchObject({ kind: 'accepted' });
      const domains = verification.kind === 'accepted' ? verification.domains : [];
      if (sender.id !== 'smtp' && sender.id !== 'postmark')
        expect(domains).toEqual([
          { name: 'example.com', isVerified: true },
          { name: 'new.example', isVerified: false },
        ]);
      expect(fake.mails).toEqual([]);
      expect(sender.last4(credential)).toBe(String(Object(credential)[secret]).slice(-4));
    });

    test('a revoked key is refused, and no reason contains it although the provider repeats it', async () => {
      const { fake, context, credential } = await open();
      await using _fake = fake;
      await using _context = context;
      fake.key = undefined;
      const outcomes = [
        await sender.send(exampleMail(), credential, context),
        await sender.verify(credential, context),
      ];
      expect(outcomes).toMatchObject([{ kind: 'credential_refused' }, { kind: 'refused' }]);
      const said = JSON.stringify(outcomes);
      expect(said).toContain('***');
      expect(said).not.toContain(String(Object(credential)[secret]));
    });

    test('an inactive recipient and a domain that is not verified are final', async () => {
      const { fake, context, credential } = await open();
      await using _fake = fake;
      await using _context = context;
      fake.inactive.add('gone@recipients.example');
      const gone = exampleMail({ to: 'gone@recipients.example' });
      expect(await sender.send(gone, credential, context)).toMatchObject({ kind: 'recipient_refused' });
      const other = exampleMail({ from: { name: '', address: 'hooks@other.example' } });
      expect(await sender.send(other, credential, context)).toMatchObject({ kind: 'mail_refused' });
      expect(await sender.send(exampleMail(), credential, context)).toMatchObject({ kind: 'sent' });
    });

    test('a limit rests the lane for as long as the provider says, and a disturbance does not', async () => {
      const { fake, context, credential } = await open();
      await using _fake = fake;
      await using _context = context;
      fake.faults.push('rate_limited', 'unavailable');
      const limited = await sender.send(exampleMail(), credential, context);
      expect(limited).toMatchObject({ kind: 'later', restsLane: true });
      const waitMs = limited.kind === 'later' ? limited.retryAfterMs : 0;
      // SMTP has no field for a wait. SendGrid gives a time in whole seconds.
      if (sender.id === 'smtp') expect(waitMs).toBeUndefined();
      else if (sender.id === 'sendgrid') expect(Math.ceil(waitMs! / 1000)).toBeOneOf([7, 8]);
      else expect(waitMs).toBe(7000);
      const disturbed = await sender.send(exampleMail(), credential, context);
      expect(disturbed).toMatchObject({ kind: 'later' });
      expect('mayHaveArrived' in disturbed && disturbed.mayHaveArrived).toBe(false);
      expect(fake.mails).toEqual([]);
    });

    test('after a lost answer the mail is repeated only where the provider recognises it', async () => {
      const { fake, context, credential } = await open();
      await using _fake = fake;
      await using _context = context;
      const mail = exampleMail();
      fake.faults.push('lost');
      const lost = await sender.send(mail, credential, context);
      expect(fake.mails).toHaveLength(1);
      if (sender.idempotencyMs === undefined) return expect(lost).toMatchObject({ kind: 'uncertain' });
      expect(lost).toMatchObject({ kind: 'later', mayHaveArrived: true });
      expect(await sender.send(mail, credential, context)).toMatchObject({ kind: 'sent' });
      expect(fake.mails).toHaveLength(1);
    });

    test('a caller who stops while the provider is silent gets an outcome', async () => {
      const { fake, credential } = await open();
      await using _fake = fake;
      const caller = new AbortController();
      await using context = createTestContext(fake, { signal: caller.signal });
      fake.faults.push('silent');
      fake.onSilent = () => caller.abort();
      expect(await sender.send(exampleMail(), credential, context)).toMatchObject(
        sender.idempotencyMs === undefined ? { kind: 'uncertain' } : { kind: 'later', mayHaveArrived: true },
      );
      // This mail is not sent.
      const second = await sender.send(exampleMail(), credential, context);
      expect(second).toMatchObject({ kind: 'later' });
      expect(second).not.toMatchObject({ mayHaveArrived: true });
      expect(fake.mails).toHaveLength(1);
    });

    test('without a connection the mail is sent later', async () => {
      const { fake } = await open();
      await using _fake = fake;
      const closed = { port: 1, baseUrl: fake.baseUrl };
      await using context = createTestContext(closed);
      const credential = sender.credential.parse(credentialOf(sender.id, closed));
      const outcome = await sender.send(exampleMail(), credential, context);
      expect(outcome).toMatchObject({ kind: 'later', reason: expect.stringContaining('ECONNREFUSED') });
      expect(outcome).not.toMatchObject({ mayHaveArrived: true });
      expect(await sender.verify(credential, context)).toMatchObject({ kind: 'unreachable' });
    });

    test('an address of a private network is not connected to', async () => {
      const { fake, credential } = await open();
      await using _fake = fake;
      await using context = createTestContext(fake, { allowedCidrs: [] });
      const outcome = await sender.send(exampleMail(), credential, context);
      // An SMTP host belongs to the credential. The address of an API does not.
      expect(outcome).toMatchObject({
        kind: sender.id === 'smtp' ? 'credential_refused' : 'later',
        reason: expect.stringContaining('private or reserved address'),
      });
      expect(fake.requests).toEqual([]);
    });

    test('every field of the credential has its texts, and exactly one is secret', () => {
      const { shape } = sender.credential as unknown as {
        shape: Record<string, { meta(): Record<string, unknown> }>;
      };
      const texts = Object.values(shape).map((field) => field.meta());
      for (const text of texts)
        expect(text).toEqual({
          label: expect.any(String),
          placeholder: expect.any(String),
          help: expect.any(String),
          isSecret: expect.any(Boolean),
        });
      expect(texts.filter(({ isSecret }) => isSecret)).toHaveLength(1);
    });
  });
}
