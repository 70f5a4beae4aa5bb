import { type AccessRequest, accessRequests } from '@quayside/contract/permissions/access-requests'
import { explaining } from '@quayside/contract/permissions/explain'
import { roleRequests } from '@quayside/contract/permissions/role-requests'
import type { RoleId } from '@quayside/contract/permissions/roles'
import type { Scope } from '@quayside/contract/permissions/scopes'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { isGone } from '../../lib/api/api-error.ts'
import { usePortal } from '../../lib/portal.tsx'
import { call, type InputOf } from '../client.ts'
import { spacesKey } from '../spaces.ts'
import { explainKey, requestLists, requestsKey } from './open-requests.ts'

/** Everything that a note about requests, or about rights, makes stale. */
const staleAfterAnswer = [requestsKey, explainKey, spacesKey]

function useRequestChange<Input, Reply>(run: (input: Input) => Promise<Reply>) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: run,
    onSettled: () => Promise.all(staleAfterAnswer.map((queryKey) => queries.invalidateQueries({ queryKey }))),
  })
}

/** Asks for a role in a space; without one, for a role of the tenant. */
export function useAsk(spaceId: string | undefined) {
  const { api } = usePortal()
  return useRequestChange((body: InputOf<typeof accessRequests.requestAccess>['body']) =>
    spaceId === undefined
      ? call(api, roleRequests.requestRole, { body })
      : call(api, accessRequests.requestAccess, { params: { id: spaceId }, body }),
  )
}

/** Answers a request for a role in a space, or, where it is for none, of the tenant. */
export function useAnswer({ id, space }: Pick<AccessRequest, 'id' | 'space'>) {
  const { api } = usePortal()
  return useRequestChange(({ role, ...body }: InputOf<typeof accessRequests.answerRequest>['body']) =>
    space === null
      ? call(api, roleRequests.answerRoleRequest, { params: { id }, body })
      : call(api, accessRequests.answerRequest, {
          params: { id },
          body: { ...body, ...(role === undefined ? {} : { role }) },
        }),
  )
}

export function useWithdraw() {
  const { api } = usePortal()
  return useRequestChange((id: string) => call(api, accessRequests.withdrawRequest, { params: { id } }))
}

/** A scope in the space of a thing, or a role of the tenant. */
export type Explained =
  | { scope: Scope; place: 'space' | 'app' | 'action'; id: string; user?: string }
  | { role: RoleId }

export function useExplanation(asked: Explained | undefined) {
  const { api } = usePortal()
  return useQuery({
    queryKey: [...explainKey, asked],
    queryFn: ({ signal }) => call(api, explaining.explain, { signal, query: { ...asked } }),
    enabled: ({ state }) => asked !== undefined && !isGone(state.error),
  })
}

const roleGrantsPerPage = 50

/** Roles of the tenant that were given on request. */
export function useRoleGrants(skip: number) {
  const { api } = usePortal()
  return useQuery({
    queryKey: [...requestLists.granted, skip],
    queryFn: ({ signal }) =>
      call(api, roleRequests.listRoleGrants, { signal, query: { page: { skip, limit: roleGrantsPerPage } } }),
  })
}

export function useEndRoleGrant() {
  const { api } = usePortal()
  return useRequestChange((id: string) => call(api, roleRequests.endRoleGrant, { params: { id } }))
}

const roleHistoryPerPage = 20

/** Lines of who asked for which role of the tenant, and who gave it. */
export function useRoleHistory() {
  const { api } = usePortal()
  return useQuery({
    queryKey: requestLists.history,
    queryFn: ({ signal }) =>
      call(api, roleRequests.roleHistory, { signal, query: { page: { skip: 0, limit: roleHistoryPerPage } } }),
  })
}
