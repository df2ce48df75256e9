import { describeAccess } from './describe-access.ts';
import type { LocalConfig } from './config.ts';
import type { DemoAccount } from './demo-account.ts';

interface Welcome {
  config: LocalConfig;
  demo: DemoAccount | undefined;
  data: string;
  seconds: number;
}

/** The text of `npm start` when everything runs. */
export function welcomeText({ config, demo, data, seconds }: Welcome): string {
  const { baseUrl, retentionDays, eventRetentionDays } = config;
  const signIn = demo ? `${demo.email}  password ${demo.password}` : 'with an account of this database';
  const events = eventRetentionDays === undefined ? 'for ever' : `for ${eventRetentionDays} days`;
  return `
  Running at  ${baseUrl}  (ready in ${seconds.toFixed(1)} s)

  Sign in     ${signIn}
  API docs    ${baseUrl}/api/v1/docs
  Data        ${data}
${describeAccess(config)}
  Kept        activity and deliveries for ${retentionDays} days (RETENTION_DAYS)
              attendee events ${events} (EVENT_RETENTION_DAYS)
  Try it      npm run demo
  Stop        Ctrl-C
`;
}
