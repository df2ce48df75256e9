// The room protocol over HTTP, for attendee pages, the simulator and other players. Callers use the token of a join link and have
// no key, and most requests are heartbeats. So it has its own router and does not use the chain of the REST surface.
import { currentPayer, type Database, isId, workForCaller } from '@service/database';
import { commonErrors } from '@service/errors';
import { attributeAnswer } from '@service/lifecycle';
import type { ChangeAnnouncer } from '@service/changes';
import type { HttpDoor } from '@service/module';
import type { Pages } from '@service/pages';
import { readBody, sendJson } from '@service/rest';
import { parseInput } from '@service/trpc';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { z } from 'zod';
import { HeartbeatInput } from '../attendance/heartbeat-input.ts';
import type { JoinLinks, JoinToken } from '../registration/join-token.ts';
import type { RoomFeed } from '../room/feed.ts';
import type { Room } from '../room/room.ts';
import { createPersonalPages, type PersonalPageParts } from '../room/personal-pages.ts';
import { AnswerInput, ChangeSessionInput, MessageInput, TakeBranchInput } from '../room/schemas.ts';
import { addPersonalPages } from './personal-page-api.ts';
import type { SlugLookup } from './page-admission.ts';
import { createAdmission, createLimits } from './room-admission.ts';
import { type RefusalOptions, refuse, refuseMethod } from './room-answer.ts';
import { followClickLink } from './click-link.ts';
import { createEventStreams, pageToJson } from './event-streams.ts';

export interface RoomApiParts extends RefusalOptions, Omit<PersonalPageParts, 'onChanged'> {
  database: Pick<Database, 'ofAccount'>;
  lookUpSlug: SlugLookup;
  pages: Pages;
  joinLinks: JoinLinks;
  changes: Pick<ChangeAnnouncer, 'announce'>;
  room: Room;
  feed: RoomFeed;
}

/** Largest request body, in bytes. A heartbeat with a hundred intervals has about three thousand. */
const bytesMax = 64 * 1024;

const json = ['application/json'];
/** sendBeacon of a browser sends text/plain, because JSON would need a preflight request. */
const beacon = [...json, 'text/plain'];

interface Call<Body> {
  token: JoinToken;
  /** The id in the path. */
  id: string;
  body: Body;
}

interface PostOptions<Body> {
  status: number;
  /** The body is ignored when left out. */
  schema?: z.ZodType<Body>;
  mediaTypes?: readonly string[];
  run(call: Call<Body>): Promise<unknown>;
}

/** The routes below `/room` and `/r`. `close` ends the event streams: a stopping server would wait for them for ever. */
export function createRoomApi({
  database,
  lookUpSlug,
  room,
  feed,
  pages,
  joinLinks,
  subscriber,
  readBranding,
  baseUrl,
  changes,
  now: givenNow,
  ...options
}: RoomApiParts): HttpDoor {
  const now = givenNow ?? (() => new Date());
  const router = Router({ caseSensitive: true, strict: true });
  const personal = createPersonalPages({
    database,
    joinLinks,
    subscriber,
    readBranding,
    baseUrl,
    onChanged(accountId, webinarId) {
      changes.announce(accountId, 'registrations', webinarId);
      changes.announce(accountId, 'sessions', webinarId);
    },
    now: givenNow,
  });
  const admission = createAdmission({ room, now });
  const limits = createLimits();
  const streams = createEventStreams({ room, feed, now });
  /** Proves the token of a call, counts the call, and names the account that pays for its work from now on. */
  const admitCall = async (request: Request): Promise<JoinToken> => {
    const caller = currentPayer();
    const token = await admission.join(request.params['join'] as string, request);
    limits.admitCall(token, now());
    workForCaller(database.ofAccount(token.accountId), caller);
    return token;
  };

  const post = <Body>(path: string, { status, schema, mediaTypes = json, run }: PostOptions<Body>): void => {
    router
      .route(`/room/:join/${path}`)
      .post(async (request: Request, response: Response) => {
        try {
          const { id = '' } = request.params as { id?: string };
          if (id !== '' && !isId(id)) throw commonErrors.not_found();
          const token = await admitCall(request);
          const given = await readBody(request, { bytesMax, mediaTypes });
          const body = schema ? parseInput(schema, given) : (given as Body);
          sendJson(response, status, await run({ token, id: id.toLowerCase(), body }));
        } catch (error) {
          refuse(response, error, options);
        }
      })
      .all(refuseMethod('POST', options));
  };

  router.use('/room', allowOtherOrigins);
  addPersonalPages(router, {
    database,
    lookUpSlug,
    pages,
    personal,
    joinLinks,
    subscriber,
    admitCall,
    now: givenNow,
    ...options,
  });

  post('session', {
    status: 200,
    schema: ChangeSessionInput,
    async run({ token, body }) {
      limits.admitChange(token, now());
      return { data: await personal.changeSession(token, body) };
    },
  });
  post('cancellation', {
    status: 200,
    async run({ token }) {
      limits.admitChange(token, now());
      return { data: await personal.cancel(token) };
    },
  });
  post('visits', { status: 201, run: ({ token }) => room.enter(token) });
  post('heartbeats', {
    status: 200,
    schema: HeartbeatInput,
    run: ({ token, body }) => room.heartbeat(token, body),
  });
  post('leave', {
    status: 204,
    schema: HeartbeatInput,
    mediaTypes: beacon,
    run: ({ token, body }) => room.leave(token, body),
  });
  post('interactions/:id/clicks', { status: 201, run: ({ token, id }) => room.click(token, id) });
  post('interactions/:id/views', { status: 204, run: ({ token, id }) => room.view(token, id) });
  post('interactions/:id/answers', {
    status: 201,
    schema: AnswerInput,
    run: ({ token, id, body }) => room.answer(token, id, body),
  });
  post('messages', {
    status: 201,
    schema: MessageInput,
    async run({ token, body }) {
      limits.admitMessage(token, now());
      return room.say(token, body);
    },
  });
  post('branches/:id', {
    status: 201,
    schema: TakeBranchInput,
    run: ({ token, id, body }) => room.takeBranch(token, id, body),
  });

  router
    .route('/room/:join/events')
    // Before GET, which would also answer HEAD: a stream without its body has no use.
    .head(refuseMethod('GET', options))
    .get(async (request: Request, response: Response) => {
      let endCall: (() => void) | undefined;
      try {
        const token = await admitCall(request);
        attributeAnswer(response, token.accountId);
        // Hundreds of streams may open at once. Those of an account beyond its share open one after the other.
        endCall = await database.ofAccount(token.accountId).beginCall();
        const identity = await room.identify(token);
        const { since } = request.query;
        const asked = typeof since === 'string' ? since : undefined;
        if (request.headers.accept?.includes('text/event-stream')) {
          await streams.open(response, { token, identity, since: request.get('last-event-id') ?? asked });
        } else {
          sendJson(response, 200, pageToJson(await feed.read(identity, asked)));
        }
      } catch (error) {
        refuse(response, error, options);
      } finally {
        endCall?.();
      }
    })
    .all(refuseMethod('GET', options));

  router
    .route('/r/:token')
    // HEAD comes from link checkers and must not count as a click.
    .head(refuseMethod('GET', options))
    .get(followClickLink({ room, admission, limits, now, ...options }))
    .all(refuseMethod('GET', options));

  return { mount: (routes) => void routes.use(router), close: () => streams.close() };
}

/**
 * Players of other sites may call the room. The token in the path is the only permission, and no cookie counts. Answers a preflight
 * request.
 */
const allowOtherOrigins: RequestHandler = (request, response, next) => {
  response.set({
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': 'X-Request-Id, Retry-After, Allow',
  });
  if (request.method !== 'OPTIONS') return next();
  response
    .status(204)
    .set({
      'Access-Control-Allow-Methods': 'GET, POST',
      'Access-Control-Allow-Headers': 'Content-Type, Last-Event-ID',
      'Access-Control-Max-Age': '600',
    })
    .end();
};
