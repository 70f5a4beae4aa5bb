import { roles } from '@quayside/contract/roles/endpoints'
import { useQuery } from '@tanstack/react-query'
import { usePortal } from '../lib/portal.tsx'
import { call } from './client.ts'

/** The roles of the realm. */
export function useRoles(options: { retry?: boolean } = {}) {
  const { api } = usePortal()
  return useQuery({
    ...options,
    queryKey: ['roles'],
    queryFn: async ({ signal }) => (await call(api, roles.listRoles, { signal })).data,
  })
}
