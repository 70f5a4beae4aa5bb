import type ClientRepresentation from '@keycloak/keycloak-admin-client/lib/defs/clientRepresentation.js'
import type { IamResult, MessageLevel } from '@quayside/contract/deployment'
import type { Keycloak } from '../../adapters/keycloak/keycloak.ts'
import type { Logger } from '../../kernel/logger.ts'
import { AccessFailed, type AccessTarget, outcome } from './access-outcome.ts'
import { appClientId, appRedirectUris, madeForApp } from './app-client.ts'
import { mapAtOnce } from './at-once.ts'
import { createAccessEnd, removeEmptyGroups } from './end-access.ts'
import { isThere } from './gone.ts'
import { createGroups } from './groups.ts'
import { type PatientKeycloak, patientKeycloak, type Waits } from './patient-keycloak.ts'
import { withDescendants } from './people-of-groups.ts'
import { createUndo, type Undo } from './undo.ts'

export interface AccessGroup {
  id: string | null
  name: string
  resourceRoles: string[]
}

const rolesAtOnce = 4

type Say = (message: string, level: MessageLevel) => void
type Moment = (name: 'F9' | 'F10' | 'F11') => Promise<void> | undefined
const never: Moment = () => undefined

interface Run {
  keycloak: PatientKeycloak
  target: AccessTarget
  undo: Undo
}

/** The group by its id, else by its name at the top level; made when a name is new. */
async function ensureGroup({ keycloak, target, undo }: Run, wanted: AccessGroup): Promise<string | undefined> {
  const { realm } = target
  if (wanted.id !== null) {
    const id = wanted.id
    const group = await keycloak.run((kc) => kc.groups.findOne({ realm, id }))
    return group?.id
  }
  const known = await groupNamed(keycloak, realm, wanted.name)
  if (known?.id) return known.id
  const attributes = { [madeForApp]: [target.appId] }
  const made = await keycloak
    .run((kc) => kc.groups.create({ realm, name: wanted.name, attributes }))
    .catch(async (error: unknown) => {
      const there = isThere(error) ? await groupNamed(keycloak, realm, wanted.name) : undefined
      if (!there?.id) throw error
      return { id: there.id, isOthers: !there.attributes?.[madeForApp]?.includes(target.appId) }
    })
  const { id } = made
  if (!('isOthers' in made && made.isOthers)) undo.add(() => keycloak.run((kc) => kc.groups.del({ realm, id })))
  return id
}

async function groupNamed(keycloak: Keycloak, realm: string, name: string) {
  const query = { realm, search: name, exact: true, briefRepresentation: false }
  const found = await keycloak.run((kc) => kc.groups.find(query))
  return found.find((group) => group.name === name && !group.parentId)
}

/** The groups by their ids. One that is gone is refused when it was chosen now, and left out when it was chosen long ago. */
async function ensureGroups(run: Run, groups: AccessGroup[], exactly: boolean, say: Say) {
  const found = new Map<string, AccessGroup>()
  for (const group of groups) {
    const id = await ensureGroup(run, group)
    const gone = `The group ${group.name} does not exist any more`
    if (id) found.set(id, group)
    else if (exactly) say(gone, 'error')
    else throw new AccessFailed('GroupFaild', gone)
  }
  return found
}

interface AppClient {
  id: string
  isNew: boolean
  representation: ClientRepresentation
}

/** The app's own client; the roles of apps stay apart from those of the portal, so they open nothing but the app. */
async function ensureAppClient({ keycloak, target, undo }: Run): Promise<AppClient> {
  const { realm } = target
  const clientId = appClientId(target.appId)
  const find = async () => (await keycloak.run((kc) => kc.clients.find({ realm, clientId })))[0]
  const known = await find()
  if (known?.id) return { id: known.id, isNew: false, representation: known }
  const representation = {
    clientId,
    name: target.appName,
    description: `Release ${target.releaseName}`,
    protocol: 'openid-connect',
    publicClient: true,
    standardFlowEnabled: true,
    directAccessGrantsEnabled: false,
    redirectUris: [],
    attributes: { 'pkce.code.challenge.method': 'S256', 'post.logout.redirect.uris': '+' },
  }
  const { id } = await keycloak
    .run((kc) => kc.clients.create({ realm, ...representation }))
    .catch(async (error: unknown) => {
      // Nobody else makes it, and one action at a time works on an app: a try whose answer was lost has made it.
      const made = isThere(error) ? await find() : undefined
      if (!made?.id) throw error
      return { id: made.id }
    })
  undo.add(() => keycloak.run((kc) => kc.clients.del({ realm, id })))
  return { id, isNew: true, representation }
}

async function ensureRoles({ keycloak, target, undo }: Run, { id, isNew }: AppClient): Promise<void> {
  const { realm } = target
  const known = new Set(isNew ? [] : (await rolesOf({ keycloak, target }, id)).keys())
  const missing = target.resourceRoles.filter((wanted) => !known.has(wanted))
  // A new client is undone as a whole, so its roles can be made side by side.
  await mapAtOnce(isNew ? rolesAtOnce : 1, missing, async (name) => {
    await keycloak
      .run((kc) => kc.clients.createRole({ realm, id, name }))
      .catch((error: unknown) => {
        if (!isThere(error)) throw error
      })
    undo.add(() => keycloak.run((kc) => kc.clients.delRole({ realm, id, roleName: name })))
  })
}

/** Ids of the client's roles by their names. */
async function rolesOf({ keycloak, target }: Omit<Run, 'undo'>, id: string): Promise<Map<string, string>> {
  const roles = await keycloak.run((kc) => kc.clients.listRoles({ realm: target.realm, id }))
  return new Map(roles.map((role) => [role.name ?? '', role.id ?? '']))
}

async function giveRoles(run: Run, client: string, roles: Map<string, string>, group: AccessGroup, groupId: string) {
  const { keycloak, target, undo } = run
  const { realm } = target
  const payload = group.resourceRoles.map((name) => {
    const id = roles.get(name)
    if (!id || !target.resourceRoles.includes(name)) {
      throw new AccessFailed('RolesFailed', `${name} is not a role of ${target.appName}`)
    }
    return { id, name }
  })
  const address = { realm, id: groupId, clientUniqueId: client }
  const held = new Set((await keycloak.run((kc) => kc.groups.listClientRoleMappings(address))).map((role) => role.name))
  const missing = payload.filter((role) => !held.has(role.name))
  if (missing.length === 0) return
  await keycloak.run((kc) => kc.groups.addClientRoleMappings({ ...address, roles: missing }))
  undo.add(() => keycloak.run((kc) => kc.groups.delClientRoleMappings({ ...address, roles: missing })))
}

/** Every other group loses its roles of the app, and those that stay lose what is not theirs any more. */
async function takeOtherRoles({ keycloak, target, undo }: Run, client: string, wanted: Map<string, AccessGroup>) {
  const { realm } = target
  const everyGroup = withDescendants(await createGroups(keycloak).tree(realm))
  await mapAtOnce(rolesAtOnce, everyGroup, async ({ id }) => {
    const address = { realm, id, clientUniqueId: client }
    const held = await keycloak.run((kc) => kc.groups.listClientRoleMappings(address))
    const surplus = held
      .map(({ id: role = '', name = '' }) => ({ id: role, name }))
      .filter(({ name }) => !wanted.get(id)?.resourceRoles.includes(name))
    if (surplus.length === 0) return
    await keycloak.run((kc) => kc.groups.delClientRoleMappings({ ...address, roles: surplus }))
    undo.add(() => keycloak.run((kc) => kc.groups.addClientRoleMappings({ ...address, roles: surplus })))
  })
}

async function ensureRedirectUris(
  { keycloak, target, undo }: Run,
  { id, representation }: AppClient,
  uris: readonly string[],
): Promise<void> {
  const { realm } = target
  const known = representation.redirectUris ?? []
  const missing = uris.filter((uri) => !known.includes(uri))
  if (missing.length === 0) return
  const write = (redirectUris: string[]) =>
    keycloak.run((kc) => kc.clients.update({ realm, id }, { ...representation, id, redirectUris }))
  await write([...known, ...missing])
  undo.add(() => write(known))
}

/** Who may enter a deployed app: what the deployment engine asks of this service. */
export function createAppAccess(keycloak: Keycloak, portalUrl: string, log: Logger) {
  async function takeBack(run: Run, error: AccessFailed, say: Say): Promise<IamResult> {
    // Whoever has cut this short takes back the whole of it, or does the whole of it again.
    const cut = run.keycloak.cut()
    if (cut) throw cut
    log.warn({ err: error, appId: run.target.appId }, 'access of a deployment could not be set up')
    const left = await run.undo.all()
    for (const problem of left) say(`Could not be taken back: ${problem.message}`, 'error')
    return { type: error.type, msg: error.message }
  }

  return {
    /** Groups, roles and redirect URIs of a deployment. Can be repeated; undoes its own part when it fails. `exactly` takes roles from all others. */
    async grantAccess(
      target: AccessTarget,
      groups: AccessGroup[],
      waits: Waits,
      moment: Moment = never,
      exactly = false,
    ): Promise<IamResult> {
      const { say } = waits
      const run: Run = { keycloak: patientKeycloak(keycloak, waits), target, undo: createUndo() }
      try {
        await moment('F9')
        const wanted = await outcome('GroupFaild', () => ensureGroups(run, groups, exactly, say))
        say(
          wanted.size === 0
            ? 'No groups were chosen'
            : `Groups: ${[...wanted.values()].map(({ name }) => name).join(', ')}`,
          'info',
        )
        await moment('F10')
        const client = await outcome('RolesFailed', () => ensureAppClient(run))
        const steps = await Promise.allSettled([
          outcome('RolesFailed', async () => {
            await ensureRoles(run, client)
            const roles = wanted.size > 0 ? await rolesOf(run, client.id) : new Map<string, string>()
            for (const [id, group] of wanted) await giveRoles(run, client.id, roles, group, id)
            if (exactly && !client.isNew) await takeOtherRoles(run, client.id, wanted)
          }),
          outcome('RedirectUrisFailed', () =>
            ensureRedirectUris(run, client, appRedirectUris(portalUrl, target.appId)),
          ),
        ])
        for (const step of steps) if (step.status === 'rejected') throw step.reason
        say(
          target.resourceRoles.length === 0
            ? 'The app has no roles of its own'
            : `Roles: ${target.resourceRoles.join(', ')}`,
          'info',
        )
        if (exactly) await outcome('GroupFaild', () => removeEmptyGroups(run.keycloak, target, new Set(wanted.keys())))
        await moment('F11')
        return { type: 'Success', msg: 'Access is set up' }
      } catch (error) {
        const failed = error instanceof AccessFailed ? error : new AccessFailed('UnknownError', String(error), error)
        return takeBack(run, failed, say)
      }
    },

    ...createAccessEnd(keycloak, log),
  }
}
