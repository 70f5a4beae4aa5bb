/** Fields that the list of dashboards is sorted by. */
export const dashboardSorts = ['displayName', 'createdAt', 'updatedAt'] as const
export type DashboardSort = (typeof dashboardSorts)[number]
