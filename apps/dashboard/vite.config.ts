import { brotliCompressSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

// npm run dev says where the API is. It trusts its own origin only, so calls through this server carry that one.
const api = process.env.BASE_URL ?? 'http://localhost:3000';
const proxied = { target: api, changeOrigin: true, headers: { origin: api } };

/**
 * The frame of a workspace, the components of nearly all pages with everything that they import, and the styles of all pages and
 * tabs but those that few people open.
 */
const usedByMost =
  /dashboard.src.((?!components.conditions|conflict-dialog|pages.(revenue.revenue-details|settings|keys.access|ai-tools|connect|activity.call-drawer|delivery.(attempt|timing)|source.recovery|webinar.(adaptive|schedule|actions.retire|automations.condition-results|interactions.(card|panel|poll)|registrations.registration-(deliveries|timeline)|sessions.session-controls|webhooks.event)).).*\.module\.css|shell.(?!change-password-form)|live.|(app|paged|trpc|workspace|zoned-time)\.|pages.webinar.(webinar-(page|summary)|paused-sources|use-webinar|actions.(publish|webinar-menu))|components.(page|section|table-card|load-more|empty-state|relative-time|session-time|copy|webinar-status|form-actions)\.)/;

/** Fields of forms, which lists do not need, and their styles. */
const isChoice =
  /choices\.css|@mantine.core.esm.components.(MultiSelect|TagsInput|Pill|PillsInput|Radio|List|Progress|Textarea|Combobox.use-pills)/;

/** Endpoints and their health, which every tab of a webinar shows, and charts of lists. */
const ofSources =
  /pages.(source.(source-(link|menu)|source\.|use-(endpoints|source-names|sources)|paused-list|health)|delivery.(delivery-(drawer|skeleton|status)|failure-text)|webinar.(people-text|automations.(rule-drawer|use-triggers)))|components.(time-histogram|stacked-bars|bar-picker)/;

/** Lists of deliveries with their filters and their chart. */
const ofDeliveries =
  /pages.(delivery.((delivery-(log|row|menu|marks|filters|histogram))|(attendee|code|endpoint)-filter|latency|listed|use-delivery|send-again)|source.(source-(api-call|calls)|test-dialog|use-source\.|use-waiting|waiting-text)|webinar.webhooks.subscription-dialogs)/;

/** The tab of rules and their executions, without its drawers and forms. */
const ofRules =
  /pages.webinar.automations.(automations-tab|rules-section\.t|rule-(item|menu|editor-drawer|sentence)|execution(s-view\.t|-list\.t)|registration-picker|use-(executions|automations))|conditions.(condition-text|use-names)|condition-fields/;

/** The tab of interactions without its forms. */
const ofInteractions =
  /pages.webinar.interactions.(interactions-(tab|section|table)|interaction-(row|menu|type|panel\.t|labels)|add-|axis.*tsx|delete-interaction-dialog|lanes|response-text|span-moves|use-(change|inter|span)|warnings)/;

/** Parts that keep the edits of two people, and unsaved ones. */
const ofEdits =
  /record-form.(conflict-dialog|current-of|edits)|trpc.src.version|components.(guarded-drawer|unsaved-guard)|useBlocker/;

/** The fields of conditions, which only forms have. */
const ofConditions =
  /dashboard.src.components.conditions.condition(-field|-value|-verb|s-input)|NumberInput|number-format/;

/** Fields that few lists need. */
const ofChecks = /Checkbox|InputsGroup|components.interaction-filter/;

/** Parts of settings. */
const ofSettings = /components.(shown-once|settings-group)/;

/** The overview of revenue, and the parts of its tabs and drawers that several of them have. */
const ofRevenue =
  /pages.revenue.(?!(revenue-texts|bar-table|credit-|event-f|events-tab|export-form|payment-|revenue-(details|empty)|search))/;

/** Rows of API calls, which Activity and AI tools show, and the button that ends a key or a grant. */
const ofCalls = /pages.(activity.(activity-row|call-status|endpoint)|keys.revoke-button)/;

/** The page of AI tools without its dialogs and the way to connect with a key. The router has its search parameters. */
const ofAiTools = /pages.ai-tools.(?!(search|clients|create-ai|ai-key|key-setup|first-call|revoke-))/;

/** The choice of scopes, for keys and for connectors. */
const ofScopes = /pages.keys.(access\.ts|scope-)/;

const smallParts =
  /dashboard.src.(components|[^/]*$)|creator-text|@tabler|@mantine.(core.esm.components|hooks)/;

/** Small parts of several pages. Not the checks of forms, which lists do not need. */
const isSmall = (id: string): boolean =>
  (ofSources.test(id) || smallParts.test(id)) &&
  !isChoice.test(id) &&
  !ofChecks.test(id) &&
  !ofEdits.test(id) &&
  !ofSettings.test(id) &&
  !/zod|-form|form-|draft|condition|NumberInput|-field|inputs|level-texts|amount-cells|money/i.test(id);

/** Starts loading the font with the page instead of after the styles. */
const preloadFont: Plugin = {
  name: 'preload-font',
  transformIndexHtml: {
    order: 'post',
    handler(_html, { bundle = {} }) {
      const font = Object.keys(bundle).find((name) => /inter-latin-wght.*\.woff2$/.test(name));
      if (font === undefined) return [];
      const attrs = { rel: 'preload', href: `/${font}`, as: 'font', type: 'font/woff2', crossorigin: '' };
      return [{ tag: 'link', attrs, injectTo: 'head' }];
    },
  },
};

/**
 * The search parameters of all routes are read by a small part of zod, which every page of a workspace loads. As a second copy it stays small:
 * in one copy it would have everything that any form uses, 12 kB more on every page.
 */
const smallZod: Plugin = {
  name: 'small-zod',
  apply: 'build',
  enforce: 'pre',
  async resolveId(source, importer) {
    const isInside = importer?.endsWith(smallMark) === true;
    if (source !== 'zod/mini' && !isInside) return null;
    const resolved = await this.resolve(source, importer?.replace(smallMark, ''), { skipSelf: true });
    return resolved && { ...resolved, id: resolved.id.replace(smallMark, '') + smallMark };
  },
};
const smallMark = '?small';

/** With the best quality, which takes too long for each request: a sixth fewer bytes than the server would send. */
const compressFiles: Plugin = {
  name: 'compress-files',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      for (const [fileName, file] of Object.entries(bundle)) {
        if (!/\.(js|css)$/.test(fileName)) continue;
        const source = brotliCompressSync(file.type === 'chunk' ? file.code : file.source);
        this.emitFile({ type: 'asset', fileName: `${fileName}.br`, source });
      }
    },
  },
};

export default defineConfig({
  plugins: [smallZod, react(), preloadFont, compressFiles],
  build: {
    target: 'es2022',
    sourcemap: false,
    assetsInlineLimit: 0,
    rolldownOptions: {
      // The package does not say that its modules have no side effects, and its links for WebSockets would stay.
      treeshake: { moduleSideEffects: [{ test: /@trpc.client/, sideEffects: false }] },
      output: {
        // Few files: without groups the code that pages share is in dozens of files of less than a kilobyte. Sign-in loads the first.
        codeSplitting: {
          groups: [
            { name: 'base', tags: ['$initial'], priority: 30 },
            { name: 'app', test: usedByMost, priority: 20 },
            { name: 'common', test: isSmall, minShareCount: 2, priority: 15 },
            { name: 'checks', test: ofChecks, minShareCount: 2, priority: 14 },
            { name: 'settings', test: ofSettings, minShareCount: 2, priority: 14 },
            { name: 'conditions', test: ofConditions, minShareCount: 2, priority: 13 },
            { name: 'choices', test: isChoice, minShareCount: 2, priority: 14 },
            { name: 'forms', test: /@mantine.form/, minShareCount: 2, priority: 14 },
            { name: 'edits', test: ofEdits, minShareCount: 2, priority: 16 },
            { name: 'records', test: /dashboard.src.record-form/, minShareCount: 2, priority: 13 },
            { name: 'rules', test: ofRules, priority: 15 },
            { name: 'interactions', test: ofInteractions, priority: 13 },
            { name: 'calls', test: ofCalls, minShareCount: 2, priority: 13 },
            { name: 'ai-tools', test: ofAiTools, priority: 13 },
            { name: 'scopes', test: ofScopes, minShareCount: 2, priority: 13 },
            { name: 'deliveries', test: ofDeliveries, minShareCount: 2, priority: 12 },
            {
              name: 'amounts',
              test: /level-texts|amount-cells|revenue-texts|dashboard.src.money/,
              minShareCount: 2,
              priority: 12,
            },
            { name: 'revenue', test: ofRevenue, priority: 11 },
            {
              name: 'shared',
              minShareCount: 2,
              priority: 10,
              entriesAware: true,
              entriesAwareMergeThreshold: 40_000,
            },
          ],
        },
      },
    },
  },
  server: { port: 5173, proxy: { '/trpc': proxied, '/api': proxied } },
});
