import { defineJob, defineTask, type Jobs, type JobTask } from '@service/jobs';
import type { Mailer } from '@service/mail';
import { z } from 'zod';

/** One mail to one person, tried again until `until`. */
export const sendMailJob = defineJob({
  name: 'worker.send_mail',
  payload: z.object({ to: z.string(), subject: z.string(), text: z.string(), until: z.iso.datetime() }),
});

interface MailTaskOptions {
  /** Undefined: this installation sends no mail. */
  mailer: Mailer | undefined;
  jobs: Pick<Jobs, 'enqueueNow'>;
  /** The database's time: a worker whose clock is ahead must not give up a mail. */
  readNow: () => Promise<Date>;
}

const pauseMs = 1000;

/**
 * Sends one mail at a time: jobs that wait for a slow mail server would block all other jobs. The job queue tries a failed mail
 * again, after 3 s, 10 s, 30 s and so on.
 */
export function createMailTask({ mailer, jobs, readNow }: MailTaskOptions): JobTask {
  let isSending = false;
  return defineTask(sendMailJob, async (mail, { log, signal }) => {
    const at = await readNow();
    if (!mailer || at > new Date(mail.until)) {
      log.error({ subject: mail.subject }, 'A mail could not be sent in time and is given up');
    } else if (isSending) {
      await jobs.enqueueNow(sendMailJob, mail, { runAt: new Date(at.getTime() + pauseMs) });
    } else {
      isSending = true;
      try {
        await mailer.send(mail, signal);
      } finally {
        isSending = false;
      }
    }
  });
}
