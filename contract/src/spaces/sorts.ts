/** Fields that the list of spaces is sorted by. */
export const spaceSorts = ['displayName', 'name', 'createdAt'] as const
export type SpaceSort = (typeof spaceSorts)[number]
