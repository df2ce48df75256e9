import { Group, SegmentedControl, Skeleton, Text, useComputedColorScheme } from '@mantine/core';
import { useDebouncedValue, useElementSize } from '@mantine/hooks';
import type { RoomPreview as Preview } from '@service/attendees';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { useTRPC } from '../../trpc.ts';
import { useWorkspace } from '../../workspace.ts';
import styles from './room-preview.module.css';
import { useWebinar } from './use-webinar.ts';

interface RoomPreviewProps {
  interaction?: Preview['interaction'];
  path?: Preview['path'];
  note: string;
}

/** Sizes of the frame in pixels. It is shown smaller where there is less space. */
const devices = {
  phone: { width: 390, height: 844 },
  computer: { width: 1280, height: 720 },
};
type Device = keyof typeof devices;

const pauseMs = 200;

/** The room as an attendee will see it, while a form is typed. */
export function RoomPreview({ interaction = null, path = null, note }: RoomPreviewProps) {
  const [device, setDevice] = useState<Device>('phone');
  const pageScheme = useComputedColorScheme('light');
  const [scheme, setScheme] = useState<Preview['scheme']>();
  const headingId = useId();
  const shown = usePreview({ interaction, path, scheme: scheme ?? pageScheme });
  return (
    <aside aria-labelledby={headingId} data-device={device}>
      <Group gap={8} mb={8}>
        <Text id={headingId} size="sm" fw={550} flex={1}>
          Preview
        </Text>
        <SegmentedControl
          aria-label="Colours of the preview"
          size="xs"
          data={[
            { value: 'light', label: 'Light' },
            { value: 'dark', label: 'Dark' },
          ]}
          value={scheme ?? pageScheme}
          onChange={(value) => setScheme(value)}
        />
        <SegmentedControl
          aria-label="Device of the preview"
          size="xs"
          data={[
            { value: 'phone', label: 'Phone' },
            { value: 'computer', label: 'Computer' },
          ]}
          value={device}
          onChange={(value) => setDevice(value)}
        />
      </Group>
      {shown ? <Frame preview={shown} device={device} /> : <Skeleton height={480} aria-busy />}
      <Text size="xs" c="dimmed" mt={6}>
        {note}
      </Text>
    </aside>
  );
}

/** The content of the frame. Undefined while the webinar and the branding are loaded. */
function usePreview(shown: Pick<Preview, 'interaction' | 'path' | 'scheme'>): Preview | undefined {
  const trpc = useTRPC();
  const { workspace } = useWorkspace();
  const webinar = useWebinar().data?.data;
  const branding = useQuery(trpc.accounts.workspace.branding.queryOptions()).data?.data;
  if (!webinar || !branding) return undefined;
  const { locale, title, publicTitle, video } = webinar;
  return {
    ...shown,
    locale,
    branding: { ...branding, name: workspace.name },
    webinar: { title: publicTitle ?? title, posterUrl: video?.posterUrl ?? null },
  };
}

/** The page of the room that shows what it is sent. */
function Frame({ preview, device }: { preview: Preview; device: Device }) {
  const frameRef = useRef<HTMLIFrameElement>(null);
  const [isLoaded, setLoaded] = useState(false);
  const [settled] = useDebouncedValue(JSON.stringify(preview), pauseMs);
  const { ref, width: space } = useElementSize();
  const { width, height } = devices[device];
  const scale = Math.min(1, space / width);
  useEffect(() => {
    if (!isLoaded) return;
    const message = { type: 'room-preview', preview: JSON.parse(settled) as Preview };
    frameRef.current?.contentWindow?.postMessage(message, location.origin);
  }, [isLoaded, settled]);
  const size = { maxWidth: width, height: height * scale };
  return (
    <div ref={ref} className={styles['space']} style={size} aria-busy={!isLoaded}>
      {/* oxlint-disable-next-line react/iframe-missing-sandbox -- a page of ours, which needs its scripts and its origin */}
      <iframe
        ref={frameRef}
        className={styles['frame']}
        title="Preview of the room"
        src="/room/preview"
        style={{ width, height, scale }}
        onLoad={() => setLoaded(true)}
      />
    </div>
  );
}
