/** Kinds of records that pages of the dashboard show. A change is announced by its topic, and pages read the records again. */
export const topics = [
  'webinars',
  'sessions',
  'registrations',
  'interactions',
  'segments',
  'rules',
  'webhooks',
  'deliveries',
  'executions',
  'keys',
  'activity',
  'members',
  'revenue',
  'connections',
  'mails',
] as const;

export type Topic = (typeof topics)[number];
