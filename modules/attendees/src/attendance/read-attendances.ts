import type { AccountReader } from '@service/database';
import { instant } from '@service/trpc';
import { z } from 'zod';
import { Attendance } from '../entities/attendance.ts';

export const RegistrantAttendanceOutput = z.object({
  firstJoinedAt: instant().nullable(),
  lastSeenAt: instant().nullable().describe('The last sign of life from their page.'),
  leftAt: instant().nullable().describe('Null while they are there.'),
  joinCount: z.number().int(),
  watchedSeconds: z.number().int().describe('Different seconds of the video that were seen.'),
  completionPercent: z.number().int(),
  completedAt: instant().nullable(),
});

type Shown = z.input<typeof RegistrantAttendanceOutput>;

/** What registrants have done in their sessions, by registration; who has never been there is left out. */
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
