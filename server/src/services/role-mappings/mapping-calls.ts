import type KeycloakAdminClient from '@keycloak/keycloak-admin-client'
import type RoleRepresentation from '@keycloak/keycloak-admin-client/lib/defs/roleRepresentation.js'

export type HolderKind = 'user' | 'group'

interface Asked {
  realm: string
  /** Id of the holder. */
  id: string
  /** Id of the client whose roles are meant; left out: roles of the realm. */
  cid?: string | undefined
}
type Read = (kc: KeycloakAdminClient, asked: Asked) => Promise<RoleRepresentation[]>
type Write = (kc: KeycloakAdminClient, asked: Asked, roles: { id: string; name: string }[]) => Promise<unknown>

export interface MappingCalls {
  assigned: Read
  available: Read
  effective: Read
  assign: Write
  unassign: Write
}

const ofClient = ({ realm, id }: Asked, clientUniqueId: string) => ({ realm, id, clientUniqueId })

/** The calls of the Admin API by the kind of the holder; each chooses between roles of the realm and of a client. */
export const mappingCalls: Readonly<Record<HolderKind, MappingCalls>> = {
  user: {
    assigned: ({ users }, { cid, ...at }) =>
      cid === undefined ? users.listRealmRoleMappings(at) : users.listClientRoleMappings(ofClient(at, cid)),
    available: ({ users }, { cid, ...at }) =>
      cid === undefined
        ? users.listAvailableRealmRoleMappings(at)
        : users.listAvailableClientRoleMappings(ofClient(at, cid)),
    effective: ({ users }, { cid, ...at }) =>
      cid === undefined
        ? users.listCompositeRealmRoleMappings(at)
        : users.listCompositeClientRoleMappings(ofClient(at, cid)),
    assign: ({ users }, { cid, ...at }, roles) =>
      cid === undefined
        ? users.addRealmRoleMappings({ ...at, roles })
        : users.addClientRoleMappings({ ...ofClient(at, cid), roles }),
    unassign: ({ users }, { cid, ...at }, roles) =>
      cid === undefined
        ? users.delRealmRoleMappings({ ...at, roles })
        : users.delClientRoleMappings({ ...ofClient(at, cid), roles }),
  },
  group: {
    assigned: ({ groups }, { cid, ...at }) =>
      cid === undefined ? groups.listRealmRoleMappings(at) : groups.listClientRoleMappings(ofClient(at, cid)),
    available: ({ groups }, { cid, ...at }) =>
      cid === undefined
        ? groups.listAvailableRealmRoleMappings(at)
        : groups.listAvailableClientRoleMappings(ofClient(at, cid)),
    effective: ({ groups }, { cid, ...at }) =>
      cid === undefined
        ? groups.listCompositeRealmRoleMappings(at)
        : groups.listCompositeClientRoleMappings(ofClient(at, cid)),
    assign: ({ groups }, { cid, ...at }, roles) =>
      cid === undefined
        ? groups.addRealmRoleMappings({ ...at, roles })
        : groups.addClientRoleMappings({ ...ofClient(at, cid), roles }),
    unassign: ({ groups }, { cid, ...at }, roles) =>
      cid === undefined
        ? groups.delRealmRoleMappings({ ...at, roles })
        : groups.delClientRoleMappings({ ...ofClient(at, cid), roles }),
  },
}
