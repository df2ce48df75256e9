import { dataOf, pageOf, router, scopedMutation, scopedQuery, type Principal } from '@service/trpc';
import type { EventFollower } from '../event/follower.ts';
import { listEvents } from '../event/list-events.ts';
import { cancelRegistration, rotateToken } from './change-registration.ts';
import { findRegistration, findSession } from './find-registration.ts';
import type { JoinLinks } from './join-token.ts';
import { listRegistrations } from './list-registrations.ts';
import { register } from './register.ts';
import { registerMany } from './register-many.ts';
import {
  BulkRegisterInput,
  BulkRegisterOutput,
  CreateRegistrationInput,
  EventOutput,
  ListEventsInput,
  ListRegistrationsInput,
  RegistrationInput,
  RegistrationOutput,
} from './schemas.ts';
import { registrationToOutput, rowsToOutput } from './to-output.ts';

const tag = 'Registrations';

interface RegistrationsOptions {
  follower: EventFollower;
  joinLinks: JoinLinks;
}

export const createRegistrationsRouter = ({ follower, joinLinks }: RegistrationsOptions) =>
  router({
    list: scopedQuery({
      scope: 'registrations:read',
      rest: 'GET /webinars/{webinarId}/registrations',
      tool: 'list_registrations',
      summary: 'List the registrations of a webinar',
      description: 'Newest first, cancelled ones included.',
      tag,
    })
      .input(ListRegistrationsInput)
      .output(pageOf(RegistrationOutput))
      .query(({ ctx: { reader }, input }) => listRegistrations(reader, input, joinLinks)),

    get: scopedQuery({
      scope: 'registrations:read',
      rest: 'GET /webinars/{webinarId}/registrations/{registrationId}',
      tool: 'get_registration',
      summary: 'Get a registration',
      tag,
    })
      .input(RegistrationInput)
      .output(dataOf(RegistrationOutput))
      .query(async ({ ctx: { reader }, input }) => {
        const registration = await findRegistration(reader, input);
        const session = await findSession(reader, registration);
        return { data: registrationToOutput(registration, session, joinLinks) };
      }),

    events: scopedQuery({
      scope: 'registrations:read',
      rest: 'GET /webinars/{webinarId}/registrations/{registrationId}/events',
      tool: 'get_registration_timeline',
      summary: 'List what a registrant did',
      description: 'Newest first.',
      tag,
    })
      .input(ListEventsInput)
      .output(pageOf(EventOutput))
      .query(({ ctx: { reader }, input }) => listEvents(reader, input)),

    create: scopedMutation({
      scope: 'registrations:write',
      rest: 'POST /webinars/{webinarId}/registrations',
      tool: 'create_registration',
      summary: 'Register an attendee',
      description:
        'Books a person into the session that starts at `sessionTime` and fires `registered`. ' +
        'The same session and e-mail again answers 200 with the registration that is there and fires nothing, ' +
        'unless that one is cancelled.',
      tag,
      status: 201,
      statusWhenThere: 200,
    })
      .input(CreateRegistrationInput)
      .output(dataOf(RegistrationOutput))
      .mutation(async ({ ctx, input }) => {
        const source = sourceOf(ctx.principal);
        const { registration, session, created } = await ctx.transaction((tx) =>
          register(tx, { ...input, source }, follower),
        );
        ctx.reply.location = `/webinars/${registration.webinarId}/registrations/${registration.id}`;
        if (!created) ctx.reply.status = 200;
        return { data: registrationToOutput(registration, session, joinLinks) };
      }),

    createMany: scopedMutation({
      scope: 'registrations:write',
      rest: 'POST /webinars/{webinarId}/registrations/bulk',
      tool: 'bulk_register',
      summary: 'Register many attendees',
      description:
        'Up to 500 rows, each like the body of a single registration. A row that is refused is an `error` in its ' +
        'result and does not touch the others. Of rows with the same session and e-mail the first one counts; ' +
        'the others are `existing`.',
      tag,
    })
      .input(BulkRegisterInput)
      .output(BulkRegisterOutput)
      .mutation(async ({ ctx, input }) => {
        const rows = await ctx.transaction((tx) => registerMany(tx, input, follower));
        return rowsToOutput(rows, joinLinks);
      }),

    rotateToken: scopedMutation({
      scope: 'registrations:write',
      rest: 'POST /webinars/{webinarId}/registrations/{registrationId}/rotate-token',
      tool: 'rotate_registration_token',
      summary: 'Make a new join link',
      description: 'The link that was stops working at once.',
      tag,
    })
      .input(RegistrationInput)
      .output(dataOf(RegistrationOutput))
      .mutation(({ ctx, input }) =>
        ctx.transaction(async (tx) => {
          const registration = await rotateToken(tx, input);
          const session = await findSession(tx, registration);
          return { data: registrationToOutput(registration, session, joinLinks) };
        }),
      ),

    cancel: scopedMutation({
      scope: 'registrations:write',
      rest: 'POST /webinars/{webinarId}/registrations/{registrationId}/cancel',
      tool: 'cancel_registration',
      summary: 'Cancel a registration',
      description: 'The person can be registered for the session again. Cancelling again changes nothing.',
      tag,
    })
      .input(RegistrationInput)
      .output(dataOf(RegistrationOutput))
      .mutation(({ ctx, input }) =>
        ctx.transaction(async (tx) => {
          const registration = await cancelRegistration(tx, input);
          const session = await findSession(tx, registration);
          return { data: registrationToOutput(registration, session, joinLinks) };
        }),
      ),
  });

function sourceOf(principal: Principal): 'dashboard' | 'mcp' | 'api' {
  if (principal.kind === 'member') return 'dashboard';
  return principal.surface === 'mcp' ? 'mcp' : 'api';
}
