import { Button, Loader, Popover, VisuallyHidden } from '@mantine/core';
import { IconCode } from '@service/icons';
import { lazy, Suspense } from 'react';
import type { ApiCall } from '../api-call.ts';
import styles from './show-api-call.module.css';

// Loaded when the first one opens.
const ApiCallCommand = lazy(async () => ({
  default: (await import('./api-call-command.tsx')).ApiCallCommand,
}));

interface ShowApiCallProps {
  call: ApiCall;
  /** Distinguishes several buttons of one page, for screen readers: "Executions". */
  of?: string | undefined;
  /** The edge of the button from which the call extends. */
  edge?: 'start' | 'end';
}

/** A button that shows the call of the REST API which does the same as this list or form. */
export function ShowApiCall({ call, of, edge = 'end' }: ShowApiCallProps) {
  return (
    <Popover position={`bottom-${edge}`} width={440} shadow="md" withinPortal trapFocus returnFocus>
      <Popover.Target>
        <Button
          variant="subtle"
          size="compact-sm"
          color="gray"
          leftSection={<IconCode size={15} aria-hidden />}
          classNames={{ root: styles['button'], section: styles['icon'], label: styles['label'] }}
        >
          Show the API call
          {of === undefined ? null : <VisuallyHidden>: {of}</VisuallyHidden>}
        </Button>
      </Popover.Target>
      <Popover.Dropdown
        maw="calc(100vw - 24px)"
        // Mantine's dialogs close on any Escape whose target does not have this. Here Escape closes only the popover.
        onFocusCapture={({ target }) => target.setAttribute('data-mantine-stop-propagation', 'true')}
      >
        <Suspense fallback={<Loader size={16} />}>
          <ApiCallCommand call={call} />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  );
}
