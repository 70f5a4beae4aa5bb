/** Fields that the list of dashboards is sorted by. */
export const dashboardSorts = ['displayName', 'createdAt', 'updatedAt'] as const
export type DashboardSort = (typeof dashboardSorts)[number]

/** Fields that the list of configurations is sorted by. */
export const configurationSorts = ['name', 'updatedAt'] as const
export type ConfigurationSort = (typeof configurationSorts)[number]
