/** Authenticated sender of a request. */
export interface Identity {
  user: string
  uid?: string
  groups: readonly string[]
  extra?: Readonly<Record<string, readonly string[]>>
}

export const ADMIN: Identity = { user: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] }

export const isAdmin = (identity: Identity): boolean => identity.groups.includes('system:masters')

export const serviceAccountUser = (namespace: string, name: string): string =>
  `system:serviceaccount:${namespace}:${name}`

export const serviceAccountGroups = (namespace: string): string[] => [
  'system:serviceaccounts',
  `system:serviceaccounts:${namespace}`,
  'system:authenticated',
]
