import type { PersonalPage } from '@service/attendees';
import { createContext, use } from 'react';
import type { RoomSession } from './room-session.ts';
import type { RoomState } from './room-state.ts';

export interface RoomView {
  page: PersonalPage;
  session: RoomSession;
  room: RoomState;
}

export const RoomContext = createContext<RoomView | undefined>(undefined);

/** The session of the page. Only below a room. */
export function useRoom(): RoomView {
  const view = use(RoomContext);
  if (!view) throw new Error('There is no room around this part of the page.');
  return view;
}
