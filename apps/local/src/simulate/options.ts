// What a simulation is asked for on the command line, and what comes of it.
import { parseArgs } from 'node:util';

export const help = `npm run simulate -- [OPTIONS]    plays attendees of a webinar against the running service, and checks what it made of it

  --attendees N    registrations, 1 to 50000 (100); about 70 % of them come
  --minutes M      length of the webinar, 1 to 600 (10)
  --speed X        everything attendees do happens X times as fast, and the video is X times as short (1); a second of
                   video stays a second, and the video is at least 60 s long
  --heartbeat S    seconds between the heartbeats of a page, 1 to 15 (10)
  --seed N         the same number is the same behaviour (made up and printed)
  --check all|N    how many registrations are compared in full (all up to 1000 attendees, else 500); counts are of all
  --base-url URL   the service (BASE_URL, or the npm start that runs here, or http://localhost:3000)
  --key KEY        an API key with full access. Left out: one is made, and revoked in the end
  --account ID     make it in this account, in DATABASE_URL or the database of npm start
  --email E --password P    make it with this sign-in
  --json           one JSON object on stdout; what is for people goes to stderr

Without --key, --account or --email it uses the demo workspace of npm start, or makes a workspace in DATABASE_URL.
The webinar stays, as history; its webhooks are switched off in the end. Exit code 1 when anything differs.`;

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

const flags = {
  attendees: { type: 'string', default: '100' },
  minutes: { type: 'string', default: '10' },
  speed: { type: 'string', default: '1' },
  heartbeat: { type: 'string', default: '10' },
  seed: { type: 'string' },
  check: { type: 'string' },
  'base-url': { type: 'string' },
  key: { type: 'string' },
  account: { type: 'string' },
  email: { type: 'string' },
  password: { type: 'string' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

const attendeesMax = 50_000;
const checkedAllMax = 1000;
const checkedSample = 500;
const secondsMin = 60;

/** Undefined when help is asked for. Throws one error that names everything that is wrong. */
export function readOptions(args: readonly string[], makeSeed: () => number): Options | undefined {
  const { values } = parseArgs({ args: [...args], options: flags, strict: true });
  if (values.help) return undefined;
  const problems = problemsOf(values);
  const read = (name: string, text: string, range: Range): number => {
    const value = Number(text);
    const isFine = text.trim() !== '' && value >= range.from && value <= range.to;
    if (!isFine || (range.isWhole && !Number.isInteger(value)))
      problems.push(
        `--${name} must be a ${range.isWhole ? 'whole ' : ''}number from ${range.from} to ${range.to}.`,
      );
    return value;
  };
  const attendees = read('attendees', values.attendees, { from: 1, to: attendeesMax, isWhole: true });
  const { seed, check } = values;
  const options = {
    attendees,
    minutes: read('minutes', values.minutes, { from: 1, to: 600 }),
    speed: read('speed', values.speed, { from: 0.1, to: 600 }),
    heartbeatSeconds: read('heartbeat', values.heartbeat, { from: 1, to: 15 }),
    seed: seed === undefined ? makeSeed() : read('seed', seed, { from: 0, to: 2 ** 32 - 1, isWhole: true }),
    checked:
      check === undefined || check === 'all'
        ? checkedByDefault(attendees, check)
        : Math.min(attendees, read('check', check, { from: 0, to: attendeesMax, isWhole: true })),
  };
  if (problems.length > 0) throw new Error(problems.toSorted().join('\n'));
  const { key, account, email, password, json, 'base-url': baseUrl } = values;
  return {
    ...options,
    json,
    target: { baseUrl: baseUrl?.replace(/\/+$/, ''), key, account, email, password },
  };
}

/** What is wrong with the service to use, beside what numbers are out of range. */
function problemsOf({
  key,
  account,
  email,
  password,
  'base-url': baseUrl,
}: Partial<Record<keyof typeof flags, unknown>>): string[] {
  const isAddress = typeof baseUrl !== 'string' || /^https?:\/\/[^/?#]+\/*$/.test(baseUrl);
  const ways = [key, account, email].filter((given) => given !== undefined).length;
  return [
    ...(isAddress ? [] : ['--base-url must be an address such as http://localhost:3000.']),
    ...((email === undefined) === (password === undefined)
      ? []
      : ['--email and --password belong together.']),
    ...(ways > 1 ? ['Give one of --key, --account and --email.'] : []),
  ];
}

interface Range {
  from: number;
  to: number;
  isWhole?: boolean;
}

const checkedByDefault = (attendees: number, asked: 'all' | undefined): number =>
  asked === 'all' || attendees <= checkedAllMax ? attendees : checkedSample;

/** Whole seconds of the video, which are as many seconds of real time. */
export const videoSeconds = ({ minutes, speed }: Pick<Options, 'minutes' | 'speed'>): number =>
  Math.max(Math.round((minutes * 60) / speed), secondsMin);
