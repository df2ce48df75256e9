// The calls of the room, for its OpenAPI document. The routes are in `http/room-api.ts`; a test calls all of them.
import { PathState } from '@service/webinars';
import { z } from 'zod';
import { HeartbeatInput } from '../attendance/heartbeat-input.ts';
import {
  AnswerInput,
  ChangeSessionInput,
  FeedItem,
  HeartbeatOutput,
  LinkRequestInput,
  MessageInput,
  PersonalPage,
  PollResults,
  TakeBranchInput,
  VisitOutput,
} from './schemas.ts';

export interface RoomOperation {
  id: string;
  method: 'get' | 'post';
  path: string;
  summary: string;
  description?: string;
  /** The schema of the body, with the name of its component. */
  input?: readonly [string, z.ZodType];
  status: number;
  output?: readonly [string, z.ZodType];
  /** The answer is a file of this type. */
  mediaType?: string;
  /** Codes of refusals, beside those of every call. */
  errors?: readonly string[];
}

const pageOf = ['PersonalPageAnswer', z.object({ data: PersonalPage })] as const;

export const roomOperations: readonly RoomOperation[] = [
  {
    id: 'readPersonalPage',
    method: 'get',
    path: '/room/{join}',
    summary: 'Read the page of an attendee',
    description:
      'Before, during and after the session. Opens no visit and counts nothing. Browsers get an HTML page; send ' +
      '`Accept: application/json`.',
    status: 200,
    output: pageOf,
  },
  {
    id: 'readCalendarFile',
    method: 'get',
    path: '/room/{join}/calendar.ics',
    summary: 'Download the session as a calendar file',
    status: 200,
    mediaType: 'text/calendar',
  },
  {
    id: 'changeSession',
    method: 'post',
    path: '/room/{join}/session',
    summary: 'Move the attendee to another session',
    description: 'Only until they join. The link stays the same.',
    input: ['ChangeSessionInput', ChangeSessionInput],
    status: 200,
    output: pageOf,
    errors: [
      'registration_attended',
      'registration_cancelled',
      'registration_exists',
      'session_full',
      'session_time_unavailable',
    ],
  },
  {
    id: 'cancelRegistration',
    method: 'post',
    path: '/room/{join}/cancellation',
    summary: 'Cancel the registration',
    status: 200,
    output: pageOf,
    errors: ['registration_attended', 'session_ended'],
  },
  {
    id: 'requestLink',
    method: 'post',
    path: '/room/link-requests',
    summary: 'Mail a lost link again',
    description: 'The answer is the same for an address that is registered and for one that is not.',
    input: ['LinkRequestInput', LinkRequestInput],
    status: 202,
    output: ['LinkRequestAnswer', z.object({ data: z.object({ state: z.literal('link_by_mail') }) })],
    errors: ['too_many_link_requests'],
  },
  {
    id: 'openVisit',
    method: 'post',
    path: '/room/{join}/visits',
    summary: 'Open a page of the room',
    description:
      'Possible from the opening of the lobby until the end of the replay. Each tab has a visit of its own.',
    status: 201,
    output: ['Visit', VisitOutput],
    errors: ['room_not_open', 'room_closed', 'session_ended', 'replay_over'],
  },
  {
    id: 'sendHeartbeat',
    method: 'post',
    path: '/room/{join}/heartbeats',
    summary: 'Report what was played',
    description:
      'Every ten seconds. The first one in a live session joins the attendee. (visitId, seq) counts once, so a heartbeat ' +
      'can be sent again. In a replay nothing is counted.',
    input: ['HeartbeatInput', HeartbeatInput],
    status: 200,
    output: ['HeartbeatAnswer', HeartbeatOutput],
    errors: ['visit_not_found'],
  },
  {
    id: 'leave',
    method: 'post',
    path: '/room/{join}/leave',
    summary: 'Report that the page is being closed',
    description: 'The last heartbeat, also as `text/plain` for `navigator.sendBeacon`.',
    input: ['HeartbeatInput', HeartbeatInput],
    status: 204,
    errors: ['visit_not_found'],
  },
  {
    id: 'recordClick',
    method: 'post',
    path: '/room/{join}/interactions/{id}/clicks',
    summary: 'Record a click and read the URL of its redirect',
    description: 'The link `clickUrl` of an interaction does the same and redirects.',
    status: 201,
    output: ['Click', z.object({ redirectUrl: z.string() })],
    errors: ['interaction_not_found', 'session_not_live'],
  },
  {
    id: 'recordView',
    method: 'post',
    path: '/room/{join}/interactions/{id}/views',
    summary: 'Record that the attendee saw an interaction',
    status: 204,
    errors: ['interaction_not_found', 'session_not_live'],
  },
  {
    id: 'answerPoll',
    method: 'post',
    path: '/room/{join}/interactions/{id}/answers',
    summary: 'Answer a poll',
    input: ['AnswerInput', AnswerInput],
    status: 201,
    output: ['Answer', z.object({ results: PollResults.nullable() })],
    errors: ['interaction_not_found', 'session_not_live', 'poll_answered'],
  },
  {
    id: 'sendMessage',
    method: 'post',
    path: '/room/{join}/messages',
    summary: 'Send a chat message',
    input: ['MessageInput', MessageInput],
    status: 201,
    output: ['Message', z.object({ id: z.uuid(), sentAt: z.iso.datetime() })],
    errors: ['chat_off', 'session_not_live', 'message_not_found'],
  },
  {
    id: 'takeBranch',
    method: 'post',
    path: '/room/{join}/branches/{id}',
    summary: 'Take a branch of an adaptive webinar',
    input: ['TakeBranchInput', TakeBranchInput],
    status: 201,
    output: ['PathState', PathState],
    errors: ['branch_not_found', 'branch_not_open', 'too_many_moves', 'session_not_live'],
  },
  {
    id: 'readEvents',
    method: 'get',
    path: '/room/{join}/events',
    summary: 'Read the feed of the session',
    description:
      'Chat, live poll results, the session and its progress. With `Accept: text/event-stream` it is a stream of server-sent ' +
      'events, each with one item as JSON. Else it is one page: pass `cursor` as `since` to read on. Drop messages whose ids you ' +
      'know.',
    status: 200,
    output: ['FeedPage', z.object({ items: z.array(FeedItem), cursor: z.string() })],
  },
];
