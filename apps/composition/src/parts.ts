// The values that modules get from the composition. A module names the ones that it needs in the parameters of its functions.
import type {
  Accounts,
  findMemberAddress,
  findWorkspaceNames,
  MembershipSubscriber,
  MemberStreams,
  PurgeRows,
  Suspension,
  SuspensionSubscriber,
} from '@service/accounts';
import type { ActivityRecorder, RetentionSettings } from '@service/activity';
import type {
  Announce,
  ClockCounts,
  BrandingReader,
  Erasers,
  EventSubscriber,
  FormTokens,
  JoinLinks,
  RevenueReader,
  Room,
  RoomFeed,
} from '@service/attendees';
import type { CheckUrl, DestinationPolicy } from '@service/automations';
import type { ChangeAnnouncer } from '@service/changes';
import type { Connections } from '@service/connections';
import type { countWaitingChanges } from '@service/contacts';
import type { ClientDocuments } from '@service/connectors';
import type { Database } from '@service/database';
import type { Deliveries, FindJoinUrls } from '@service/deliveries';
import type { Jobs } from '@service/jobs';
import type { RateLimit } from '@service/keys';
import type { Log } from '@service/log';
import type { Mailer } from '@service/mail';
import type { findSuppressed, Mailbox, ReportLinks, UnsubscribeLinks } from '@service/mails';
import type { AccountCommandParts, ErasePerson } from '@service/module';
import type { Pages } from '@service/pages';
import type { RevenueIntake, TimeZoneReader } from '@service/revenue';
import type { SecretBox } from '@service/secrets';
import type { AdmitClient, AnswerStore } from '@service/surface';
import type { SessionSubscriber, WindowSubscriber } from '@service/webinars';

/** For the API and workers. */
export interface SharedParts {
  database: Database;
  log: Log;
  secretBox: SecretBox;
  /** Queues the tasks of modules. */
  jobs: Jobs;
  deliveries: Deliveries;
  findJoinUrls: FindJoinUrls;
  /** The limit of the waiting mails of an account. */
  mailBacklogMax: number;
  /** Announces changes to open pages of the dashboard. */
  changes: ChangeAnnouncer;
  /** The e-mail providers of accounts. */
  connections: Connections;
  /** All subscribers of `events`. */
  subscriber: EventSubscriber & SessionSubscriber;
  /** All subscribers of `erasure`, by the names of their modules. */
  erasers: Erasers;
}

/** For `router` and `http`. */
export interface ApiParts extends SharedParts {
  /** The public URL of the service, without a trailing slash. */
  baseUrl: string;
  accounts: Accounts;
  rateLimit: RateLimit;
  /** The open pages of the dashboard. */
  streams: MemberStreams;
  admitKey: AdmitClient;
  /** Access tokens of connectors. */
  admitGrant: AdmitClient;
  /** Answers to writes that carried an Idempotency-Key. */
  answers: AnswerStore;
  activity: ActivityRecorder;
  joinLinks: JoinLinks;
  formTokens: FormTokens;
  unsubscribeLinks: UnsubscribeLinks;
  reportLinks: ReportLinks;
  /** The revenue of registrations. */
  readRevenue: RevenueReader;
  /** The time zone of a workspace. */
  readTimeZone: TimeZoneReader;
  /** The name of a workspace. */
  readWorkspaceNames: typeof findWorkspaceNames;
  /** The branding of a workspace. */
  readBranding: BrandingReader;
  /** The contacts whose changes wait for marketing tools. */
  readWaiting: typeof countWaitingChanges;
  /** The addresses that an account does not write marketing mails to. */
  readSuppressed: typeof findSuppressed;
  /** The e-mail address of a member. */
  readMemberAddress: typeof findMemberAddress;
  /** The signed events of payment providers. */
  revenueIntake: RevenueIntake;
  /** The calls of attendees. */
  room: Room;
  /** The messages, poll results and progress that attendees read. */
  feed: RoomFeed;
  announce: Announce;
  /** All subscribers of `windows`. */
  windowSubscriber: WindowSubscriber;
  /** All subscribers of `membership`. */
  membershipSubscriber: MembershipSubscriber;
  /** Stops what an account does. */
  suspendAccount: Suspension['suspendAccount'];
  /** The metadata documents of clients that ask for access. */
  clientDocuments: ClientDocuments;
  /** The sender of the installation. Undefined: it sends no mail. */
  mailer: Mailer | undefined;
  /** The mails of the embedded default. Undefined elsewhere. */
  mailbox: Mailbox | undefined;
  /** The pages that attendees see. */
  pages: Pages;
  checkUrl: CheckUrl;
  destinationPolicy: DestinationPolicy;
  retention: RetentionSettings;
  /** The public URL of the API reference. */
  docsUrl: string;
  /** The clock of rooms, for tests. */
  now: (() => Date) | undefined;
}

/** For `repeats` and `jobs`. */
export interface WorkerParts extends SharedParts {
  /** The public URL of the service, without a trailing slash. */
  baseUrl: string;
  /** The sender of the installation. Undefined: it sends no mail. */
  mailer: Mailer | undefined;
  idempotencyWindowHours: number;
  /** All subscribers of `purge`. */
  purgers: readonly PurgeRows[];
  /** Gets the changes of each round of the session clock, for metrics. */
  countSessionClock: (counts: ClockCounts) => void;
}

/** For `commands`. */
export interface AdminParts extends AccountCommandParts, Suspension {
  accounts: Accounts;
  /** The public URL of the service, without a trailing slash. */
  baseUrl: string;
  /** Seals secrets like the service. Throws an error of one line when the encryption key is not known. */
  openSecretBox: () => Promise<SecretBox>;
  /** The secrets of sign-in sessions, the current one first. Throws like `openSecretBox`. */
  openSessionSecrets: () => Promise<string[]>;
  /** The e-mail providers of accounts. Throws like `openSecretBox`. */
  openConnections: () => Promise<Connections>;
  /** Prints a line for people, beside the result. */
  progress: (line: string) => void;
  /** The same, and the command ends with exit code 1 although it has a result. */
  problem: (line: string) => void;
}

/** Each is called inside the transaction that publishes. */
interface Subscribers {
  /** Called for events of attendees and for changes of sessions. */
  events?: (
    parts: Pick<SharedParts, 'database' | 'deliveries' | 'log' | 'mailBacklogMax'>,
  ) => EventSubscriber & SessionSubscriber & { close(): Promise<void> };
  /** Called by workers until everything about an erased person is gone. */
  erasure?: (parts: Pick<SharedParts, 'secretBox' | 'connections'>) => ErasePerson;
  /** Called by workers for a deleted workspace. */
  purge?: PurgeRows;
  /** Called when the attribution window of a webinar changes. */
  windows?: WindowSubscriber;
  /** Called when a member is removed. */
  membership?: MembershipSubscriber;
  /** Called when an operator suspends or resumes an account. */
  suspension?: SuspensionSubscriber;
}

export interface ServiceParts {
  subscribers: Subscribers;
  api: ApiParts;
  worker: WorkerParts;
  admin: AdminParts;
}
