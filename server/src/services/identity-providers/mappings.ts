import type GroupRepresentation from '@keycloak/keycloak-admin-client/lib/defs/groupRepresentation.js'
import type { MappingInput, ProviderMapping } from '@quayside/contract/identity-providers/endpoints'
import { isGone } from '../../adapters/keycloak/gone.ts'
import type { Keycloak } from '../../adapters/keycloak/keycloak.ts'
import { orNotFound } from '../../adapters/keycloak/or-not-found.ts'
import { withOwnAttributes } from '../../adapters/keycloak/own-attributes.ts'
import { refusalOf } from '../../adapters/keycloak/refusal.ts'
import type { Actor } from '../../platform/auth/actor.ts'
import { mapLimit } from '../../platform/concurrency/map-limit.ts'
import { fail } from '../../platform/http/errors.ts'
import type { People } from '../permissions/index.ts'
import { changeAsAdministrator, findProvider } from './index.ts'
import { groupPathOf, kindOf, toMapper, toMapping } from './representations.ts'

const atOnce = 6

const flat = (groups: readonly GroupRepresentation[]): GroupRepresentation[] =>
  groups.flatMap((group) => [group, ...flat(group.subGroups ?? [])])

function mustBeMappable(input: MappingInput): void {
  if (input.kind !== 'attribute') return
  if (input.attribute === 'username')
    throw fail('request.invalid', { field: 'attribute', message: 'attribute: a user name is not changed by a claim' })
  withOwnAttributes({ [input.attribute]: [] })
}

/** Claims of a provider, and the groups, names and attributes that they lead to at each sign-in. */
export function createMappings(keycloak: Keycloak, people: People) {
  /** Groups of this path: "a/b", and "b" below "a", may share one. */
  async function groupsAt(realm: string, path: string): Promise<GroupRepresentation[]> {
    const search = path.slice(path.lastIndexOf('/') + 1)
    const found = await keycloak.run((kc) => kc.groups.find({ realm, search, briefRepresentation: true }))
    return flat(found).filter((one) => one.path === path)
  }

  async function groupAt(realm: string, path: string): Promise<ProviderMapping['group']> {
    const [group] = await groupsAt(realm, path)
    return group ? { id: group.id ?? '', name: group.name ?? '', path } : null
  }

  /** The path by which a mapping names a group, which has to be the one that its maker may give. */
  async function pathOf(realm: string, id: string): Promise<string> {
    const { path = '' } = await orNotFound(
      'iam.group-not-found',
      keycloak.run((kc) => kc.groups.findOne({ realm, id })),
    )
    const found = await groupsAt(realm, path)
    if (found.length === 1 && found[0]?.id === id) return path
    throw fail('request.invalid', {
      field: 'groupId',
      message: `groupId: another group has the path ${path} as well. Rename one of them first`,
    })
  }

  async function list({ realm }: Actor, alias: string): Promise<ProviderMapping[]> {
    await findProvider(keycloak, realm, alias)
    const mappers = await keycloak.run((kc) => kc.identityProviders.findMappers({ realm, alias }))
    const found = await mapLimit(atOnce, mappers, async (mapper) => {
      const path = groupPathOf(mapper)
      return toMapping(mapper, path === undefined ? null : await groupAt(realm, path))
    })
    return found.sort((one, other) => one.name.localeCompare(other.name))
  }

  return {
    list,

    /** A mapping puts people into a group: its maker could do so by hand. */
    async create(actor: Actor, alias: string, input: MappingInput): Promise<ProviderMapping> {
      const { realm } = actor
      mustBeMappable(input)
      if (kindOf(await findProvider(keycloak, realm, alias)) !== 'oidc') throw fail('iam.provider-kept')
      const id = await changeAsAdministrator(people, actor, 'gives', async (judged) => {
        let path = ''
        if (input.kind === 'group') {
          await judged.mayGiveGroup(input.groupId, 'groupId')
          path = await pathOf(realm, input.groupId)
        }
        const identityProviderMapper = toMapper(alias, input, path)
        const known = await keycloak.run((kc) => kc.identityProviders.findMappers({ realm, alias }))
        if (known.some(({ name }) => name === identityProviderMapper.name))
          throw fail('iam.mapping-exists', { field: 'claim' })
        const asked = { realm, alias, identityProviderMapper }
        try {
          return (await keycloak.run((kc) => kc.identityProviders.createMapper(asked))).id
        } catch (error) {
          throw refusalOf(error)
        }
      })
      const made = (await list(actor, alias)).find((one) => one.id === id)
      if (!made) throw fail('iam.mapping-not-found', { field: 'id' })
      return made
    },

    async remove(actor: Actor, alias: string, id: string): Promise<void> {
      const { realm } = actor
      await findProvider(keycloak, realm, alias)
      await changeAsAdministrator(people, actor, 'takes', async () => {
        await keycloak
          .run((kc) => kc.identityProviders.delMapper({ realm, alias, id }))
          .catch((error: unknown) => {
            throw isGone(error) ? fail('iam.mapping-not-found', { field: 'mid', cause: error }) : refusalOf(error)
          })
      })
    },
  }
}
export type Mappings = ReturnType<typeof createMappings>
