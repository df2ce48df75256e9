import './mantine.css';
import './theme.css';
import './font.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ConnectionBar } from './live/connection-bar.tsx';
import { nameLoadFailures } from './new-version.ts';
import { queryClient, router } from './router.tsx';
import { colorSchemeManager, cssVariables, theme } from './theme.ts';

nameLoadFailures();
const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="auto"
    >
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <ConnectionBar />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
