/** Fields that the list of clusters is sorted by. */
export const clusterSorts = ['displayName', 'name', 'createdAt', 'health'] as const
export type ClusterSort = (typeof clusterSorts)[number]
