import '../theme/theme.css';
import '../theme/font.css';
import type { PersonalPageData } from '@service/attendees';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { readPageData } from '../page/page-data.ts';
import { PersonalPages, preparePage } from '../personal/personal-pages.tsx';
import { RoomPage } from './room-page.tsx';

const element = document.getElementById('root');
if (!element) throw new Error('room.html has no #root');
const data = readPageData() as PersonalPageData;
preparePage(data);

createRoot(element).render(
  <StrictMode>
    <PersonalPages data={data} renderRoom={(props) => <RoomPage {...props} />} />
  </StrictMode>,
);
