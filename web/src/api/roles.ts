import { iam } from '@quayside/contract/iam'
import { useQuery } from '@tanstack/react-query'
import { usePortal } from '../lib/portal.tsx'
import { call } from './client.ts'

/** The roles of the realm. */
export function useRoles() {
  const { api } = usePortal()
  return useQuery({
    queryKey: ['roles'],
    queryFn: async ({ signal }) => (await call(api, iam.listRoles, { signal })).data,
  })
}
