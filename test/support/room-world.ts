// Until the folders of other parts have landed: they still use the former names.
import { createWorld, type World } from './world.ts';

export type { RoomClock } from './world.ts';
export type RoomWorld = World;
export const createRoomWorld = createWorld;
