// Shared by the tests of the tab of interactions: a webinar of an hour, and its tab in the browser.
import type { TestBrowser } from '../support/browser.ts';
import { signIn } from '../support/sign-in.ts';
import { createWorld, type World } from '../support/world.ts';

interface Stored {
  id: string;
  type: string;
  internalName: string;
  showAtSeconds: number;
  hideAtSeconds: number | null;
}

export const createInteractionWorld = () => createWorld({ webinar: { durationSeconds: 3600 } });

/** A webinar of its own, and its tab in the browser. */
export async function openInteractions(world: World, browser: TestBrowser) {
  const own = await createWorld({ beside: world, workspace: world, webinar: { durationSeconds: 3600 } });
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  const path = `/w/${world.accountId}/webinars/${own.webinar.id}/interactions`;
  await signIn(page, world.service, world, path);
  const open = () => page.goto(world.service.baseUrl + path);
  const stored = async (): Promise<Stored[]> => (await own.call('GET /interactions?limit=100')).json.data;
  return { own, page, open, stored };
}

export const cta = { type: 'cta', url: 'https://shop.example/', buttonLabel: 'Buy' };
