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
  /dashboard.src.((?!pages.(revenue.revenue-details|settings|keys.access|ai-tools|connect|delivery.(attempt|timing)|webinar.(adaptive|interactions|schedule)).).*\.module\.css|shell.(?!change-password-form)|live.|(app|paged|trpc|workspace|zoned-time)\.|components.(page|section|table-card|load-more|empty-state|relative-time|session-time|copy|webinar-status|form-actions)\.)/;

/** Fields of forms, which lists do not need, and their styles. */
const isChoice =
  /choices\.css|@mantine.core.esm.components.(MultiSelect|TagsInput|Pill|PillsInput|Radio|Switch|List|Textarea|Combobox.use-pills)/;

/** Endpoints and their health, which every tab of a webinar shows. */
const ofSources =
  /pages.(source.(source-calls|source-link|source\.|paused|use-(endpoints|source|waiting)|health|waiting-text)|delivery.(delivery-(drawer|skeleton|status)|failure-text)|webinar.(actions|use-webinar|people-text))/;

/** Lists of deliveries, and the reasons why a rule matched. */
const ofDeliveries = /dashboard.src.(pages.(delivery|source|webinar.automations)|components.conditions)/;

/** The overview of revenue, and the parts of its tabs and drawers that several of them have. */
const ofRevenue =
  /level-texts|amount-cells|pages.revenue.(?!(bar-table|credit-|event-f|events-tab|export-form|payment-|revenue-(details|empty)|search))/;

const smallParts =
  /dashboard.src.(components|[^/]*$)|creator-text|@tabler|@mantine.(core.esm.components|hooks)/;

/** The chart and the filters of histories such as deliveries, which most lists do not need. */
const ofHistories = /dashboard.src.components.(time-histogram|stacked-bars|bar-picker|filter-bar)/;

/** Small parts of several pages. Not the checks of forms, which lists do not need. */
const isSmall = (id: string): boolean =>
  (ofSources.test(id) || smallParts.test(id)) &&
  !isChoice.test(id) &&
  !ofHistories.test(id) &&
  !/zod|form|draft|condition|NumberInput|-field|inputs|level-texts|amount-cells/i.test(id);

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
      output: {
        // Few files: without groups the code that pages share is in dozens of files of less than a kilobyte. Sign-in loads the first.
        codeSplitting: {
          groups: [
            { name: 'base', tags: ['$initial'], priority: 30 },
            { name: 'app', test: usedByMost, priority: 20 },
            { name: 'common', test: isSmall, minShareCount: 2, priority: 15 },
            { name: 'histories', test: ofHistories, minShareCount: 2, priority: 14 },
            { name: 'choices', test: isChoice, minShareCount: 2, priority: 14 },
            { name: 'forms', test: /@mantine.form/, minShareCount: 2, priority: 14 },
            {
              name: 'records',
              test: /dashboard.src.record-form|trpc.src.version/,
              minShareCount: 2,
              priority: 13,
            },
            { name: 'deliveries', test: ofDeliveries, minShareCount: 3, priority: 12 },
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
