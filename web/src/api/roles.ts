import { clientRoles } from '@quayside/contract/roles/client-roles'
import { defaultRoles, roles } from '@quayside/contract/roles/endpoints'
import { roleSorts } from '@quayside/contract/roles/sorts'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Api } from '../lib/api/api.ts'
import { usePortal } from '../lib/portal.tsx'
import { call, type InputOf } from './client.ts'
import { orderOf } from './lists/order.ts'

/** The roles of the realm. */
export function useRoles(options: { retry?: boolean; enabled?: boolean } = {}) {
  const { api } = usePortal()
  return useQuery({
    ...options,
    queryKey: ['roles'],
    queryFn: async ({ signal }) => (await call(api, roles.listRoles, { signal })).data,
  })
}

const rolesPerPage = 50

/** A page of the roles of the realm, searched and sorted by the server. */
export function useRolePage(search: string, sort: string | undefined, skip: number) {
  const { api } = usePortal()
  return useQuery({
    queryKey: ['roles', 'page', search, sort, skip],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call(api, roles.findRoles, {
        signal,
        query: { search, sort: orderOf(sort, roleSorts), page: { skip, limit: rolesPerPage } },
      }),
  })
}

const roleKey = (id: string) => ['roles', 'one', id] as const

export function useRole(id: string) {
  const { api } = usePortal()
  return useQuery({
    queryKey: roleKey(id),
    queryFn: ({ signal }) => call(api, roles.getRole, { params: { id }, signal }),
  })
}

/** A role of the realm by its name, or of a client by both ids. */
export type HeldBy = { name: string } | { cid: string; rid: string }

/** A page of the users to whom a role is assigned itself. */
export function useRoleUsers(role: HeldBy, search: string, skip: number) {
  const { api } = usePortal()
  return useQuery({
    queryKey: ['roles', 'users', role, search, skip],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => {
      const query = { search, page: { skip, limit: rolesPerPage } }
      if ('name' in role) return call(api, roles.findRoleUsers, { params: { name: role.name }, signal, query })
      const params = { id: role.cid, rid: role.rid }
      return call(api, clientRoles.findClientRoleUsers, { params, signal, query })
    },
  })
}

/** The roles of a client; of the realm without one. */
export function useRolesOf(cid: string | undefined) {
  const { api } = usePortal()
  return useQuery({
    queryKey: ['roles', 'of', cid],
    queryFn: async ({ signal }) => {
      if (cid === undefined) return (await call(api, roles.listRoles, { signal })).data
      return (await call(api, defaultRoles.listClientRoles, { params: { id: cid }, signal })).data
    },
  })
}

/** A change of roles; whatever is shown of roles is read again. */
function useRoleChange<T, R>(work: (api: Api, input: T) => Promise<R>) {
  const { api } = usePortal()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (input: T) => work(api, input),
    onSettled: async () => {
      await queries.invalidateQueries({ queryKey: ['roles'] })
      await queries.invalidateQueries({ queryKey: ['role-mappings'] })
    },
  })
}

export const useCreateRole = () =>
  useRoleChange((api, body: InputOf<typeof roles.createRole>['body']) => call(api, roles.createRole, { body }))

export const useUpdateRole = (id: string) =>
  useRoleChange((api, body: InputOf<typeof roles.updateRole>['body']) =>
    call(api, roles.updateRole, { params: { id }, body }),
  )

export const useDeleteRole = () => useRoleChange((api, id: string) => call(api, roles.deleteRole, { params: { id } }))

/** Puts roles into a role, or takes them out. */
export const useChangeParts = (id: string) =>
  useRoleChange((api, { way, ids }: { way: 'addParts' | 'removeParts'; ids: readonly string[] }) =>
    call(api, roles[way], { params: { id }, body: ids.map((one) => ({ id: one })) }),
  )

/** The roles of the realm that every user has. */
export function useDefaultRoles() {
  const { api, config } = usePortal()
  const { realm } = config.tenant
  return useQuery({
    queryKey: ['roles', 'defaults'],
    queryFn: async ({ signal }) => (await call(api, defaultRoles.listDefaultRoles, { params: { realm }, signal })).data,
  })
}

export function useChangeDefaultRoles() {
  const { realm } = usePortal().config.tenant
  return useRoleChange((api, { way, ids }: { way: 'addDefaultRoles' | 'removeDefaultRoles'; ids: readonly string[] }) =>
    call(api, defaultRoles[way], { params: { realm }, body: ids.map((one) => ({ id: one })) }),
  )
}

/** The roles of a client that every user has. */
export function useClientDefaultRoles(cid: string, enabled: boolean) {
  const { api, config } = usePortal()
  const params = { id: cid, realm: config.tenant.realm }
  return useQuery({
    enabled,
    queryKey: ['roles', 'defaults', cid],
    queryFn: async ({ signal }) => (await call(api, defaultRoles.listClientDefaultRoles, { params, signal })).data,
  })
}

export function useChangeClientDefaultRoles(cid: string) {
  const { realm } = usePortal().config.tenant
  return useRoleChange((api, { way, id }: { way: 'addClientDefaultRoles' | 'removeClientDefaultRoles'; id: string }) =>
    call(api, defaultRoles[way], { params: { id: cid, realm }, body: [{ id }] }),
  )
}

/** Makes a role of a client, or changes the one that is named. */
export const useSaveClientRole = (cid: string, rid: string | undefined) =>
  useRoleChange((api, body: { name: string; description: string }) =>
    rid === undefined
      ? call(api, defaultRoles.createClientRole, { params: { id: cid }, body })
      : call(api, clientRoles.updateClientRole, { params: { id: cid, rid }, body }),
  )

export const useDeleteClientRole = (cid: string) =>
  useRoleChange((api, rid: string) => call(api, clientRoles.deleteClientRole, { params: { id: cid, rid } }))
