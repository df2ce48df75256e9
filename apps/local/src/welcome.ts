import type { LocalConfig } from './config.ts';
import type { DemoAccount } from './demo-account.ts';

interface Welcome {
  baseUrl: string;
  demo: DemoAccount | undefined;
  data: string;
  retention: Pick<LocalConfig, 'retentionDays' | 'eventRetentionDays'>;
  seconds: number;
}

/** What `npm start` says when everything runs. */
export function welcomeText({ baseUrl, demo, data, retention, seconds }: Welcome): string {
  const signIn = demo ? `${demo.email}  password ${demo.password}` : 'with an account of this database';
  const { retentionDays, eventRetentionDays } = retention;
  const events = eventRetentionDays === undefined ? 'for ever' : `for ${eventRetentionDays} days`;
  return `
  Running at  ${baseUrl}  (ready in ${seconds.toFixed(1)} s)

  Sign in     ${signIn}
  API docs    ${baseUrl}/api/v1/docs
  Data        ${data}
  Kept        activity and deliveries for ${retentionDays} days (RETENTION_DAYS)
              attendee events ${events} (EVENT_RETENTION_DAYS)
  Try it      npm run demo
  Stop        Ctrl-C
`;
}
