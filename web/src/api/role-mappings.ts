import {
  groupClientRoles,
  groupRealmRoles,
  heldRolesOf,
  userClientRoles,
  userRealmRoles,
} from '@quayside/contract/role-mappings/endpoints'
import type { Role } from '@quayside/contract/roles/endpoints'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { usePortal } from '../lib/portal.tsx'
import { call } from './client.ts'

export type RoleHolder = 'users' | 'groups'

const callsOf = {
  users: { held: heldRolesOf.rolesOfUser, realm: userRealmRoles, client: userClientRoles },
  groups: { held: heldRolesOf.rolesOfGroup, realm: groupRealmRoles, client: groupClientRoles },
} as const

const keyOf = (kind: RoleHolder, id: string) => ['role-mappings', kind, id] as const

/** Every role that a user or the members of a group have, with the ways to it. */
export function useHeldRoles(kind: RoleHolder, id: string) {
  const { api } = usePortal()
  return useQuery({
    queryKey: keyOf(kind, id),
    queryFn: async ({ signal }) => (await call(api, callsOf[kind].held, { params: { id }, signal })).data,
  })
}

/** The roles of the realm, or of a client, that can still be assigned. */
export function useAvailableRoles(kind: RoleHolder, id: string, cid: string | undefined) {
  const { api } = usePortal()
  const { realm, client } = callsOf[kind]
  return useQuery({
    queryKey: [...keyOf(kind, id), 'available', cid],
    queryFn: async ({ signal }) => {
      if (cid === undefined) return (await call(api, realm.available, { params: { id }, signal })).data
      return (await call(api, client.available, { params: { id, cid }, signal })).data
    },
  })
}

interface Change {
  way: 'assign' | 'unassign'
  /** Id of the client whose roles they are; left out: roles of the realm. */
  cid: string | undefined
  roles: readonly Pick<Role, 'id'>[]
}

export function useChangeRoles(kind: RoleHolder, id: string) {
  const { api } = usePortal()
  const queries = useQueryClient()
  const { realm, client } = callsOf[kind]
  return useMutation({
    mutationFn: async ({ way, cid, roles }: Change): Promise<void> => {
      const body = roles.map((role) => ({ id: role.id }))
      if (cid === undefined) await call(api, realm[way], { params: { id }, body })
      else await call(api, client[way], { params: { id, cid }, body })
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['role-mappings'] }),
  })
}
