// The options of a simulation on the command line.
import { describeOptions, readCommandLine } from '@service/config';

const attendeesMax = 50_000;

const options = {
  attendees: {
    type: 'number',
    min: 1,
    max: attendeesMax,
    isWhole: true,
    default: 100,
    help: 'registrations; about 70 % of them come',
  },
  minutes: { type: 'number', min: 1, max: 600, default: 10, hint: 'M', help: 'length of the webinar' },
  speed: {
    type: 'number',
    min: 0.1,
    max: 600,
    default: 1,
    hint: 'X',
    help: 'attendees action X times as fast, and the video is X times as short; a second of video stays a second, and the video is at least 60 s long',
  },
  heartbeat: {
    type: 'number',
    min: 1,
    max: 15,
    default: 10,
    hint: 'S',
    help: 'seconds between the heartbeats of a page',
  },
  seed: {
    type: 'number',
    min: 0,
    max: 2 ** 32 - 1,
    isWhole: true,
    help: 'the same number gives the same behaviour (random, and printed)',
  },
  check: {
    type: 'number',
    or: 'all',
    min: 0,
    max: attendeesMax,
    isWhole: true,
    help: 'registrations that are compared in full (all up to 1000 attendees, else 500); totals cover all',
  },
  'base-url': {
    type: 'text',
    hint: 'URL',
    help: 'the service (BASE_URL, or the npm start that runs here, or http://localhost:3000)',
  },
  key: {
    type: 'text',
    hint: 'KEY',
    help: 'an API key with full access. Without it one is made, and revoked at the end',
  },
  account: {
    type: 'text',
    hint: 'ID',
    help: 'make the key in this account, in DATABASE_URL or the database of npm start',
  },
  email: { type: 'text', hint: 'E', help: 'make the key with this sign-in; needs --password' },
  password: { type: 'text', hint: 'P' },
  json: { type: 'flag', help: 'one JSON object on stdout; everything else goes to stderr' },
} as const;

export const help = `npm run simulate -- [OPTIONS]    plays attendees of a webinar against the running service, and compares its records

${describeOptions(options)}

Without --key, --account or --email it uses the demo workspace of npm start, or makes a workspace in DATABASE_URL.
The webinar stays, as history; its webhooks are switched off at the end. Exit code 1 when anything differs.`;

export interface Options {
  attendees: number;
  minutes: number;
  /** As asked for; a video is at least 60 s long. */
  speed: number;
  heartbeatSeconds: number;
  seed: number;
  /** Registrations to compare in full. */
  checked: number;
  json: boolean;
  target: TargetOptions;
}

export interface TargetOptions {
  baseUrl: string | undefined;
  key: string | undefined;
  account: string | undefined;
  email: string | undefined;
  password: string | undefined;
}

const checkedAllMax = 1000;
const checkedSample = 500;
const secondsMin = 60;

/** Undefined when help is wanted. Throws one error that names everything that is wrong. */
export function readOptions(args: readonly string[], makeSeed: () => number): Options | undefined {
  const line = readCommandLine(args, { options, check: findConflicts });
  if (!line) return undefined;
  const {
    attendees,
    minutes,
    speed,
    heartbeat,
    seed,
    check,
    json,
    'base-url': baseUrl,
    ...target
  } = line.values;
  return {
    attendees,
    minutes,
    speed,
    heartbeatSeconds: heartbeat,
    seed: seed ?? makeSeed(),
    checked: typeof check === 'number' ? Math.min(attendees, check) : checkedByDefault(attendees, check),
    json,
    target: { baseUrl: baseUrl?.replace(/\/+$/, ''), ...target },
  };
}

/** The problems with the choice of the service and the key. */
function findConflicts({
  key,
  account,
  email,
  password,
  'base-url': baseUrl,
}: Omit<TargetOptions, 'baseUrl'> & { 'base-url': string | undefined }): string[] {
  const isAddress = baseUrl === undefined || /^https?:\/\/[^/?#]+\/*$/.test(baseUrl);
  const ways = [key, account, email].filter((given) => given !== undefined).length;
  return [
    ...(isAddress ? [] : ['--base-url must be an address such as http://localhost:3000.']),
    ...((email === undefined) === (password === undefined)
      ? []
      : ['--email and --password belong together.']),
    ...(ways > 1 ? ['Give one of --key, --account and --email.'] : []),
  ];
}

const checkedByDefault = (attendees: number, check: 'all' | undefined): number =>
  check === 'all' || attendees <= checkedAllMax ? attendees : checkedSample;

/** Whole seconds of the video, which are as many seconds of real time. */
export const videoSeconds = ({ minutes, speed }: Pick<Options, 'minutes' | 'speed'>): number =>
  Math.max(Math.round((minutes * 60) / speed), secondsMin);
