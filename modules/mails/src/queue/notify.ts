import { statement, type AccountWriter } from '@service/database';

/** Workers that are notified on this channel look for due mails at once, and often afterwards. */
export const mailsChannel = 'mails_due';

/** Notified workers look often for due mails for this time. */
export const lookOftenMs = 1000;

/** The least time between two notifications of this process. Workers still look often then, so mails in between need none. */
const gapMs = 250;

// Not flushed to disk: a notification makes a transaction of its own, and the search of each second makes up for a lost one.
const notify = statement({
  name: 'mails.notify',
  text: `select set_config('synchronous_commit', 'off', true), pg_notify('${mailsChannel}', '')`,
});

let notifiedAtMs = Number.NEGATIVE_INFINITY;

/** Notifies workers after the commit that mails were queued. */
export function notifyOfMails(tx: Pick<AccountWriter, 'followCommit'>): void {
  tx.followCommit((query) => {
    const nowMs = performance.now();
    if (nowMs - notifiedAtMs < gapMs) return undefined;
    notifiedAtMs = nowMs;
    return query(notify, []).then(
      () => undefined,
      () => undefined,
    );
  });
}
