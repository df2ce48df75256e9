import { id, instant } from '@service/trpc';
import { sumMinor } from '@service/trpc/fields';
import { interactionType } from '@service/webinars';
import { z } from 'zod';

const count = (text: string) => z.number().int().describe(text);
const percent = (text: string) =>
  z
    .number()
    .nullable()
    .describe(`${text} In percent with one decimal place. Null when the second number is 0.`);

/** For the tool, which reads a webinar or one of its sessions. */
export const AnalyticsInput = z.strictObject({
  webinarId: id('webinar'),
  sessionId: id('session').optional(),
});

const countFields = {
  registered: count('Registrations that are not cancelled.'),
  cancelled: count('Cancelled registrations. They are in no other number but the revenue.'),
  joined: count('Attendees who entered the room while the session was live.'),
  attended: count(
    'Attendees who are in the room, or watched as long as `attendance.minSeconds` of the webinar demands.',
  ),
  noShow: count('Registrations whose attendee did not attend. Counted after the end of their session.'),
  completed: count('Attended, and watched `attendance.completionPercent` of the video.'),
  engaged: count('Attended, and clicked an interaction or answered a poll.'),
  clicked: count('Attended, and clicked an offer or a CTA.'),
  watchedReplay: count('Attendees who watched a replay.'),
};

const rateFields = {
  attendancePercent: percent('`attended` of `registered`.'),
  noShowPercent: percent('`noShow` of `registered`.'),
  completionPercent: percent('`completed` of `attended`.'),
  engagementPercent: percent('`engaged` of `attended`.'),
  clickPercent: percent('`clicked` of `attended`.'),
  averageWatchedSeconds: z
    .number()
    .int()
    .nullable()
    .describe('Seconds of the video that those who attended saw on average. Null without attendees.'),
  averageWatchedPercent: z
    .number()
    .nullable()
    .describe('Percent of the video that those who attended saw on average. Null without attendees.'),
};

const AttendanceCurve = z
  .object({
    stepSeconds: count('Seconds of the video between two points.'),
    viewers: z
      .array(z.number().int())
      .describe(
        'Attendees who saw the middle of each part of `stepSeconds` seconds, from the beginning of the video on.',
      ),
    dropOffs: z
      .array(
        z
          .object({
            fromSeconds: count('Position in the video.'),
            toSeconds: count('The next point of the curve.'),
            viewersLost: count('The difference of the two points.'),
          })
          .meta({ id: 'DropOff' }),
      )
      .describe('The largest falls of the curve, the largest first. At most three.'),
  })
  .meta({ id: 'AttendanceCurve' });

const InteractionResult = z
  .object({
    id: id('interaction'),
    type: interactionType,
    internalName: z.string().describe('The name for your team.'),
    headline: z.string().describe('The text that attendees see.'),
    showAtSeconds: count('Position in the video.'),
    hideAtSeconds: z.number().int().nullable().describe('Position in the video. Null: it stays to the end.'),
    seen: count('Registrations whose player showed it, also in a replay.'),
    clicked: count('Registrations that clicked it at least once, also in a replay.'),
    answered: count('Registrations that answered the poll.'),
    responsePercent: percent('`clicked` of `seen`; for a poll `answered` of `seen`.'),
    options: z
      .array(
        z
          .object({
            id: z.string().describe('The id of the option.'),
            label: z.string().describe('The text of the option.'),
            count: count('Registrations that chose it.'),
          })
          .meta({ id: 'OptionResult' }),
      )
      .describe('Of a poll. Empty for other types.'),
  })
  .meta({ id: 'InteractionResult' });

const SourceResult = z
  .object({
    source: z.string().nullable().describe('`utm_source` of the registrations. Null for none.'),
    registered: countFields.registered,
    attended: countFields.attended,
  })
  .meta({ id: 'SourceResult' });

const RevenueResult = z
  .object({
    buyers: count('Registrations with a credited purchase, also cancelled ones.'),
    conversionPercent: percent('Buyers who attended, of `attended`.'),
    sums: z
      .array(
        z
          .object({
            currency: z.string().describe('ISO 4217, in upper case.'),
            netMinor: sumMinor().describe('Purchases minus refunds and chargebacks, in minor units.'),
            perRegistrantMinor: sumMinor().nullable().describe('`netMinor` divided by `registered`.'),
            perAttendeeMinor: sumMinor().nullable().describe('`netMinor` divided by `attended`.'),
          })
          .meta({ id: 'RevenueResultSum' }),
      )
      .describe('One entry for each currency. Currencies are never added.'),
  })
  .meta({ id: 'RevenueResult' });

const resultFields = {
  countedAt: instant().describe(
    'Time of the counts. Those of more than 5,000 registrations are kept for a minute, so they may be older than the answer.',
  ),
  countedRegistrations: count('Number of registrations that were counted, also cancelled ones.'),
  isComplete: z
    .boolean()
    .describe('False when there are more than 100,000 registrations: only the newest 100,000 are counted.'),
  ...countFields,
  ...rateFields,
  curve: AttendanceCurve.nullable().describe(
    'Null for an adaptive webinar, because its attendees see different videos.',
  ),
  interactions: z.array(InteractionResult).describe('In the order of the video.'),
  sources: z.array(SourceResult).describe('The 20 sources with the most registrations.'),
  hasMoreSources: z.boolean().describe('There are more sources than `sources` lists.'),
  revenue: RevenueResult.nullable().describe('Null for a key without `revenue:read`.'),
};

export const SessionAnalyticsOutput = z
  .object({ sessionId: id('session'), ...resultFields })
  .meta({ id: 'SessionAnalytics' });

const SessionResult = z
  .object({
    sessionId: id('session'),
    startsAt: instant(),
    ...countFields,
    ...rateFields,
  })
  .meta({ id: 'SessionResult' });

export const WebinarAnalyticsOutput = z
  .object({
    webinarId: id('webinar'),
    ...resultFields,
    sessions: z
      .array(SessionResult)
      .describe('The 50 sessions with the most registrations, the latest start first.'),
    hasMoreSessions: z.boolean().describe('There are more sessions than `sessions` lists.'),
  })
  .meta({ id: 'WebinarAnalytics' });
