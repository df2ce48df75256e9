// Every page of the dashboard and of attendees, for `npm run look` and for the tests of accessibility and load. A new page is one line here.
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { attendeePages } from './attendee-pages.ts';
import type { LookWorld } from './world.ts';

export interface LookPage {
  name: string;
  /** The path as the routes write it. */
  route: string;
  /** After the path: an open tab, drawer or dialog. */
  search?: string;
  /** Shown without a sign-in session. */
  signedOut?: true;
  /** The search opens a drawer or dialog. */
  dialog?: true;
  /** Also pictured on a laptop of 1280 px, where wide tables and rows of cards have the least space. */
  laptop?: true;
  /** Also pictured on a tablet of 768 px. */
  tablet?: true;
  /** Its parts are on other pages, so only `npm run look` opens it. */
  pictureOnly?: true;
  /** Opens a part of the page that no address opens. */
  open?: (page: Page, world: LookWorld) => Promise<void>;
}

const workspace = '/w/$workspaceId';
const webinar = `${workspace}/webinars/$webinarId`;
const room = { signedOut: true, tablet: true } as const;

export const pages: readonly LookPage[] = [
  { name: 'sign-in', route: '/sign-in', signedOut: true },
  { name: 'sign-up', route: '/sign-up', signedOut: true },
  { name: 'second-factor', route: '/sign-in', signedOut: true, tablet: true, open: openSecondFactor },
  { name: 'forgot-password', route: '/forgot-password', signedOut: true },
  { name: 'reset-password', route: '/reset-password', signedOut: true },
  { name: 'verify-email', route: '/verify-email' },
  { name: 'confirm-sign-up', route: '/confirm-sign-up', signedOut: true },
  { name: 'invitation', route: '/invitations/$invitationId', tablet: true },
  { name: 'invitation-signed-out', route: '/invitations/$invitationId', signedOut: true, pictureOnly: true },
  { name: 'connect', route: '/connect', search: '?request=$request', laptop: true },
  { name: 'connect-invalid', route: '/connect', laptop: true },
  { name: 'home', route: `${workspace}/home`, tablet: true },
  { name: 'webinars', route: `${workspace}/webinars` },
  { name: 'webinars-create', route: `${workspace}/webinars`, search: '?create=true', dialog: true },
  { name: 'webinars-archived', route: `${workspace}/webinars`, search: '?status=archived', tablet: true },
  { name: 'webinar-archived', route: `${workspace}/webinars/$archivedId/archived`, tablet: true },
  { name: 'webinar-details', route: `${webinar}/details` },
  { name: 'webinar-schedule', route: `${webinar}/schedule` },
  { name: 'webinar-page', route: `${webinar}/page` },
  { name: 'webinar-interactions', route: `${webinar}/interactions` },
  { name: 'webinar-interactions-new', route: `${webinar}/interactions`, search: '?new=poll', dialog: true },
  {
    name: 'webinar-interaction',
    route: `${webinar}/interactions`,
    search: '?interaction=$interactionId',
    dialog: true,
    laptop: true,
    pictureOnly: true,
  },
  { name: 'webinar-adaptive', route: `${webinar}/adaptive` },
  { name: 'webinar-sessions', route: `${webinar}/sessions` },
  { name: 'webinar-session', route: `${webinar}/sessions`, search: '?session=$sessionId', dialog: true },
  {
    name: 'webinar-session-chat',
    route: `${workspace}/webinars/$roomWebinarId/sessions`,
    search: '?session=$liveSessionId',
    dialog: true,
    tablet: true,
    pictureOnly: true,
  },
  {
    name: 'webinar-cancel-session',
    route: `${webinar}/sessions`,
    search: '?session=$sessionId',
    dialog: true,
    tablet: true,
    pictureOnly: true,
    open: openCancelSession,
  },
  { name: 'webinar-registrations', route: `${webinar}/registrations` },
  {
    name: 'webinar-import',
    route: `${webinar}/registrations`,
    search: '?import=true',
    dialog: true,
    tablet: true,
    open: chooseFile,
  },
  { name: 'webinar-register', route: `${webinar}/registrations`, search: '?create=true', dialog: true },
  {
    name: 'webinar-registration',
    route: `${webinar}/registrations`,
    search: '?registration=$registrationId',
    dialog: true,
    tablet: true,
  },
  {
    name: 'webinar-erase-person',
    route: `${webinar}/registrations`,
    search: '?registration=$registrationId',
    dialog: true,
    pictureOnly: true,
    open: openErasure,
  },
  { name: 'webinar-results', route: `${webinar}/results`, tablet: true },
  {
    name: 'webinar-results-compare',
    route: `${webinar}/results`,
    search: '?compare=%5B%22$sessionId%22%5D',
    tablet: true,
    pictureOnly: true,
    open: scrollToComparison,
  },
  { name: 'webinar-mails', route: `${webinar}/mails`, tablet: true },
  {
    name: 'webinar-mail',
    route: `${webinar}/mails`,
    search: '?mail=confirmation',
    dialog: true,
    laptop: true,
    tablet: true,
  },
  { name: 'webinar-reminder', route: `${webinar}/mails`, search: '?mail=reminder-60', dialog: true },
  { name: 'webinar-mail-sender', route: `${webinar}/mails`, search: '?mail=sender', dialog: true },
  { name: 'webinar-reminder-add', route: `${webinar}/mails`, search: '?add=true', dialog: true },
  { name: 'webinar-automations', route: `${webinar}/automations`, laptop: true },
  {
    name: 'webinar-automations-create',
    route: `${webinar}/automations`,
    search: '?create=true',
    dialog: true,
  },
  { name: 'webinar-rule', route: `${webinar}/automations`, search: '?rule=$sourceId', dialog: true },
  {
    name: 'webinar-rule-change',
    route: `${webinar}/automations`,
    search: '?rule=$sourceId&edit=true',
    dialog: true,
    laptop: true,
    tablet: true,
  },
  { name: 'webinar-executions', route: `${webinar}/automations`, search: '?view=executions' },
  {
    name: 'webinar-execution',
    route: `${webinar}/automations`,
    search: '?view=executions&execution=$executionId',
    laptop: true,
    pictureOnly: true,
  },
  { name: 'webinar-webhooks', route: `${webinar}/webhooks` },
  { name: 'webinar-webhooks-create', route: `${webinar}/webhooks`, search: '?dialog=create', dialog: true },
  { name: 'source', route: `${webinar}/$kind/$sourceId` },
  { name: 'source-test', route: `${webinar}/$kind/$sourceId`, search: '?dialog=test', dialog: true },
  { name: 'source-recover', route: `${webinar}/$kind/$sourceId`, search: '?dialog=recover', dialog: true },
  { name: 'webhooks', route: `${workspace}/webhooks` },
  { name: 'webhooks-deliveries', route: `${workspace}/webhooks`, search: '?tab=deliveries', laptop: true },
  {
    name: 'delivery',
    route: `${workspace}/webhooks`,
    search: '?tab=deliveries&delivery=$deliveryId',
    dialog: true,
  },
  { name: 'people', route: `${workspace}/people`, tablet: true },
  { name: 'person', route: `${workspace}/people/$registrationId`, tablet: true },
  { name: 'revenue', route: `${workspace}/revenue`, laptop: true },
  { name: 'revenue-table', route: `${workspace}/revenue`, search: '?chart=table&by=offer', laptop: true },
  { name: 'revenue-events', route: `${workspace}/revenue`, search: '?tab=events', laptop: true },
  { name: 'revenue-unattributed', route: `${workspace}/revenue`, search: '?tab=unattributed', laptop: true },
  {
    name: 'revenue-event',
    route: `${workspace}/revenue`,
    search: '?tab=events&event=$revenueEventId',
    dialog: true,
    laptop: true,
  },
  { name: 'revenue-export', route: `${workspace}/revenue`, laptop: true, open: openExport },
  { name: 'revenue-settings', route: `${workspace}/settings/revenue`, laptop: true },
  { name: 'revenue-set-up', route: `${workspace}/settings/revenue`, laptop: true, open: openSetUp },
  { name: 'revenue-window', route: `${workspace}/settings/revenue`, laptop: true, open: chooseWindow },
  { name: 'email', route: `${workspace}/settings/email`, laptop: true, tablet: true },
  {
    name: 'email-domain',
    route: `${workspace}/settings/email`,
    search: '?domain=$mailConnectionId',
    dialog: true,
    tablet: true,
    pictureOnly: true,
  },
  {
    name: 'email-connect',
    route: `${workspace}/settings/email`,
    search: '?connect=true',
    dialog: true,
    laptop: true,
    tablet: true,
  },
  { name: 'marketing-tools', route: `${workspace}/settings/marketing-tools`, laptop: true },
  {
    name: 'marketing-tools-connect',
    route: `${workspace}/settings/marketing-tools`,
    search: '?connect=true',
    dialog: true,
    laptop: true,
  },
  {
    name: 'marketing-tool',
    route: `${workspace}/settings/marketing-tools/$connectionId`,
    laptop: true,
    tablet: true,
    open: openPreview,
  },
  {
    name: 'marketing-tool-sent',
    route: `${workspace}/settings/marketing-tools/$connectionId`,
    search: '?tab=sent',
    laptop: true,
    open: openSend,
  },
  { name: 'keys', route: `${workspace}/settings/keys`, laptop: true },
  { name: 'keys-create', route: `${workspace}/settings/keys`, search: '?create=true', dialog: true },
  { name: 'ai-tools', route: `${workspace}/ai-tools`, laptop: true },
  {
    name: 'ai-tools-create',
    route: `${workspace}/ai-tools`,
    search: '?client=cursor&way=key&create=true',
    dialog: true,
    laptop: true,
  },
  { name: 'activity', route: `${workspace}/settings/activity` },
  { name: 'activity-call', route: `${workspace}/settings/activity`, search: '?call=$callId', dialog: true },
  { name: 'workspace-settings', route: `${workspace}/settings/workspace`, tablet: true },
  { name: 'members', route: `${workspace}/settings/members`, tablet: true },
  { name: 'account', route: `${workspace}/settings/account`, tablet: true },
  {
    name: 'account-two-factor',
    route: `${workspace}/settings/account`,
    tablet: true,
    pictureOnly: true,
    open: openTwoFactor,
  },
  { name: 'audit-log', route: `${workspace}/settings/audit-log`, tablet: true },
  { name: 'installation', route: `${workspace}/settings/installation` },
  { name: 'not-found', route: '/nothing-here' },
  ...attendeePages,
  { ...room, name: 'lobby', route: '/room/$lobbyJoin' },
  { ...room, name: 'room', route: '/room/$roomJoin', laptop: true, open: untilPlaying },
  { ...room, name: 'room-offers', route: '/room/$roomJoin', pictureOnly: true, open: openOffers },
  { ...room, name: 'room-choice', route: '/room/$choiceJoin', pictureOnly: true, open: untilPlaying },
  { ...room, name: 'replay', route: '/room/$replayJoin', pictureOnly: true, open: untilPlaying },
];

/** Pauses the video, so that each picture shows the same moment. The policy of the page forbids `waitForFunction` with a text. */
async function untilPlaying(page: Page): Promise<void> {
  await page.locator('video[slot=media]').waitFor({ state: 'attached' });
  await eventually('the video to play', () => page.evaluate<boolean>(pauseOnceShown));
}

async function openOffers(page: Page): Promise<void> {
  await untilPlaying(page);
  await page.getByRole('tab', { name: 'For you' }).click();
}

const pauseOnceShown = `(() => { const video = document.querySelector('video[slot=media]');
  if (video.readyState < 2 || video.currentTime < 0.5) return false;
  video.pause();
  return true; })()`;

/** The answer of a sign-in of a person with a second factor. */
async function openSecondFactor(page: Page): Promise<void> {
  await page.route('**/api/auth/sign-in/email', (route) =>
    route.fulfill({ json: { twoFactorRedirect: true } }),
  );
  await page.getByLabel('E-mail').fill('ada@example.com');
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByLabel('Code of your authenticator app').waitFor();
}

async function openTwoFactor(page: Page, { account }: LookWorld): Promise<void> {
  await page.getByRole('button', { name: 'Switch on', exact: true }).click();
  await page.getByLabel('Your password').fill(account.password);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('Code of the app').waitFor();
}

/** A row that can be imported, one with problems, and one with long cells. */
async function chooseFile(page: Page): Promise<void> {
  const text = `Name,Mail,Company\nAda,ada@example.com,Acme\n,wrong,\n${'x'.repeat(90)},${'y'.repeat(60)}@example.com,Acme`;
  const file = { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(text) };
  await page.locator('input[type=file]').setInputFiles(file);
  await page.getByRole('region', { name: 'First rows' }).waitFor();
}

/** Only a webinar with several sessions has it. */
async function scrollToComparison(page: Page): Promise<void> {
  await page.getByRole('list', { name: 'Steps' }).or(page.getByText('No results yet')).waitFor();
  const comparison = page.getByRole('heading', { name: 'Compare sessions' });
  if ((await comparison.count()) > 0) await comparison.scrollIntoViewIfNeeded();
}

/** A workspace without events has nothing to export. */
async function openExport(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Export CSV' });
  if ((await button.count()) === 0) return;
  await button.click();
  await page.getByRole('link', { name: 'Download CSV' }).waitFor();
}

/** The set-up of a source that is connected is closed at first. */
async function openSetUp(page: Page): Promise<void> {
  const closed = page.locator('details:not([open]) > summary', { hasText: 'Set up Generic' });
  if ((await closed.count()) > 0) await closed.click();
}

/** The requests of the latest registrant. A workspace without registrants has none. */
async function openPreview(page: Page): Promise<void> {
  const [person] = await page.getByRole('list', { name: 'Preview' }).locator('summary').all();
  await person?.click();
}

/** Without registrations there is no drawer. */
async function openCancelSession(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Cancel session…' });
  if ((await button.count()) === 0) return;
  await button.click();
  await page.getByRole('button', { name: 'Keep session' }).waitFor();
}

/** Without registrations there is no drawer. */
async function openErasure(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Erase this person…' });
  if ((await button.count()) === 0) return;
  await button.click();
  await page.getByRole('button', { name: 'Erase this person', exact: true }).waitFor();
}

async function openSend(page: Page): Promise<void> {
  const [send] = await page.getByRole('list', { name: 'Sent' }).locator('summary').all();
  await send?.click();
}

async function chooseWindow(page: Page): Promise<void> {
  await page.getByRole('combobox', { name: 'Window of the workspace' }).click();
  await page.getByRole('option', { name: '7 days' }).click();
  await page.getByRole('region', { name: 'Preview' }).waitFor();
}

/** True if the world has the record that the drawer of the page shows. */
export const hasDialog = ({ search = '', dialog }: LookPage, { ids }: LookWorld): boolean =>
  dialog === true && [...search.matchAll(/\$(\w+)/g)].every(([, name = '']) => name in ids);

/** The address of a page in a world. */
export const urlOf = ({ route, search = '' }: LookPage, { baseUrl, ids }: LookWorld): string =>
  baseUrl + (route + search).replaceAll(/\$(\w+)/g, (_text, name: string) => ids[name] ?? '0');
