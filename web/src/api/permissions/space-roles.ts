import { permissions } from '@quayside/contract/permissions/endpoints'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { usePortal } from '../../lib/portal.tsx'
import { call, type InputOf } from '../client.ts'
import { spacesKey } from '../spaces.ts'
import { explainKey } from './open-requests.ts'

const key = ['space-roles'] as const

/** The roles that can be given in spaces, built-in ones first. */
export function useSpaceRoles() {
  const { api } = usePortal()
  return useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => (await call(api, permissions.listSpaceRoles, { signal })).data,
  })
}

function useRoleChange<Input, Reply>(run: (input: Input) => Promise<Reply>) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: run,
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: key }),
        queries.invalidateQueries({ queryKey: spacesKey }),
        queries.invalidateQueries({ queryKey: explainKey }),
      ]),
  })
}

/** Defines a role, or changes the one given. */
export function useSaveSpaceRole(id: string | undefined) {
  const { api } = usePortal()
  return useRoleChange((body: InputOf<typeof permissions.createSpaceRole>['body']) =>
    id === undefined
      ? call(api, permissions.createSpaceRole, { body })
      : call(api, permissions.updateSpaceRole, { params: { id }, body }),
  )
}

export function useDeleteSpaceRole() {
  const { api } = usePortal()
  return useRoleChange((id: string) => call(api, permissions.deleteSpaceRole, { params: { id } }))
}
