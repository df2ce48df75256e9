/** The facts of one mail when it is sent. */
export interface MailFacts {
  attendee: { name: string; email: string };
  webinar: { title: string };
  session: { startsAt: Date; endsAt: Date };
  /** The zone of the times in the mail. */
  timezone: string;
  links: { join: string; replay: string | undefined; unsubscribe: string };
  workspaceName: string;
  /** Only in a mail about a changed time. */
  formerStartsAt?: Date | undefined;
  /** The time of the sending. */
  now: Date;
}
