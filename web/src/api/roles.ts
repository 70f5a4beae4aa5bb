import { iam } from '@quayside/contract/iam'
import { useQuery } from '@tanstack/react-query'
import { usePortal } from '../lib/portal.tsx'
import { call } from './client.ts'

/** The roles of the realm. */
export function useRoles(options: { retry?: boolean } = {}) {
  const { api } = usePortal()
  return useQuery({
    ...options,
    queryKey: ['roles'],
    queryFn: async ({ signal }) => (await call(api, iam.listRoles, { signal })).data,
  })
}
