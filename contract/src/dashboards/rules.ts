/** Columns of the grid on which panels lie. */
export const gridColumns = 24
export const mostPanels = 200
/** A configured panel or a registered kind of widget, and settings that panels refer to: how many a tenant has at most. */
export const mostWidgets = 500
export const mostConfigurations = 500
/** Entries of one permission list. */
export const mostDashboardPermissions = 200
/** How many dashboards one person owns at most. */
export const mostOwned = 500
/** A deleted dashboard can be restored for this long. */
export const daysInTrash = 30
export const longestMarkdown = 20_000

/** Tags that make a dashboard the Home of people who have chosen none themselves. */
export const defaultHomeTag = 'default-home'
export const recommendedHomeTag = 'recommended-home'
export const homeTags: readonly string[] = [defaultHomeTag, recommendedHomeTag]

export const dashboardScopes = ['dashboard.view', 'dashboard.edit', 'dashboard.share', 'dashboard.manage'] as const
export type DashboardScope = (typeof dashboardScopes)[number]

/** Scopes with the words that screens use for them. */
export const dashboardScopeTexts: Readonly<Record<DashboardScope, string>> = {
  'dashboard.view': 'See the dashboard',
  'dashboard.edit': 'Change its panels, name and tags',
  'dashboard.share': 'Let others see and change it',
  'dashboard.manage': 'Delete and restore it, and decide who else manages it',
}

/** Kinds of panels, each with what the library says of it. */
export const panelKinds = {
  AppStates: { title: 'Apps by state', category: 'Apps', description: 'Counts of apps by their state', w: 8, h: 6 },
  Deployments: {
    title: 'Deployments',
    category: 'Apps',
    description: 'Actions of the ledger over time, by outcome',
    w: 16,
    h: 8,
  },
  Events: { title: 'Events', category: 'Clusters', description: 'What the clusters of a space report', w: 12, h: 9 },
  ClusterMap: {
    title: 'Clusters',
    category: 'Clusters',
    description: 'Health, nodes and requests of clusters',
    w: 12,
    h: 7,
  },
  SpaceQuota: { title: 'Quota of a space', category: 'Clusters', description: 'Usage against the quota', w: 8, h: 7 },
  Usage: {
    title: 'Usage over time',
    category: 'Clusters',
    description: 'CPU or memory of a space against its requests and limits',
    w: 12,
    h: 8,
  },
  Links: { title: 'Links', category: 'Texts', description: 'Addresses that people need at hand', w: 8, h: 6 },
  Markdown: { title: 'Text', category: 'Texts', description: 'Notes in Markdown', w: 8, h: 5 },
} as const
export type PanelKind = keyof typeof panelKinds
export const panelKindNames = Object.keys(panelKinds) as PanelKind[]
