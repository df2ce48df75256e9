import { areLoopbackHosts } from '@service/config';
import type { LocalConfig } from './config.ts';
import type { Demo } from './seed.ts';

interface Welcome {
  config: LocalConfig;
  demo: Demo | undefined;
  data: string;
  seconds: number;
}

/** The text of `npm start` when everything runs. */
export function welcomeText({ config, demo, data, seconds }: Welcome): string {
  const { baseUrl, retentionDays, eventRetentionDays } = config;
  const signIn = demo ? `${demo.email}  password ${demo.password}` : 'with an account of this database';
  const room = demo?.room
    ? `\n  Webinar     ${demo.room.pageUrl}  (people register here; a session begins every few minutes)\n  Room        ${demo.room.joinUrl}  (of an attendee, live at ${demo.room.startsAt.slice(11, 16)} UTC)`
    : '';
  const events = eventRetentionDays === undefined ? 'for ever' : `for ${eventRetentionDays} days`;
  return `
  Running at  ${baseUrl}  (ready in ${seconds.toFixed(1)} s)

  Sign in     ${signIn}${room}
  API docs    ${baseUrl}/api/v1/docs
  Mails       ${config.hasMailbox ? `${baseUrl}/mail` : 'to members and owners, if SMTP_URL is set'}
  Data        ${data}
${describeAccess(config)}
  Kept        activity and deliveries for ${retentionDays} days (RETENTION_DAYS)
              attendee events ${events} (EVENT_RETENTION_DAYS)
  Try it      npm run demo
  Stop        Ctrl-C
`;
}

type Access = Pick<
  LocalConfig,
  'hosts' | 'port' | 'signUp' | 'webhookAllowedCidrs' | 'webhookAllowHttp' | 'hasMetricsToken'
>;

const signUpTexts: Record<LocalConfig['signUp'], string> = {
  open: 'open: anyone who can reach this service can create an account',
  invited: 'by invitation',
  closed: 'closed: accounts are created with npm run admin',
};

/** The lines of the start-up text about access. */
export function describeAccess(access: Access): string {
  const { hosts, port, signUp, webhookAllowedCidrs, webhookAllowHttp, hasMetricsToken } = access;
  const listensOn = `${hosts.join(', ')}, port ${port}`;
  const cidrs = webhookAllowedCidrs.split(',').filter((cidr) => cidr.trim() !== '');
  const lines = {
    'Listens on': `${listensOn}: ${areLoopbackHosts(hosts) ? 'this machine only' : 'other machines too; set BASE_URL to the public address'}`,
    'Sign-up': signUpTexts[signUp],
    Webhooks: [
      /^(true|1)$/i.test(webhookAllowHttp) ? 'http and https' : 'https only',
      cidrs.length > 0 ? `private addresses: ${cidrs.join(', ')}` : 'no private addresses',
    ].join('; '),
    Metrics: hasMetricsToken ? 'with METRICS_TOKEN' : 'this machine only',
  };
  return Object.entries(lines)
    .map(([name, text]) => `  ${name.padEnd(12)}${text}`)
    .join('\n');
}
