import type { AccountReader } from '@service/database';
import { instant } from '@service/trpc';
import { z } from 'zod';
import { Attendance } from '../entities/attendance.ts';

export const RegistrantAttendanceOutput = z
  .object({
    firstJoinedAt: instant().nullable(),
    lastSeenAt: instant().nullable().describe('Time of the last heartbeat.'),
    leftAt: instant().nullable().describe('Null while the attendee is in the room.'),
    joinCount: z.number().int(),
    watchedSeconds: z
      .number()
      .int()
      .describe('Seconds of the video that the attendee has watched. Each second counts once.'),
    completionPercent: z.number().int(),
    completedAt: instant().nullable(),
  })
  .meta({ id: 'RegistrantAttendance' });

type Shown = z.input<typeof RegistrantAttendanceOutput>;

/** Reads attendances for output, by registration id. Registrations without a visit are left out. */
export async function readAttendances(
  { em, accountId }: Pick<AccountReader, 'em' | 'accountId'>,
  registrationIds: readonly string[],
): Promise<Map<string, Shown>> {
  if (registrationIds.length === 0) return new Map();
  const attendances = await em.find(
    Attendance,
    { accountId, registrationId: { $in: [...registrationIds] } },
    { exclude: ['watched', 'visits', 'path'] },
  );
  return new Map(attendances.map((attendance) => [attendance.registrationId, show(attendance)]));
}

interface Read extends Pick<Attendance, 'joinCount' | 'watchedSeconds' | 'completionPercent'> {
  firstJoinedAt?: Date | null;
  lastSeenAt?: Date | null;
  leftAt?: Date | null;
  completedAt?: Date | null;
}

const show = (attendance: Read): Shown => ({
  firstJoinedAt: attendance.firstJoinedAt?.toISOString() ?? null,
  lastSeenAt: attendance.lastSeenAt?.toISOString() ?? null,
  leftAt: attendance.leftAt?.toISOString() ?? null,
  joinCount: attendance.joinCount,
  watchedSeconds: attendance.watchedSeconds,
  completionPercent: attendance.completionPercent,
  completedAt: attendance.completedAt?.toISOString() ?? null,
});
