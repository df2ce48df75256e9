import type { Webinar } from '../../../trpc.ts';
import { wordsOf } from '../page/page-address.ts';
import { numberOrEmpty, numberOrNull, settingsToValues, textOrNull, valuesToSettings } from '../fields.ts';

export type DetailsValues = ReturnType<typeof detailsOf>;

/** The fields of the tab as inputs show them. Every path is that of the API. */
export function detailsOf(webinar: Webinar) {
  const { title, slug, kind, locale, timezone, durationSeconds, video, room, replay } = webinar;
  const { attendance, attribution } = webinar;
  return {
    title,
    publicTitle: webinar.publicTitle ?? '',
    slug: wordsOf(slug),
    description: webinar.description ?? '',
    kind,
    locale,
    timezone,
    durationSeconds: numberOrEmpty(durationSeconds),
    video: {
      source: video?.source ?? ('url' as const),
      url: video?.url ?? '',
      posterUrl: video?.posterUrl ?? '',
      captionsUrl: video?.captionsUrl ?? '',
    },
    room: settingsToValues(room),
    replay: settingsToValues(replay),
    attendance: settingsToValues(attendance),
    attribution: { windowDays: windowToText(attribution.windowDays) },
  };
}

/** The fields of a PATCH. An empty number of a required field becomes null, which the check refuses. */
export function detailsToFields(values: DetailsValues) {
  const { title, slug, kind, locale, timezone, room, replay, attendance, attribution } = values;
  return {
    title,
    publicTitle: textOrNull(values.publicTitle),
    slug,
    description: textOrNull(values.description),
    kind,
    locale,
    timezone,
    durationSeconds: numberOrNull(values.durationSeconds),
    video: videoToField(values.video),
    room: valuesToSettings(room),
    replay: valuesToSettings(replay),
    attendance: valuesToSettings(attendance),
    attribution: { windowDays: windowToField(attribution.windowDays) },
  };
}

/** A webinar without any address of a video has no video. */
function videoToField({ source, url, posterUrl, captionsUrl }: DetailsValues['video']) {
  if ([url, posterUrl, captionsUrl].every((address) => address.trim() === '')) return null;
  return { source, url, posterUrl: textOrNull(posterUrl), captionsUrl: textOrNull(captionsUrl) };
}

type WindowDays = Webinar['attribution']['windowDays'];

/** The choice of a webinar without a window of its own. */
export const workspaceWindow = 'workspace';

/** The window as the list of choices has it. */
export const windowToText = (days: WindowDays): string => (days === null ? workspaceWindow : String(days));

export const windowToField = (chosen: string): WindowDays =>
  chosen === workspaceWindow ? null : (Number(chosen) as WindowDays);

/** The names of the fields, as the form and the comparison of two edits show them. */
export const detailsLabels: Record<string, string> = {
  title: 'Title',
  publicTitle: 'Public title',
  slug: 'Words of the address',
  description: 'Description',
  kind: 'Kind',
  locale: 'Language',
  timezone: 'Time zone',
  durationSeconds: 'Length',
  'video.source': 'Type of video',
  'video.url': 'Video URL',
  'video.posterUrl': 'Poster image URL',
  'video.captionsUrl': 'Captions URL',
  'room.lateJoin': 'Late attendees',
  'room.lateCutoffMinutes': 'Entry closes after',
  'room.seekAllowed': 'Attendees can skip in the video',
  'room.chatMode': 'Chat',
  'room.lobbyMinutes': 'Lobby opens before the start',
  'replay.enabled': 'Replay',
  'replay.availableHours': 'Replay is available for',
  'attendance.minSeconds': 'Attended after',
  'attendance.completionPercent': 'Completed after',
  'attendance.noShowGraceMinutes': 'No-show after the end',
  'attribution.windowDays': 'Attribution window',
};
