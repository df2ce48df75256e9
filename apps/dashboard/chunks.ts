// Groups the code of the dashboard into files. `test/look/find-heavy-pages.ts` measures the result.
//
// A list loads few files, and hardly any code that only forms, dialogs or drawers need. Which list needs which code follows from
// the imports: a list needs the code that its page imports, but not the code that it loads later with `import()`.
//
// | file | code | loaded by |
// |---|---|---|
// | base | the code of sign-in and sign-up, and all icons | all pages |
// | app | the frames, code of several lists, styles of all lists | all pages of a workspace |
// | components | components of Mantine that several lists, forms or dialogs use | all pages of a workspace |
// | deliveries | code that only lists of deliveries share | lists of deliveries |
// | checkboxes | Mantine's checkbox | registrations, and forms |
// | conditions | the sentences of conditions | rules, interactions, and forms |
// | activity-page and so on | code of one list | this list, and forms that share some of it |
// | shared | code that the same forms, dialogs and drawers use | these |
import { createFilter, normalizePath, type Plugin, type Rolldown } from 'vite';

/** Pages that show a list first. A page that is missing here works, but it may load many small files. */
const lists = [
  'activity/activity-page',
  'ai-tools/ai-tools-page',
  'home/home-page',
  'keys/keys-page',
  'members/members-page',
  'people/people-page',
  'revenue/revenue-page',
  'settings/revenue/revenue-settings-page',
  'source/source-page',
  'webhooks/webhooks-page',
  'webinar/automations/automations-tab',
  'webinar/interactions/interactions-tab',
  'webinar/registrations/registrations-tab',
  'webinar/sessions/sessions-tab',
  'webinar/webhooks/webhooks-tab',
  'webinars/webinars-page',
] as const;

type List = (typeof lists)[number];

/** The router, the frame of a workspace and the frame of a webinar. */
const frames = ['app', 'shell/shell', 'pages/webinar/webinar-page'];

/** The lists of deliveries. Their code is too large for every page. */
const deliveryLists: ReadonlySet<List> = new Set([
  'source/source-page',
  'webhooks/webhooks-page',
  'webinar/webhooks/webhooks-tab',
]);

const mantine = '**/@mantine/core/esm/components';
/** Components of packages, without the fields that hardly any list has. */
const isComponent = createFilter(
  ['**/@mantine/core/**', '**/@mantine/hooks/**'],
  [
    `${mantine}/{Checkbox,List,MultiSelect,NumberInput,Pill,PillsInput,Progress,Radio,TagsInput,Textarea}/**`,
    `${mantine}/Combobox/use-pills-reorder/**`,
  ],
);
const isCheckbox = createFilter(`${mantine}/Checkbox/**`);
/** Without the schemas, which need zod. */
const isConditionText = createFilter('**/packages/conditions/src/condition-{fields,sentence}.ts');

/** Reads which code each list imports, and groups the code by that. A group becomes a file. */
export function createChunks(): { plugin: Plugin; groups: Rolldown.CodeSplittingGroup[] } {
  const frame = new Set<string>();
  const listsOf = new Map<string, List[]>();

  const plugin: Plugin = {
    name: 'read-imports',
    apply: 'build',
    buildEnd(failure) {
      if (failure) return;
      const importsOf = (id: string) =>
        this.getModuleInfo(id)?.importedIds ?? this.error(`The dashboard does not load ${id}.`);
      for (const file of frames) for (const id of codeOf(file, importsOf)) frame.add(id);
      for (const list of lists)
        for (const id of codeOf(`pages/${list}`, importsOf))
          listsOf.set(id, [...(listsOf.get(id) ?? []), list]);
    },
  };

  const groupOf = (id: string): string | null => {
    const users = listsOf.get(id) ?? [];
    // A style sheet for each group would be a second file for each group.
    if (frame.has(id) || (users.length > 0 && id.endsWith('.css'))) return 'app';
    if (users.length < 2) return users[0]?.split('/').at(-1) ?? null;
    return users.every((user) => deliveryLists.has(user)) ? 'deliveries' : 'app';
  };

  /** A group takes what its code imports, unless a group with a higher priority has it. */
  const groups: Rolldown.CodeSplittingGroup[] = [
    // Sign-in loads nothing else.
    { name: 'base', tags: ['$initial'], priority: 7 },
    { name: 'app', test: (id) => groupOf(id) === 'app', priority: 6 },
    { name: 'components', test: isComponent, minShareCount: 2, priority: 5 },
    { name: 'checkboxes', test: isCheckbox, minShareCount: 2, priority: 4 },
    { name: 'conditions', test: isConditionText, minShareCount: 2, priority: 3 },
    { name: 'deliveries', test: (id) => groupOf(id) === 'deliveries', priority: 3 },
    // The code of one list has the name of the list.
    { name: groupOf, priority: 2 },
    { name: 'shared', minShareCount: 2, entriesAware: true, priority: 1 },
  ];
  return { plugin, groups };
}

const source = `${normalizePath(import.meta.dirname)}/src/`;

/** The files of the dashboard that this one imports, and itself. Files that it loads later, with `import()`, are not among them. */
function codeOf(file: string, importsOf: (id: string) => readonly string[]): Set<string> {
  const ids = new Set([`${source}${file}.tsx`]);
  // A set that grows is read to its new end.
  for (const id of ids)
    for (const imported of importsOf(id)) if (imported.startsWith(source)) ids.add(imported);
  return ids;
}
