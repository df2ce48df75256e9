import type { AccountReader } from '@service/database';
import { instant, recordToOutput } from '@service/trpc';
import { z } from 'zod';
import { Attendance } from '../entities/attendance.ts';

export const RegistrantAttendanceOutput = z
  .object({
    firstJoinedAt: instant()
      .nullable()
      .describe('Time of the first heartbeat from the live room. Null without one.'),
    lastSeenAt: instant().nullable().describe('Time of the last heartbeat.'),
    leftAt: instant().nullable().describe('Null while the attendee is in the room.'),
    joinCount: z.number().int().describe('The number of times that the attendee came into the live room.'),
    watchedSeconds: z
      .number()
      .int()
      .describe('Seconds of the video that the attendee has watched. Each second counts once.'),
    completionPercent: z.number().int().describe('Percent of the video that the attendee has watched.'),
    completedAt: instant().nullable().describe('Time at which the video counted as complete. Null before.'),
    replayWatchedAt: instant()
      .nullable()
      .describe(
        'First time that the attendee watched the replay. Watching it does not change `watchedSeconds`, and a no-show stays one.',
      ),
  })
  .meta({ id: 'RegistrantAttendance' });

type Shown = z.input<typeof RegistrantAttendanceOutput>;

/** Reads attendances for output, by registration id. Registrations without a visit are left out. */
export async function readAttendances(
  reader: Pick<AccountReader, 'em' | 'accountId'>,
  registrationIds: readonly string[],
): Promise<Map<string, Shown>> {
  if (registrationIds.length === 0) return new Map();
  const { em, accountId } = reader;
  const attendances = await em.find(
    Attendance,
    { accountId, registrationId: { $in: [...registrationIds] } },
    { exclude: ['watched', 'visits', 'path'] },
  );
  return new Map(
    attendances.map((attendance) => [
      attendance.registrationId,
      recordToOutput(RegistrantAttendanceOutput, attendance, {}),
    ]),
  );
}
