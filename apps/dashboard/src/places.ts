import {
  IconActivity,
  IconBook2,
  IconBroadcast,
  IconHistory,
  IconHome,
  IconKey,
  IconMail,
  IconPlugConnected,
  IconReportMoney,
  IconServer2,
  IconSettings,
  IconSparkles,
  IconUsers,
  IconWebhook,
} from '@service/icons';

/** The pages of a workspace, in groups. The search lists them too. */
export const placeGroups = [
  {
    heading: undefined,
    places: [
      { to: '/w/$workspaceId/home', label: 'Home', icon: IconHome },
      { to: '/w/$workspaceId/webinars', label: 'Webinars', icon: IconBroadcast },
      { to: '/w/$workspaceId/people', label: 'People', icon: IconUsers },
      { to: '/w/$workspaceId/revenue', label: 'Revenue', icon: IconReportMoney },
    ],
  },
  {
    heading: 'Developers',
    places: [
      { to: '/w/$workspaceId/webhooks', label: 'Webhooks', icon: IconWebhook },
      { to: '/w/$workspaceId/settings/keys', label: 'API keys', icon: IconKey },
      { to: '/w/$workspaceId/ai-tools', label: 'AI tools', icon: IconSparkles },
      { to: '/w/$workspaceId/settings/activity', label: 'Activity', icon: IconActivity },
    ],
  },
  {
    heading: 'Settings',
    places: [
      { to: '/w/$workspaceId/settings/revenue', label: 'Revenue settings', icon: IconReportMoney },
      { to: '/w/$workspaceId/settings/email', label: 'E-mail', icon: IconMail },
      { to: '/w/$workspaceId/settings/marketing-tools', label: 'Marketing tools', icon: IconPlugConnected },
      { to: '/w/$workspaceId/settings/workspace', label: 'Workspace settings', icon: IconSettings },
      { to: '/w/$workspaceId/settings/members', label: 'Members', icon: IconUsers },
      { to: '/w/$workspaceId/settings/audit-log', label: 'Audit log', icon: IconHistory },
      { to: '/w/$workspaceId/settings/installation', label: 'Installation', icon: IconServer2 },
    ],
  },
] as const;

/** The guides, with links to the reference. They are no route of the dashboard. */
export const docs = { href: '/api/v1/docs/guides', label: 'Docs', icon: IconBook2 };
