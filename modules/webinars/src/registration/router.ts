import { dataOf, pageOf, router, scopedMutation, scopedQuery } from '@service/trpc';
import type { OnAttendeeEvents } from '../event/attendee-event.ts';
import { getRegistration, listRegistrations } from './read-registrations.ts';
import { register } from './register.ts';
import {
  CreateRegistrationInput,
  ListRegistrationsInput,
  RegistrationInput,
  RegistrationOutput,
} from './schemas.ts';
import { registrationToOutput } from './to-output.ts';

const tag = 'Registrations';

/** `onEvents` follows every event in the transaction that wrote it. */
export const createRegistrationsRouter = ({ onEvents }: { onEvents: OnAttendeeEvents }) =>
  router({
    list: scopedQuery({
      scope: 'registrations:read',
      rest: 'GET /webinars/{webinarId}/registrations',
      tool: 'list_registrations',
      summary: 'List the registrations of a webinar',
      tag,
    })
      .input(ListRegistrationsInput)
      .output(pageOf(RegistrationOutput))
      .query(({ ctx: { reader }, input }) => listRegistrations(reader, input)),

    get: scopedQuery({
      scope: 'registrations:read',
      rest: 'GET /webinars/{webinarId}/registrations/{registrationId}',
      tool: 'get_registration',
      summary: 'Get a registration',
      tag,
    })
      .input(RegistrationInput)
      .output(dataOf(RegistrationOutput))
      .query(async ({ ctx: { reader }, input }) => ({ data: await getRegistration(reader, input) })),

    create: scopedMutation({
      scope: 'registrations:write',
      rest: 'POST /webinars/{webinarId}/registrations',
      tool: 'create_registration',
      summary: 'Register an attendee',
      description:
        'Books a person into the session that starts at `sessionTime` and fires `registered`. ' +
        'The same session and e-mail again answers 200 with the registration that is there and fires nothing.',
      tag,
      status: 201,
      statusWhenThere: 200,
    })
      .input(CreateRegistrationInput)
      .output(dataOf(RegistrationOutput))
      .mutation(async ({ ctx, input }) => {
        const source = ctx.principal.kind === 'key' ? 'api' : 'dashboard';
        const { registration, session, created } = await ctx.transaction((tx) =>
          register(tx, { ...input, source }, onEvents),
        );
        ctx.reply.location = `/webinars/${registration.webinarId}/registrations/${registration.id}`;
        if (!created) ctx.reply.status = 200;
        return { data: registrationToOutput(registration, session) };
      }),
  });
