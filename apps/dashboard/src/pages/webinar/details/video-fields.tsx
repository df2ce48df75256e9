import { Anchor, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { SettingsGroup } from '../../../components/section.tsx';
import type { DetailsFieldsProps } from './basic-fields.tsx';
import { detailsLabels as labels } from './details-values.ts';

const sources = [
  { value: 'url', label: 'Video file' },
  { value: 'hls', label: 'HLS playlist' },
];

export function VideoFields({ form }: DetailsFieldsProps) {
  const { url } = form.values.video;
  const canOpen = /^https?:\/\//i.test(url) && URL.canParse(url);
  return (
    <SettingsGroup
      title="Video"
      text="The video plays from your own address, so that address must be reachable for your attendees. A webinar can be published without one."
    >
      <Stack gap={4}>
        <Text component="span" size="sm" fw={550} id="video-source">
          {labels['video.source']}
        </Text>
        <SegmentedControl
          aria-labelledby="video-source"
          data={sources}
          style={{ alignSelf: 'flex-start' }}
          {...form.getInputProps('video.source')}
        />
      </Stack>
      <TextInput
        label={labels['video.url']}
        placeholder={form.values.video.source === 'hls' ? 'https://…/index.m3u8' : 'https://…/webinar.mp4'}
        description={
          canOpen ? (
            <Anchor href={url} target="_blank" rel="noreferrer" size="xs">
              Open the video in a new tab
            </Anchor>
          ) : null
        }
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        {...form.getInputProps('video.url')}
      />
      <TextInput
        label={labels['video.posterUrl']}
        description="The picture before the video starts."
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        {...form.getInputProps('video.posterUrl')}
      />
      <TextInput
        label={labels['video.captionsUrl']}
        description="A WebVTT file. Captions help people who watch without sound."
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        {...form.getInputProps('video.captionsUrl')}
      />
    </SettingsGroup>
  );
}
