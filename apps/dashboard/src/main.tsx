// Sign-in and sign-up are pages of their own, without the router and the rest of the app, which is loaded after them.
import './mantine.css';
import './theme.css';
import './font.css';
import { MantineProvider } from '@mantine/core';
import { StrictMode, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { formatClock } from './format.ts';
import styles from './live/connection-bar.module.css';
import { useDisconnectedSince } from './live/connection.ts';
import { isLoadFailure, LoadFailure, nameLoadFailures } from './pages/load-failure.tsx';
import { isVisit, visitPage } from './pages/sign-in/visit.tsx';
import type { Session } from './session.ts';
import { colorSchemeManager, cssVariables, theme } from './theme.tsx';

nameLoadFailures();
const element = document.getElementById('root');
if (!element) throw new Error('index.html has no #root');
const root = createRoot(element);

function show(page: ReactNode): void {
  root.render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariables}
        colorSchemeManager={colorSchemeManager}
        defaultColorScheme="auto"
      >
        {page}
        <ConnectionBar />
      </MantineProvider>
    </StrictMode>,
  );
}

const loadApp = () => import('./app.tsx');

async function openApp(session?: Session): Promise<void> {
  try {
    const { createApp } = await loadApp();
    show(createApp(session));
  } catch (error) {
    if (!isLoadFailure(error)) throw error;
    show(<LoadFailure />);
  }
}

async function start(): Promise<void> {
  const page = isVisit() ? await visitPage(openApp) : undefined;
  if (page === undefined) return openApp();
  show(page);
  // Most who type here sign in.
  window.addEventListener('input', () => void loadApp().catch(() => undefined), { once: true });
}

void start();

/** A bar at the lower edge while the service cannot be reached. Clicks go through it. */
function ConnectionBar() {
  const sinceMs = useDisconnectedSince();
  return (
    <div role="status" className={styles['place']}>
      {sinceMs === undefined ? null : (
        <p className={styles['bar']}>
          Not connected since {formatClock(new Date(sinceMs).toISOString())}. Trying again.
        </p>
      )}
    </div>
  );
}
