import type { SpaceRole, SpaceRoleInput } from '@quayside/contract/permissions'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { usePortal } from '../../lib/portal.tsx'

const path = '/portal-api/v3/space-roles'
const key = ['space-roles'] as const

/** The roles that can be given in spaces, built-in ones first. */
export function useSpaceRoles() {
  const { api } = usePortal()
  return useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => (await api.get<{ data: SpaceRole[] }>(path, { signal })).data,
  })
}

function useRoleChange<Input, Reply>(run: (input: Input) => Promise<Reply>) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: run,
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: key }),
        queries.invalidateQueries({ queryKey: ['spaces'] }),
        queries.invalidateQueries({ queryKey: ['explain'] }),
      ]),
  })
}

/** Defines a role, or changes the one given. */
export function useSaveSpaceRole(id: string | undefined) {
  const { api } = usePortal()
  return useRoleChange((input: SpaceRoleInput) =>
    id === undefined
      ? api.post<SpaceRole>(path, input)
      : api.put<SpaceRole>(`${path}/${encodeURIComponent(id)}`, input),
  )
}

export function useDeleteSpaceRole() {
  const { api } = usePortal()
  return useRoleChange((id: string) => api.delete<void>(`${path}/${encodeURIComponent(id)}`))
}
