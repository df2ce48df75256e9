import { readClock, type Database } from '@service/database';
import { defineTask, type Job, type Jobs, type JobTask } from '@service/jobs';
import type { Mail, Mailer } from './mailer.ts';

export interface MailTaskParts {
  /** Undefined: this installation sends no mail. */
  mailer: Mailer | undefined;
  jobs: Pick<Jobs, 'enqueueNow'>;
  /** Its time counts: a worker whose clock is ahead must not give up a mail. */
  database: Pick<Database, 'pool'>;
}

interface MailWork<Payload> {
  /** Names the mail in the log. It must not contain a secret. */
  nameOf: (payload: Payload) => string;
  /** Called for each attempt. Undefined: there is nothing to send any more. */
  compose: (payload: Payload, now: Date) => Promise<Mail | undefined>;
}

const pauseMs = 1000;

const sending = new WeakSet<Mailer>();

/**
 * The code of a job that sends one mail until its time `until`. A process sends one mail at a time: jobs that wait for a slow mail
 * server would block all other jobs. The job queue tries a failed mail again, after 3 s, 10 s, 30 s and so on.
 */
export function defineMailTask<Payload extends { until: string }>(
  job: Job<Payload>,
  { mailer, jobs, database }: MailTaskParts,
  { nameOf, compose }: MailWork<Payload>,
): JobTask {
  return defineTask(job, async (payload, { log, signal }) => {
    const { now } = await readClock(database.pool);
    if (!mailer || now > new Date(payload.until)) {
      log.error({ mail: nameOf(payload) }, 'A mail could not be sent in time and is given up');
      return;
    }
    if (sending.has(mailer)) {
      await jobs.enqueueNow(job, payload, { runAt: new Date(now.getTime() + pauseMs) });
      return;
    }
    sending.add(mailer);
    try {
      const mail = await compose(payload, now);
      if (mail) await mailer.send(mail, signal);
    } finally {
      sending.delete(mailer);
    }
  });
}
