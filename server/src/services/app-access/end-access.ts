import type { IamResult } from '@quayside/contract/deployments/endpoints'
import { ignoreGone } from '../../adapters/keycloak/gone.ts'
import { createGroupTree } from '../../adapters/keycloak/group-tree.ts'
import type { Keycloak } from '../../adapters/keycloak/keycloak.ts'
import { countPeople, withDescendants } from '../../adapters/keycloak/people-of-groups.ts'
import { retryingKeycloak, type Waits } from '../../adapters/keycloak/retrying-keycloak.ts'
import { mapLimit } from '../../platform/concurrency/map-limit.ts'
import type { Logger } from '../../platform/logging/logger.ts'
import { appClientId, madeForApp } from './app-client.ts'
import { AccessFailed, type AccessTarget, outcome } from './outcome.ts'

/** The parts of an app's access that somebody has chosen to keep when the app is deleted. */
interface KeptAccess {
  grants: boolean
  redirectUris: boolean
}

const keepsNothing: KeptAccess = { grants: false, redirectUris: false }
const groupsAtOnce = 6

/** The end of an app's access, and what it would be the end of. */
export function createAccessEnd(keycloak: Keycloak, log: Logger) {
  const groups = createGroupTree(keycloak)

  async function removeClient(keycloak: Keycloak, target: AccessTarget, keep: KeptAccess): Promise<void> {
    const { realm, appId } = target
    const client = await clientOf(keycloak, realm, appId)
    if (!client?.id) return
    const { id } = client
    if (!keep.grants && !keep.redirectUris) {
      await keycloak.run((kc) => kc.clients.del({ realm, id })).catch(ignoreGone)
    } else if (!keep.redirectUris) {
      await keycloak.run((kc) => kc.clients.update({ realm, id }, { ...client, redirectUris: [] }))
    } else if (!keep.grants) {
      const roles = await keycloak.run((kc) => kc.clients.listRoles({ realm, id }))
      // By their ids: not every name can stand in a path.
      for (const role of roles)
        await keycloak.run((kc) => kc.roles.delById({ realm, id: role.id ?? '' })).catch(ignoreGone)
    }
  }

  return {
    /** Removes what a deployment was granted, but for what shall be kept. What is gone already is fine. */
    async revokeAccess(target: AccessTarget, waits: Waits, keep: KeptAccess = keepsNothing): Promise<IamResult> {
      const patient = retryingKeycloak(keycloak, waits)
      const { say } = waits
      try {
        await outcome('RolesFailed', () => removeClient(patient, target, keep))
        if (!keep.grants) await outcome('GroupFaild', () => removeEmptyGroups(patient, target))
        const said = wordsOf(target, keep)
        for (const line of said) say(line, 'info')
        return { type: 'Success', msg: keep.grants || keep.redirectUris ? (said.at(-1) ?? '') : 'Access is removed' }
      } catch (error) {
        const cut = patient.cut()
        if (cut) throw cut
        log.warn({ err: error, appId: target.appId }, 'access of an app could not be removed')
        if (error instanceof AccessFailed) return { type: error.type, msg: error.message }
        return { type: 'UnknownError', msg: error instanceof Error ? error.message : 'Unknown error' }
      }
    },

    /** Groups that hold a role of the app, how many people that are, and where sign-ins may lead back to. */
    async accessOf({ realm, appId }: Pick<AccessTarget, 'realm' | 'appId'>) {
      const client = await clientOf(keycloak, realm, appId)
      if (!client?.id) return { groups: [], people: 0, redirectUris: [] }
      const clientUniqueId = client.id
      const tree = await groups.tree(realm)
      const all = withDescendants(tree)
      const holding = await mapLimit(groupsAtOnce, all, ({ id }) =>
        keycloak.run((kc) => kc.groups.listClientRoleMappings({ realm, id, clientUniqueId })),
      )
      const granted = all.filter((_, index) => (holding[index]?.length ?? 0) > 0)
      return {
        groups: granted.map(({ name }) => name),
        people: await countPeople(keycloak, realm, tree, new Set(granted.map(({ id }) => id))),
        redirectUris: client.redirectUris ?? [],
      }
    },
  }
}

async function clientOf(keycloak: Keycloak, realm: string, appId: string) {
  const found = await keycloak.run((kc) => kc.clients.find({ realm, clientId: appClientId(appId) }))
  return found[0]
}

function wordsOf({ appId }: AccessTarget, keep: KeptAccess): string[] {
  if (!keep.grants && !keep.redirectUris) return ['Roles and redirect URIs are removed']
  const kept = `as client ${appClientId(appId)}`
  const { grants, redirectUris } = keep
  if (grants && redirectUris) return [`Roles and redirect URIs are kept ${kept}`]
  return grants
    ? ['Redirect URIs are removed', `Roles of groups are kept ${kept}`]
    : ['Roles are removed', `Redirect URIs are kept ${kept}`]
}

/** Groups that only this app's deployment had made and in which nobody is. */
export async function removeEmptyGroups(
  keycloak: Keycloak,
  target: AccessTarget,
  wanted: ReadonlySet<string> = new Set(),
): Promise<void> {
  const { realm } = target
  const groups = await keycloak.run((kc) => kc.groups.find({ realm, max: 1000, briefRepresentation: false }))
  const made = groups.filter(
    (group) =>
      group.attributes?.[madeForApp]?.includes(target.appId) && !group.subGroupCount && !wanted.has(group.id ?? ''),
  )
  for (const { id = '' } of made) {
    const members = await keycloak.run((kc) => kc.groups.listMembers({ realm, id, max: 1 }))
    if (members.length === 0) await keycloak.run((kc) => kc.groups.del({ realm, id })).catch(ignoreGone)
  }
}
