import { mapInTurns } from '@service/database';
import { AppError } from '@service/errors';
import { recordToOutput } from '@service/trpc';
import { type Session, statusAt } from '@service/webinars';
import type { z } from 'zod';
import type { readAttendances } from '../attendance/read-attendances.ts';
import { type Registration, statusOf, utmOf } from '../entities/registration.ts';
import type { Registered } from './upsert-registrations.ts';
import type { JoinLinks } from './join-token.ts';
import type { Revenues } from './revenue-reader.ts';
import { type BulkRegisterOutput, RegistrationOutput } from './schemas.ts';

interface Shown {
  joinLinks: Pick<JoinLinks, 'urlOf'>;
  /** The result of readAttendances. */
  attendances: Awaited<ReturnType<typeof readAttendances>>;
  /** Undefined when the caller may not see revenue. */
  revenues: Revenues | undefined;
  /** The time of the status of the session. */
  now: Date;
}

const Plain = RegistrationOutput.omit({ revenue: true, status: true });

export function registrationToOutput(
  registration: Registration,
  session: Pick<Session, 'startsAt' | 'endsAt' | 'status' | 'control'>,
  { joinLinks, attendances, revenues, now }: Shown,
): z.input<typeof RegistrationOutput> {
  return {
    ...recordToOutput(Plain, registration, {
      sessionTime: session.startsAt,
      sessionStatus: statusAt(session, now),
      joinUrl: joinLinks.urlOf(registration),
      utm: utmOf(registration),
      attendance: attendances.get(registration.id),
    }),
    status: statusOf(registration),
    ...(revenues && { revenue: revenues.get(registration.id) ?? [] }),
  };
}

/** The result of each row of a batch, with the totals. */
export async function rowsToOutput(
  rows: readonly (Registered | AppError)[],
  shown: Shown,
): Promise<z.input<typeof BulkRegisterOutput>> {
  const data = await mapInTurns(rows, (row, index) => ({ index, ...rowToOutput(row, shown) }));
  const count = (status: (typeof data)[number]['status']): number =>
    data.filter((row) => row.status === status).length;
  return {
    data,
    summary: { created: count('created'), existing: count('existing'), failed: count('error') },
  };
}

function rowToOutput(row: Registered | AppError, shown: Shown) {
  if (row instanceof AppError) {
    const { code, message, issues, details } = row;
    return { status: 'error', error: { code, message, issues, details } } as const;
  }
  const registration = registrationToOutput(row.registration, row.session, shown);
  return { status: row.created ? 'created' : 'existing', registration } as const;
}
