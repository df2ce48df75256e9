import {
  dataOf,
  memberMutation,
  memberQuery,
  pageOf,
  router,
  scopedMutation,
  scopedQuery,
} from '@service/trpc';
import { z } from 'zod';
import { formatLocal } from '../schedule/zone.ts';
import { findWebinar } from '../webinar/find-webinar.ts';
import {
  cancelSession,
  createSession,
  lockSession,
  moveSession,
  type SessionObservers,
} from './change-session.ts';
import { progressSession, resetSession } from './control-session.ts';
import { offeredSlots, previewSlots } from './offered-slots.ts';
import { countOpenSessions } from './cancel-sessions.ts';
import { listNearby, NearbyOutput } from './list-nearby.ts';
import { listSessions, listSessionsByStart } from './list-sessions.ts';
import { getSession, sessionToOutput } from './find-sessions.ts';
import {
  CreateSessionInput,
  ListSessionsByStartInput,
  ListSessionsInput,
  ListSlotsInput,
  OpenSessionsOutput,
  PreviewSlotOutput,
  PreviewSlotsInput,
  ProgressSessionInput,
  SessionInput,
  SessionOutput,
  SlotOutput,
  UpdateSessionInput,
  WebinarInput,
} from './schemas.ts';

const tag = 'Sessions';

export const createSessionsRouter = (observers: SessionObservers) =>
  router({
    list: scopedQuery({
      scope: 'sessions:read',
      rest: 'GET /webinars/{webinarId}/sessions',
      tool: 'list_sessions',
      summary: 'List the sessions of a webinar',
      description:
        'Newest first, or the earliest start first with `sort=startsAt`. `order` reverses either. Scheduled sessions are created 60 days ahead, just-in-time and on-demand sessions with their first registration.',
      tag,
    })
      .input(ListSessionsInput)
      .output(pageOf(SessionOutput))
      .query(({ ctx: { reader }, input }) => listSessions(reader, input)),

    /** The sessions as the dashboard lists them: the nearest start first. */
    listByStart: memberQuery()
      .input(ListSessionsByStartInput)
      .output(pageOf(SessionOutput))
      .query(({ ctx: { reader }, input }) => listSessionsByStart(reader, input)),

    /** For the first page of a workspace. */
    nearby: memberQuery()
      .output(dataOf(NearbyOutput))
      .query(async ({ ctx: { reader } }) => ({ data: await listNearby(reader) })),

    get: scopedQuery({
      scope: 'sessions:read',
      rest: 'GET /webinars/{webinarId}/sessions/{sessionId}',
      tool: 'get_session',
      summary: 'Get a session',
      tag,
    })
      .input(SessionInput)
      .output(dataOf(SessionOutput))
      .query(async ({ ctx: { reader }, input }) => ({ data: await getSession(reader, input) })),

    slots: scopedQuery({
      scope: 'sessions:read',
      rest: 'GET /webinars/{webinarId}/session-slots',
      tool: 'list_session_slots',
      summary: 'List bookable times',
      description:
        'Soonest first: scheduled sessions, the next just-in-time starts and, for on-demand webinars, the current minute. ' +
        'Pass a `startsAt` as `sessionTime` to register once the webinar is published.',
      tag,
    })
      .input(ListSlotsInput)
      .output(dataOf(z.array(SlotOutput)))
      .query(async ({ ctx: { reader }, input }) => {
        const webinar = await findWebinar(reader, input.webinarId);
        const timezone = input.timezone ?? webinar.timezone;
        const slots = await offeredSlots(reader, webinar, input.limit ?? webinar.schedule.slotsShown);
        return {
          data: slots.map(({ kind, startsAt, endsAt, sessionId }) => ({
            startsAt: startsAt.toISOString(),
            endsAt: endsAt.toISOString(),
            kind,
            localTime: formatLocal(timezone, startsAt.getTime()),
            sessionId,
          })),
        };
      }),

    /** For the schedule in a form. A mutation, although it writes nothing, because a schedule is too long for a URL. */
    previewSlots: memberMutation()
      .input(PreviewSlotsInput)
      .output(dataOf(z.array(PreviewSlotOutput)))
      .mutation(({ ctx, input }) => ({
        data: previewSlots(input, ctx.now).map(({ kind, startsAt, endsAt }) => ({
          kind,
          startsAt: startsAt.toISOString(),
          endsAt: endsAt.toISOString(),
        })),
      })),

    /** The sessions that archiving or deleting a webinar cancels. */
    open: memberQuery()
      .input(WebinarInput)
      .output(dataOf(OpenSessionsOutput))
      .query(async ({ ctx: { reader }, input }) => {
        const { id } = await findWebinar(reader, input.webinarId);
        return { data: await countOpenSessions(reader, id) };
      }),

    create: scopedMutation({
      scope: 'sessions:write',
      rest: 'POST /webinars/{webinarId}/sessions',
      tool: 'create_session',
      summary: 'Create an API-controlled session',
      description: 'The session starts, moves and ends only by progress calls, never by the clock.',
      tag,
      status: 201,
    })
      .input(CreateSessionInput)
      .output(dataOf(SessionOutput))
      .mutation(async ({ ctx, input }) => {
        const session = await ctx.transaction(async (tx) =>
          sessionToOutput(await createSession(tx, input), tx.now),
        );
        ctx.reply.location = `/webinars/${session.webinarId}/sessions/${session.id}`;
        return { data: session };
      }),

    update: scopedMutation({
      scope: 'sessions:write',
      rest: 'PATCH /webinars/{webinarId}/sessions/{sessionId}',
      tool: 'update_session',
      summary: 'Reschedule a session',
      description:
        'Changes the start of a scheduled session that has not started. Its registrations stay. The schedule does not offer ' +
        'the old start again.',
      tag,
    })
      .input(UpdateSessionInput)
      .output(dataOf(SessionOutput))
      .mutation(({ ctx, input }) =>
        ctx.edit({
          record: SessionOutput,
          lock: async (tx) => sessionToOutput((await lockSession(tx, input)).session, tx.now),
          change: async (tx) => ({
            data: sessionToOutput(await moveSession(tx, input, observers), tx.now),
          }),
        }),
      ),

    cancel: scopedMutation({
      scope: 'sessions:write',
      rest: 'POST /webinars/{webinarId}/sessions/{sessionId}/cancel',
      tool: 'cancel_session',
      summary: 'Cancel a session',
      description:
        'Closes registration for the session. Attendees who are in the room count as left a few seconds later. The schedule ' +
        'does not offer the session again. Cancelling again changes nothing.',
      tag,
    })
      .input(SessionInput)
      .output(dataOf(SessionOutput))
      .mutation(({ ctx, input }) =>
        ctx.transaction(async (tx) => ({
          data: sessionToOutput(await cancelSession(tx, input, observers), tx.now),
        })),
      ),

    reset: scopedMutation({
      scope: 'sessions:write',
      rest: 'POST /webinars/{webinarId}/sessions/{sessionId}/reset',
      tool: 'reset_session',
      summary: 'Reset a session',
      description:
        'Sets an API-controlled session back to status `scheduled` and position 0. Attendance is kept.',
      tag,
    })
      .input(SessionInput)
      .output(dataOf(SessionOutput))
      .mutation(({ ctx, input }) =>
        ctx.transaction(async (tx) => ({
          data: sessionToOutput(await resetSession(tx, input, observers), tx.now),
        })),
      ),

    progress: scopedMutation({
      scope: 'sessions:write',
      rest: 'POST /webinars/{webinarId}/sessions/{sessionId}/progress',
      tool: 'progress_session',
      summary: 'Start, seek, advance or end a session',
      description:
        'Only for API-controlled sessions. If the status does not allow the action, the answer is `409 session_state_conflict`.',
      tag,
    })
      .input(ProgressSessionInput)
      .output(dataOf(SessionOutput))
      .mutation(({ ctx, input }) =>
        ctx.transaction(async (tx) => ({
          data: sessionToOutput(await progressSession(tx, input, observers), tx.now),
        })),
      ),
  });
