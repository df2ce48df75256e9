import { randomUUID } from 'node:crypto';
import { activityModule, activityRouter, createActivityRecorder } from '@service/activity';
import type { Surface } from '@service/catalogue';
import { createId, ensurePartitions } from '@service/database';
import { createLog } from '@service/log';
import type { AnsweredCall } from '@service/surface';
import { createReply, type KeyCreator } from '@service/trpc';
import { testDatabase, type TestDatabase } from '../support/database.ts';

/** The time of these tests: in the middle of a quarter of an hour. */
export const now = new Date('2026-11-20T10:07:30.500Z');

export const minutesAgo = (minutes: number): Date => new Date(now.getTime() - minutes * 60_000);

export interface TestKey {
  id: string;
  label: string;
  /** An operator when left out. */
  createdBy?: KeyCreator;
  /** A key when left out. */
  kind?: AnsweredCall['principal']['kind'];
}

export const createKey = (label: string): TestKey => ({ id: createId(), label });

/** The fields of a call that a test sets; the rest is filled in. */
export interface CallFields {
  at: Date;
  key: TestKey;
  surface?: Surface;
  status?: number;
  requestId?: string;
  refusal?: AnsweredCall['refusal'];
  sender?: Partial<AnsweredCall['sender']>;
}

interface ActivityWorld extends AsyncDisposable {
  db: TestDatabase;
  accountId: string;
  /** Resolves when the calls are in the database. */
  record(calls: readonly CallFields[], accountId?: string): Promise<void>;
  /** The dashboard's procedures, at `now`. */
  dashboard: ReturnType<typeof activityRouter.createCaller>;
}

/** Activity on a database of its own, some of whose days have partitions and some not. */
export async function activityWorld(): Promise<ActivityWorld> {
  const db = await testDatabase();
  const { database } = db;
  const log = createLog('test', { level: 'silent' });
  const accountId = randomUUID();
  await ensurePartitions(database.pool, activityModule.partitions, {
    now,
    daysAhead: 1,
  });
  const recorder = createActivityRecorder({ pool: database.pool, log, alsoWrite: async () => undefined });
  return {
    db,
    accountId,
    async record(calls, account = accountId) {
      for (const call of calls) recorder.record(toRecordedCall(call, account));
      await recorder.flush();
    },
    dashboard: activityRouter.createCaller({
      principal: { kind: 'member', accountId, userId: randomUUID(), name: 'Max', role: 'member' },
      database,
      now,
      log,
      requestId: createId(),
      reply: createReply(),
    }),
    async [Symbol.asyncDispose]() {
      await recorder.close();
      await db[Symbol.asyncDispose]();
    },
  };
}

export function toRecordedCall(
  { at, key, surface = 'rest', status = 200, requestId = createId(), refusal, sender }: CallFields,
  accountId: string,
): AnsweredCall {
  return {
    principal: {
      kind: key.kind ?? 'key',
      accountId,
      credentialId: key.id,
      label: key.label,
      scopes: new Set(),
      surface,
      surfaces: [surface],
      createdBy: key.createdBy ?? { kind: 'operator' },
      expiresAt: null,
    },
    at,
    status,
    ...(surface === 'mcp' ? { tool: 'list_webinars' } : { method: 'GET', path: '/api/v1/webinars' }),
    refusal,
    sender: { userAgent: undefined, address: undefined, idempotencyKey: undefined, ...sender },
    replayed: false,
    durationMs: 3,
    requestId,
  };
}
