/** Fields that the list of roles is sorted by. */
export const roleSorts = ['name', 'description', 'composite'] as const
export type RoleSort = (typeof roleSorts)[number]
