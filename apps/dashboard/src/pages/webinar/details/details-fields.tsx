import { Anchor, SegmentedControl, Select, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core';
import { CopyAction } from '../../../components/copy.tsx';
import { NumberField } from '../../../components/number-field.tsx';
import { SearchSelect } from '../../../components/search-select.tsx';
import { FieldRow, SettingsGroup } from '../../../components/section.tsx';
import { allTimeZones } from '../../../zoned-time.ts';
import { urlProps } from '../fields.ts';
import { endOf, pageAddress } from '../page/page-address.ts';
import type { WebinarFieldsProps } from '../webinar-form.tsx';
import type { DetailsValues } from './details-values.ts';

export type DetailsFieldsProps = WebinarFieldsProps<DetailsValues>;

const kinds = [
  { value: 'standard', label: 'Standard: one video for all viewers' },
  { value: 'adaptive', label: 'Adaptive: the path depends on the viewer' },
];

export function BasicFields({ form, field, webinar }: DetailsFieldsProps) {
  const { title, slug, locale, timezone } = form.values;
  const address = pageAddress({ slug: slug + endOf(webinar.slug) });
  return (
    <>
      <SettingsGroup
        title="Name"
        text="The title is for your team and for webhooks. Attendees see the public title."
      >
        <TextInput {...field('title')} autoComplete="off" />
        <TextInput
          {...field('publicTitle')}
          description="Without one, attendees see the title."
          placeholder={title}
          autoComplete="off"
        />
        <TextInput
          {...field('slug')}
          description={`Registration page: ${address}. Links with former words still lead there.`}
          autoComplete="off"
          spellCheck={false}
          rightSection={<CopyAction text={address} label="Copy address of the registration page" />}
        />
        <Textarea
          {...field('description')}
          description="Attendees see it on the registration page."
          autosize
          minRows={3}
          maxRows={12}
        />
      </SettingsGroup>
      <SettingsGroup
        title="Format"
        text="Sessions start in this time zone. A new time zone or length changes future sessions without registrations."
      >
        <Select {...field('kind')} data={kinds} allowDeselect={false} />
        <FieldRow>
          <NumberField {...field('durationSeconds')} suffix=" min" unit={60} />
          <SearchSelect
            {...field('locale')}
            description="Of the pages that attendees see."
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            data={languageOptions(locale)}
            nothingFoundMessage="No such language"
          />
        </FieldRow>
        <SearchSelect
          {...field('timezone')}
          nothingFoundMessage="No such time zone"
          data={[...new Set([timezone, ...allTimeZones()])]}
        />
      </SettingsGroup>
    </>
  );
}

const languages =
  'en en-GB en-US de de-AT de-CH fr fr-CA es es-MX pt pt-BR it nl pl cs sk hu ro bg hr sl sr el da sv nb fi et lv lt uk ru tr ar he hi bn th vi id ms ja ko zh-CN zh-TW';

/** Languages to choose from, with the stored one. */
function languageOptions(stored: string): { value: string; label: string }[] {
  const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'code' });
  return [...new Set([stored, ...languages.split(' ')])]
    .map((value) => ({ value, label: `${nameOf(names, value)} (${value})` }))
    .toSorted((a, b) => a.label.localeCompare(b.label));
}

function nameOf(names: Intl.DisplayNames, tag: string): string {
  try {
    return names.of(tag) ?? tag;
  } catch {
    return tag;
  }
}

const sources = [
  { value: 'url', label: 'Video file' },
  { value: 'hls', label: 'HLS playlist' },
];

export function VideoFields({ form, field }: DetailsFieldsProps) {
  const { source, url } = form.values.video;
  const canOpen = /^https?:\/\//i.test(url) && URL.canParse(url);
  const { label, ...sourceProps } = field('video.source');
  return (
    <SettingsGroup
      title="Video"
      text="The video plays from your own address, so that address must be reachable for your attendees. A webinar can be published without one."
    >
      <Stack gap={4}>
        <Text component="span" size="sm" fw={550} id="video-source">
          {label}
        </Text>
        <SegmentedControl
          {...sourceProps}
          aria-labelledby="video-source"
          data={sources}
          style={{ alignSelf: 'flex-start' }}
        />
      </Stack>
      <TextInput
        {...field('video.url')}
        {...urlProps}
        placeholder={source === 'hls' ? 'https://…/index.m3u8' : 'https://…/webinar.mp4'}
        description={
          canOpen ? (
            <Anchor href={url} target="_blank" rel="noreferrer" size="xs">
              Open the video in a new tab
            </Anchor>
          ) : null
        }
        inputWrapperOrder={['label', 'input', 'error', 'description']}
      />
      <TextInput
        {...field('video.posterUrl')}
        {...urlProps}
        description="The picture before the video starts."
      />
      <TextInput
        {...field('video.captionsUrl')}
        {...urlProps}
        description="A WebVTT file. Captions help people who watch without sound."
      />
    </SettingsGroup>
  );
}

const lateJoins = [
  { value: 'in_progress', label: 'Join at the current position' },
  { value: 'from_start', label: 'Watch from the beginning' },
  { value: 'closed', label: 'Cannot join after the start' },
];

const chatModes = [
  { value: 'public', label: 'Attendees see all messages' },
  { value: 'private', label: 'Attendees see their own messages and those of the host' },
  { value: 'off', label: 'No chat' },
];

export const RoomFields = ({ form, field }: DetailsFieldsProps) => (
  <>
    <SettingsGroup title="Room" text="The rules during a session.">
      <FieldRow>
        <Select {...field('room.lateJoin')} data={lateJoins} allowDeselect={false} />
        <NumberField
          {...field('room.lateCutoffMinutes')}
          suffix=" min"
          placeholder="Open until the end"
          disabled={form.values.room.lateJoin === 'closed'}
        />
      </FieldRow>
      <FieldRow>
        <Select {...field('room.chatMode')} data={chatModes} allowDeselect={false} />
        <NumberField {...field('room.lobbyMinutes')} suffix=" min" />
      </FieldRow>
      <Switch
        {...field('room.seekAllowed', 'checkbox')}
        description="Off: the video plays like a live session."
      />
    </SettingsGroup>
    <SettingsGroup title="Replay" text="Attendees watch the session again after its end.">
      <Switch {...field('replay.enabled', 'checkbox')} label="Offer a replay" />
      <FieldRow>
        <NumberField {...field('replay.availableHours')} suffix=" h" placeholder="No limit" />
      </FieldRow>
    </SettingsGroup>
  </>
);
