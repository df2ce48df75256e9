// The tables of contacts in marketing tools.
import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import type { StoredEvent, StoredFields, StoredSwitches } from './change/change.ts';

/**
 * The change of one contact in one tool that was not made yet. Facts merge into the waiting row. A worker that sends a change takes its row, and facts
 * that come meanwhile make the next waiting row: so a contact has one waiting row and one taken row at most.
 */
export const Change = defineEntity({
  name: 'ContactChange',
  tableName: 'change',
  schema: 'contacts',
  indexes: [
    {
      name: 'change_due_index',
      properties: ['accountId', 'connectionId', 'isBackfill', 'dueAt'],
      where: 'not is_taken and parked_at is null',
    },
    {
      name: 'change_parked_index',
      properties: ['accountId', 'connectionId', 'parkedAt'],
      where: 'parked_at is not null',
    },
    { name: 'change_first_index', properties: ['accountId', 'connectionId', 'firstAt'] },
    { name: 'change_taken_index', properties: ['accountId', 'connectionId'], where: 'is_taken' },
    { name: 'change_last_index', properties: ['lastAt'] },
  ],
  properties: {
    accountId: p.uuid().primary(),
    connectionId: p.uuid().primary(),
    /** The e-mail address in lower case. */
    contact: p.text().primary(),
    isTaken: p.boolean().primary(),
    /** Of the last fact. */
    registrationId: p.uuid().nullable(),
    /** The values of "keep every registrant in step" are sent, as they are at the time of sending. */
    inStep: p.boolean(),
    fields: p.json<StoredFields>(),
    tags: p.json<StoredSwitches>(),
    lists: p.json<StoredSwitches>(),
    events: p.json<readonly StoredEvent[]>(),
    /** The last ids of events and executions, oldest first. */
    causes: p.json<readonly string[]>(),
    /** Only a run wants it. */
    isBackfill: p.boolean(),
    runId: p.uuid().nullable(),
    /** The contact is erased first. Parts are of a person who has come back, and are sent afterwards. */
    isErasure: p.boolean().default(false),
    /** Failed attempts in a row. */
    attempts: p.smallint(),
    /** The times of its first and its last fact. */
    firstAt: p.datetime(3),
    lastAt: p.datetime(3),
    dueAt: p.datetime(3),
    /** Set when all attempts have failed: it waits for the connection. */
    parkedAt: p.datetime(3).nullable(),
  },
});

/** Calls by slot, for each window of each limit. A slot is a number of slots since 1970. */
export type StoredLimits = Readonly<Record<string, readonly (readonly [slot: number, calls: number][])[]>>;

/** The changes of one connection. One worker at a time sends them. */
export const Lane = defineEntity({
  name: 'ContactLane',
  tableName: 'lane',
  schema: 'contacts',
  properties: {
    accountId: p.uuid().primary(),
    connectionId: p.uuid().primary(),
    suspended: p.boolean().default(false),
    leaseToken: p.uuid().nullable(),
    leaseUntil: p.datetime(3).nullable(),
    restUntil: p.datetime(3).nullable(),
    /** The calls of the last windows, so that another worker exceeds no limit. */
    limits: p.json<StoredLimits>().defaultRaw(`'{}'`),
  },
});

export const sendOutcomes = [
  'done',
  'left',
  'person_refused',
  'skipped',
  'later',
  'not_allowed',
  'credential_refused',
  'parked',
  'expired',
] as const;

export type SendOutcome = (typeof sendOutcomes)[number];

/** The results of attempts, for metrics. The history has no line of the last two: the lane rests, or the change was taken and given back. */
export const contactResults = [...sendOutcomes, 'throttled', 'not_begun'] as const;

export type ContactResult = (typeof contactResults)[number];

/** One attempt to send the change of a contact. Partitioned by day on its UUIDv7 id, which has its time. */
export const Send = defineEntity({
  name: 'ContactSend',
  tableName: 'send',
  schema: 'contacts',
  indexes: [
    { name: 'send_connection_index', properties: ['accountId', 'connectionId', 'id'] },
    {
      name: 'send_outcome_index',
      properties: ['accountId', 'connectionId', 'outcome', 'id'],
      where: `outcome <> 'done'`,
    },
    { name: 'send_registration_index', properties: ['accountId', 'registrationId', 'id'] },
    { name: 'send_contact_index', properties: ['accountId', 'contact', 'id'] },
  ],
  properties: {
    accountId: p.uuid().primary(),
    id: p.uuid().primary(),
    connectionId: p.uuid(),
    /** The e-mail address in lower case. Of an erasure: `erasedContact`. */
    contact: p.text(),
    registrationId: p.uuid().nullable(),
    causes: p.json<readonly string[]>(),
    /** The names of the calls, in their order. */
    calls: p.json<readonly string[]>(),
    /** The HTTP status of the last answer. */
    status: p.smallint().nullable(),
    outcome: p.enum(sendOutcomes),
    reason: p.text().nullable(),
    durationMs: p.integer(),
    /** The keys of the fields that were sent. */
    fields: p.json<readonly string[]>(),
    /** SHA-256 of the requests, hexadecimal. Null: nothing was sent. */
    bodyHash: p.text().nullable(),
  },
});

export type Send = InferEntity<typeof Send>;

/** The values of a send. They are dropped after a week, long before the send itself. */
export const SendValues = defineEntity({
  name: 'ContactSendValues',
  tableName: 'send_values',
  schema: 'contacts',
  properties: {
    accountId: p.uuid().primary(),
    id: p.uuid().primary(),
    contact: p.text(),
    sent: p.json<Record<string, unknown>>(),
  },
});

export const runStatuses = ['running', 'done', 'cancelled'] as const;

/** "Send everyone again" to one connection. */
export const Run = defineEntity({
  name: 'ContactRun',
  tableName: 'run',
  schema: 'contacts',
  indexes: [
    { name: 'run_connection_index', properties: ['accountId', 'connectionId', 'id'] },
    { name: 'run_next_index', properties: ['nextAt'], where: `status = 'running'` },
    { name: 'run_ended_index', properties: ['endedAt'] },
  ],
  uniques: [
    {
      name: 'run_running_unique',
      properties: ['accountId', 'connectionId'],
      where: `status = 'running'`,
    },
  ],
  properties: {
    accountId: p.uuid().primary(),
    id: p.uuid().primary(),
    connectionId: p.uuid(),
    status: p.enum(runStatuses),
    /** The contacts at the start. */
    total: p.integer(),
    /** Those whose changes were made. */
    queued: p.integer(),
    /** Those of them whom the settings leave out. */
    leftOut: p.integer().default(0),
    /** The contact at which the next page begins. Empty after the end. */
    afterContact: p.text(),
    startedAt: p.datetime(3),
    endedAt: p.datetime(3).nullable(),
    /** The time at which its next page may be made. */
    nextAt: p.datetime(3),
  },
});

export type Run = InferEntity<typeof Run>;

/** An import that a tool has accepted, and whose result was not read yet. */
export const ImportJob = defineEntity({
  name: 'ContactImportJob',
  tableName: 'import_job',
  schema: 'contacts',
  indexes: [
    { name: 'import_job_due_index', properties: ['dueAt'] },
    { name: 'import_job_lane_index', properties: ['accountId', 'connectionId', 'dueAt'] },
  ],
  properties: {
    accountId: p.uuid().primary(),
    connectionId: p.uuid().primary(),
    /** As the tool names it. */
    id: p.text().primary(),
    /** The sends of its contacts have higher ids. */
    firstSendId: p.uuid(),
    /** Reads of its result. */
    attempts: p.smallint(),
    dueAt: p.datetime(3),
  },
});

export const contactEntities = [Change, Lane, Send, SendValues, Run, ImportJob];
