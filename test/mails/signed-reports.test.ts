// Reports of providers that sign with a secret of their own: nothing is read before the owner has given that secret.
import { startFake } from '@service/mail-senders/testing';
import { expect, test } from 'vitest';
import { insertConnection } from '../connections/connection-rows.ts';
import { createTestAccount, createTestMember } from '../support/api.ts';
import { openDashboard, refusalOf } from '../support/dashboard.ts';
import { insertMailConnection } from '../support/mail-connections.ts';
import { connectFake, createMailsWorld } from './mails-world.ts';
import { signers, type SignedReport } from './sign-reports.ts';

test.each(['resend', 'sendgrid'] as const)(
  'a report of %s is read when the secret of this connection has signed it just now, and gets a 404 otherwise',
  async (provider) => {
    await using fake = await startFake(provider);
    await using mails = await createMailsWorld();
    const { world, sql } = mails;
    const { service } = world;
    const connectionId = await connectFake(world, fake, provider);
    const owner = await openDashboard(service, world);
    const addressOf = async (id: string, dashboard = owner): Promise<string> =>
      new URL((await dashboard.query('mails.reportUrl', { connectionId: id })).url).pathname;
    const address = await addressOf(connectionId);
    const send = async ({ headers, body }: SignedReport, path = address): Promise<number> =>
      (await fetch(service.baseUrl + path, { method: 'POST', headers, body })).status;
    const suppressed = async (): Promise<unknown[]> =>
      (await sql('select address from mails.suppression')).map((row) => row['address']);
    const reports = async () => (await owner.query('connections.get', { connectionId })).reports;
    await world.register('ada@example.com');
    await mails.untilSent();
    const ours = signers[provider]();
    const bounce = (at?: Date): SignedReport => ours.bounce('ada@example.com', at);

    expect(await reports()).toEqual({ state: 'not_read', secretLast4: null });
    expect(await send(bounce())).toBe(404);
    const give = (secret: string | null) =>
      owner.mutate('connections.changeReportSecret', { connectionId, secret });
    for (const wrong of ['', 'whsec_', 'whsec_no base64', 'a'.repeat(400), fake.key ?? ''])
      expect(await refusalOf(give(wrong)), wrong).toBe('validation_failed');
    await give(` ${ours.secret}\n`);
    expect(await reports()).toEqual({ state: 'read', secretLast4: ours.secret.slice(-4) });

    // The same key in another connection and in another account.
    const other = await insertMailConnection(service.db.database, service.api.service.connections, {
      accountId: (await createTestAccount(service)).accountId,
      provider,
      credential: {},
      baseUrl: null,
    });
    const second = await insertConnection(service, world.accountId);
    const signed = bounce();
    const mirrored = address.replace(connectionId, other);
    const minutesAgo = (minutes: number): Date => new Date(Date.now() - minutes * 60_000);
    const forged: [string, SignedReport, string?][] = [
      ['another key', signers[provider]().bounce('ada@example.com')],
      ['a changed body', { ...signed, body: signed.body.replace('ada@', 'eva@') }],
      ['no signature', { headers: {}, body: signed.body }],
      ['six minutes old', bounce(minutesAgo(6))],
      ['six minutes ahead', bounce(minutesAgo(-6))],
      ['a connection of another account', signed, mirrored],
      ['another connection of the account', signed, await addressOf(second)],
      [
        'another secret in the address',
        signed,
        `${address.slice(0, -1)}${address.endsWith('A') ? 'B' : 'A'}`,
      ],
    ];
    const unknown = await fetch(`${service.baseUrl}/api/webhooks/mail/x/y`, { method: 'POST' });
    expect(unknown.status).toBe(404);
    for (const [name, report, path] of forged) expect(await send(report, path), name).toBe(404);
    expect(await suppressed()).toEqual([]);
    expect(await sql('select event_id from mails.provider_event')).toEqual([]);

    expect([await send(signed), await send(signed), await send(bounce(minutesAgo(4)))]).toEqual([
      200, 200, 200,
    ]);
    // The report of SendGrid also says that the person unsubscribed, which must not hide the bounce.
    expect(await sql('select address, reason from mails.suppression')).toEqual([
      { address: 'ada@example.com', reason: 'hard_bounce' },
    ]);
    expect(await sql(`select event_id from mails.provider_event where kind <> 'unsubscribed'`)).toHaveLength(
      2,
    );

    // A replaced secret proves nothing, and the sealed value of one connection does not open in another.
    const next = signers[provider]();
    await give(next.secret);
    expect([await send(bounce()), await send(next.bounce('ada@example.com'))]).toEqual([404, 200]);
    await sql(
      `update connections.connection c set sealed_report_secret = o.sealed_report_secret, report_secret_version = o.report_secret_version
       from connections.connection o where c.id = $1 and o.id = $2`,
      [second, connectionId],
    );
    await sql('update connections.connection set provider = $2 where id = $1', [second, provider]);
    expect(await send(next.bounce('ada@example.com'), await addressOf(second))).toBe(500);
    await sql(
      'update connections.connection set sealed_report_secret = sealed_credential, report_secret_version = 1',
    );
    expect(await send(next.bounce('ada@example.com'))).toBe(500);
    await give(null);
    expect(await send(next.bounce('ada@example.com'))).toBe(404);
    expect(await reports()).toEqual({ state: 'not_read', secretLast4: null });
    const kinds = (await owner.query('connections.changes', {})).map(({ kind }: { kind: string }) => kind);
    expect(kinds).toEqual(Array.from({ length: 3 }, () => 'report_secret_changed'));
    const max = await openDashboard(service, await createTestMember(service, world.accountId));
    expect(
      await refusalOf(max.mutate('connections.changeReportSecret', { connectionId, secret: null })),
    ).toBe('owner_required');
  },
);
