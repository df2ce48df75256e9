import type { AccountReader } from '@service/database';
import type { AppError } from '@service/errors';
import type { SecretBox } from '@service/secrets';
import {
  dataOf,
  memberMutation,
  memberQuery,
  ownerMutation,
  pageOf,
  type Principal,
  router,
  scopedMutation,
  scopedQuery,
  toolQuery,
} from '@service/trpc';
import { type Session, SessionInput, type SessionSubscriber } from '@service/webinars';
import { z } from 'zod';
import { readAttendances } from '../attendance/read-attendances.ts';
import type { Registration } from '../entities/registration.ts';
import { requestErasure } from '../erasure/erasures.ts';
import type { EventSubscriber } from '../event/event-subscriber.ts';
import { cancelRegistration, moveRegistration, moverOf, rotateToken } from './change-registration.ts';
import { movePeople } from './move-people.ts';
import { findRegistrants, findRegistration, findSession } from './find-registration.ts';
import { countSessions } from './count-registrations.ts';
import type { Registered } from './upsert-registrations.ts';
import type { JoinLinks } from './join-token.ts';
import { findPeople, FindPeopleInput, FoundPerson } from './search-registrations.ts';
import { countRegistrations, listEvents, listRegistrations } from './list-registrations.ts';
import { batchRegistrations, registerMany } from './register.ts';
import { readRevenueFor, scopesOfFilter, type RevenueReader } from './revenue-reader.ts';
import {
  bulkBytesMax,
  BulkRegisterInput,
  BulkRegisterOutput,
  CountRegistrationsInput,
  CreateRegistrationInput,
  ErasePersonInput,
  ErasePersonOutput,
  EventOutput,
  ListEventsInput,
  ListRegistrationsInput,
  MovePeopleInput,
  MovePeopleOutput,
  MoveRegistrationInput,
  RegistrantOutput,
  RegistrationCountOutput,
  RegistrationInput,
  RegistrationOutput,
  RegistrationsByIdsInput,
  SessionCountsInput,
  SessionCountsOutput,
} from './schemas.ts';
import { registrationToOutput, rowsToOutput } from './registration-to-output.ts';
import { createTestAttendee } from './test-attendee.ts';

const tag = 'Registrations';

interface RegistrationsOptions {
  secretBox: SecretBox;
  subscriber: EventSubscriber & SessionSubscriber;
  joinLinks: JoinLinks;
  readRevenue: RevenueReader;
}

export function createRegistrationsRouter({
  subscriber,
  joinLinks,
  readRevenue,
  secretBox,
}: RegistrationsOptions) {
  /** The parts of answers that are read for this caller. */
  const shownTo = (principal: Principal) => {
    const revenuesOf = readRevenueFor(principal, readRevenue);
    return {
      revenuesOf,
      one: async (reader: AccountReader, registration: Registration, known?: Session) => {
        const session = known ?? (await findSession(reader, registration));
        const ids = [registration.id];
        const attendances = await readAttendances(reader, ids);
        const revenues = await revenuesOf(reader, ids);
        const shown = { joinLinks, attendances, revenues, now: reader.now };
        return { data: registrationToOutput(registration, session, shown) };
      },
      /** New registrations have neither visits nor revenue yet. */
      made: async (reader: AccountReader, rows: readonly (Registered | AppError)[]) => {
        const ids = idsOfExisting(rows);
        const attendances = await readAttendances(reader, ids);
        return { joinLinks, attendances, revenues: await revenuesOf(reader, ids), now: reader.now };
      },
    };
  };

  const registering = batchRegistrations(subscriber);

  return router({
    list: scopedQuery({
      scope: 'registrations:read',
      scopesFor: scopesOfFilter,
      rest: 'GET /webinars/{webinarId}/registrations',
      tool: 'list_registrations',
      summary: 'List the registrations of a webinar',
      description: 'Newest first, or oldest first with `order=asc`, including cancelled registrations.',
      tag,
    })
      .input(ListRegistrationsInput)
      .output(pageOf(RegistrationOutput))
      .query(({ ctx: { reader, principal }, input }) =>
        listRegistrations(reader, input, { joinLinks, revenuesOf: shownTo(principal).revenuesOf }),
      ),

    /** The number of registrations above the list. */
    count: memberQuery()
      .input(CountRegistrationsInput)
      .output(dataOf(RegistrationCountOutput))
      .query(async ({ ctx: { reader }, input }) => ({ data: await countRegistrations(reader, input) })),

    /** The counts beside each session of a list, in one call. */
    sessionCounts: toolQuery({ scope: 'registrations:read' })
      .input(SessionCountsInput)
      .output(dataOf(z.array(SessionCountsOutput)))
      .query(async ({ ctx: { reader }, input }) => ({ data: await countSessions(reader, input) })),

    /** For the search of the dashboard, over all webinars. */
    find: memberQuery()
      .input(FindPeopleInput)
      .output(dataOf(z.array(FoundPerson)))
      .query(async ({ ctx: { reader }, input }) => ({ data: await findPeople(reader, input.q) })),

    get: scopedQuery({
      scope: 'registrations:read',
      rest: 'GET /webinars/{webinarId}/registrations/{registrationId}',
      tool: 'get_registration',
      summary: 'Get a registration',
      tag,
    })
      .input(RegistrationInput)
      .output(dataOf(RegistrationOutput))
      .query(async ({ ctx: { reader, principal }, input }) =>
        shownTo(principal).one(reader, await findRegistration(reader, input)),
      ),

    /** The people of deliveries and executions. Leaves out registrations that do not exist. */
    byIds: toolQuery({ scope: 'registrations:read' })
      .input(RegistrationsByIdsInput)
      .output(dataOf(z.array(RegistrantOutput)))
      .query(async ({ ctx: { reader }, input }) => ({ data: await findRegistrants(reader, input.ids) })),

    events: scopedQuery({
      mayBeLate: true,
      scope: 'registrations:read',
      rest: 'GET /webinars/{webinarId}/registrations/{registrationId}/events',
      tool: 'get_registration_timeline',
      summary: 'List the events of a registration',
      description:
        'Newest first. A move to another session has the type `moved`: `data` has both sessions and who moved the registration. ' +
        '`purchase` and `refund` are left out for keys without the scope `revenue:read`.',
      tag,
    })
      .input(ListEventsInput)
      .output(pageOf(EventOutput))
      .query(({ ctx: { reader, principal }, input }) => listEvents(reader, input, principal)),

    create: scopedMutation({
      scope: 'registrations:write',
      rest: 'POST /webinars/{webinarId}/registrations',
      tool: 'create_registration',
      summary: 'Register an attendee',
      description:
        'Books an attendee into the session that starts at `sessionTime` and fires `registered`. ' +
        'If the session already has a registration with this e-mail address that is not cancelled, the answer is 200 with ' +
        'that registration, and nothing fires. A webinar on demand has a session for each minute: repeat a call without `sessionTime` with ' +
        'the same `Idempotency-Key`.',
      tag,
      status: 201,
      statusWhenThere: 200,
    })
      .input(CreateRegistrationInput)
      .output(dataOf(RegistrationOutput))
      .mutation(async ({ ctx, input }) => {
        const source = sourceOf(ctx.principal);
        return ctx.batched(registering, { ...input, source }, async (tx, registered) => {
          const { registration, session, created } = registered;
          ctx.reply.location = `/webinars/${registration.webinarId}/registrations/${registration.id}`;
          if (!created) ctx.reply.status = 200;
          const shown = await shownTo(ctx.principal).made(tx, [registered]);
          return { data: registrationToOutput(registration, session, shown) };
        });
      }),

    /** For a look at a session as attendees see it. */
    createTest: memberMutation()
      .input(SessionInput)
      .output(dataOf(z.object({ joinUrl: z.url() })))
      .mutation(({ ctx, input }) =>
        ctx.transaction(async (tx) => {
          const { principal } = ctx;
          const name = principal.kind === 'member' ? principal.name : 'Test';
          const registration = await createTestAttendee(tx, { ...input, name });
          return { data: { joinUrl: joinLinks.urlOf(registration) } };
        }),
      ),

    createMany: scopedMutation({
      scope: 'registrations:write',
      rest: 'POST /webinars/{webinarId}/registrations/bulk',
      tool: 'bulk_register',
      summary: 'Register many attendees',
      bodyBytesMax: bulkBytesMax,
      description:
        'Up to 500 rows, each with the fields of a single registration. A refused row has an `error` in its result and ' +
        'does not affect the other rows. If several rows have the same session and e-mail address, the first one is ' +
        'registered and the others are `existing`. An account can run two bulk calls at a time; a third is answered ' +
        '`429 bulk_in_progress`. When the workspace has reached a limit of its deliveries, the call is answered ' +
        '`429 delivery_backlog_full`. Single registrations are never refused for that. The body may have 8 MiB. ' +
        'Of bodies with more than 1 MiB or without `Content-Length`, the service reads one of an account at a time. Others wait, and ' +
        'are answered `503 service_busy` after 5 seconds, and at once when four wait.',
      tag,
    })
      .input(BulkRegisterInput)
      .output(BulkRegisterOutput)
      .mutation(async ({ ctx, input }) => {
        return ctx.transaction(async (tx) => {
          const rows = await registerMany(tx, input, subscriber);
          return rowsToOutput(rows, await shownTo(ctx.principal).made(tx, rows));
        });
      }),

    rotateToken: scopedMutation({
      scope: 'registrations:write',
      rest: 'POST /webinars/{webinarId}/registrations/{registrationId}/rotate-token',
      tool: 'rotate_registration_token',
      summary: 'Rotate the join link',
      description: 'Makes a new join link. The old link stops working at once.',
      tag,
    })
      .input(RegistrationInput)
      .output(dataOf(RegistrationOutput))
      .mutation(({ ctx, input }) =>
        ctx.transaction(async (tx) => shownTo(ctx.principal).one(tx, await rotateToken(tx, input))),
      ),

    move: scopedMutation({
      scope: 'registrations:write',
      rest: 'POST /webinars/{webinarId}/registrations/{registrationId}/move',
      tool: 'move_registration',
      summary: 'Move a registration to another session',
      description:
        'Frees the place in the current session and takes one in the session that starts at `sessionTime`. The join link stays ' +
        'the same, and `registered` does not fire again. Only possible until the attendee joins. Moving to the current session ' +
        'changes nothing.',
      tag,
    })
      .input(MoveRegistrationInput)
      .output(dataOf(RegistrationOutput))
      .mutation(({ ctx, input }) =>
        ctx.transaction(async (tx) => {
          const { registration, session } = await moveRegistration(tx, input, {
            subscriber,
            by: moverOf(ctx.principal),
          });
          return shownTo(ctx.principal).one(tx, registration, session);
        }),
      ),

    /** Moves the people of a session, a batch of 100 with each call. For a session that is to be cancelled, or was. */
    movePeople: memberMutation()
      .input(MovePeopleInput)
      .output(dataOf(MovePeopleOutput))
      .mutation(({ ctx, input }) =>
        ctx.transaction(async (tx) => ({
          data: await movePeople(tx, input, { subscriber, by: moverOf(ctx.principal) }),
        })),
      ),

    cancel: scopedMutation({
      scope: 'registrations:write',
      rest: 'POST /webinars/{webinarId}/registrations/{registrationId}/cancel',
      tool: 'cancel_registration',
      summary: 'Cancel a registration',
      description:
        'Frees the place of the attendee, who can register for the session again. Cancelling again changes nothing.',
      tag,
    })
      .input(RegistrationInput)
      .output(dataOf(RegistrationOutput))
      .mutation(({ ctx, input }) =>
        ctx.transaction(async (tx) =>
          shownTo(ctx.principal).one(tx, await cancelRegistration(tx, input, subscriber)),
        ),
      ),

    /** Erases a person with everything that the account has about them. It cannot be undone. */
    erasePerson: ownerMutation()
      .input(ErasePersonInput)
      .output(ErasePersonOutput)
      .mutation(({ ctx, input: { email } }) =>
        ctx.transaction(async (tx) => {
          const request = { email, requestedBy: ctx.principal.userId };
          return { data: { registrations: await requestErasure(tx, request, { secretBox, subscriber }) } };
        }),
      ),
  });
}

const idsOfExisting = (rows: readonly (Registered | AppError)[]): string[] =>
  rows.flatMap((row) => ('registration' in row && !row.created ? [row.registration.id] : []));

function sourceOf(principal: Principal): 'dashboard' | 'mcp' | 'api' {
  if (principal.kind === 'member') return 'dashboard';
  return principal.surface === 'mcp' ? 'mcp' : 'api';
}
