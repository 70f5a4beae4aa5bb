import { createGroupTree } from '../../adapters/keycloak/group-tree.ts'
import type { Keycloak } from '../../adapters/keycloak/keycloak.ts'
import type { Manifest } from '../../platform/capability.ts'
import type { Permissions } from '../permissions/index.ts'
import {
  createDefaultGroups,
  createGroupAdministration,
  type DefaultGroups,
  type GroupAdministration,
} from './administration.ts'
import { createGroups, type Groups } from './index.ts'
import { routes } from './routes.ts'

interface Parts {
  keycloak: Keycloak
  permissions: Permissions
  groups: { groups: Groups; administration: GroupAdministration; defaults: DefaultGroups }
}

export const groups = {
  name: 'groups',
  create({ keycloak, permissions: { people } }) {
    const tree = createGroupTree(keycloak)
    return {
      groups: createGroups(keycloak, tree),
      administration: createGroupAdministration(keycloak, tree, people),
      defaults: createDefaultGroups(keycloak, tree, people),
    }
  },
  routes: (http, { groups }) => routes(http, groups),
} satisfies Manifest<Parts>
