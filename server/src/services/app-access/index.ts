import type ClientRepresentation from '@keycloak/keycloak-admin-client/lib/defs/clientRepresentation.js'
import type RoleRepresentation from '@keycloak/keycloak-admin-client/lib/defs/roleRepresentation.js'
import type { IamResult, MessageLevel } from '@quayside/contract/deployments/endpoints'
import { isThere } from '../../adapters/keycloak/gone.ts'
import { createGroupTree } from '../../adapters/keycloak/group-tree.ts'
import type { Keycloak } from '../../adapters/keycloak/keycloak.ts'
import { withDescendants } from '../../adapters/keycloak/people-of-groups.ts'
import { type RetryingKeycloak, retryingKeycloak, type Waits } from '../../adapters/keycloak/retrying-keycloak.ts'
import { createUndo, type Undo } from '../../adapters/keycloak/undo.ts'
import type { Actor } from '../../platform/auth/actor.ts'
import { grantsOf } from '../../platform/auth/escalation.ts'
import { mapLimit } from '../../platform/concurrency/map-limit.ts'
import type { Exclusive } from '../../platform/db/exclusive.ts'
import type { Logger } from '../../platform/logging/logger.ts'
import { type AccessGroup, checkNewGroups, ensureGroup } from './access-groups.ts'
import { appClientId, appRedirectUris } from './app-client.ts'
import { createAccessEnd, removeEmptyGroups } from './end-access.ts'
import { AccessFailed, type AccessTarget, outcome } from './outcome.ts'
import type { Starter, StarterCheck } from './starter.ts'

const rolesAtOnce = 4

type Say = (message: string, level: MessageLevel) => void
type Moment = (name: 'F9' | 'F10' | 'F11') => Promise<void> | undefined
const never: Moment = () => undefined

interface Run {
  keycloak: RetryingKeycloak
  target: AccessTarget
  undo: Undo
  /** Nobody, when groups get back what they held before. */
  starter: Starter | undefined
  check: StarterCheck
}

/**
 * The groups by their ids. One that is gone is refused when it was chosen now, and left out when it was chosen long
 * ago.
 */
async function ensureGroups(run: Run, groups: AccessGroup[], exactly: boolean, say: Say) {
  const found = new Map<string, AccessGroup>()
  for (const group of groups) {
    const id = await ensureGroup({ ...run, mayMakeGroups: run.starter?.mayMakeGroups ?? true }, group)
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
    // Its tokens carry the roles of the app and nothing of what their owner may do in the portal.
    fullScopeAllowed: false,
    redirectUris: [],
    // Pages at the addresses of the app may ask for its tokens.
    webOrigins: ['+'],
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
  await mapLimit(isNew ? rolesAtOnce : 1, missing, async (name) => {
    await keycloak
      .run((kc) => kc.clients.createRole({ realm, id, name }))
      .catch((error: unknown) => {
        if (!isThere(error)) throw error
      })
    // By its id: not every name can stand in a path.
    undo.add(async () => {
      const made = (await rolesOf({ keycloak, target }, id)).get(name)?.id
      if (made) await keycloak.run((kc) => kc.roles.delById({ realm, id: made }))
    })
  })
}

type RolesByName = ReadonlyMap<string, RoleRepresentation>

async function rolesOf({ keycloak, target }: Pick<Run, 'keycloak' | 'target'>, id: string): Promise<RolesByName> {
  const roles = await keycloak.run((kc) => kc.clients.listRoles({ realm: target.realm, id }))
  return new Map(roles.map((role) => [role.name ?? '', role]))
}

async function giveRoles(run: Run, client: string, roles: RolesByName, group: AccessGroup, groupId: string) {
  const { keycloak, target, undo, starter, check } = run
  const { realm } = target
  const payload = await mapLimit(rolesAtOnce, group.resourceRoles, async (name) => {
    const role = roles.get(name)
    if (!role?.id || !target.resourceRoles.includes(name)) {
      throw new AccessFailed('RolesFailed', `${name} is not a role of ${target.appName}`)
    }
    if (starter) await check.mustHoldContent(starter, target, role)
    return { id: role.id, name }
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
  const everyGroup = withDescendants(await createGroupTree(keycloak).tree(realm))
  await mapLimit(rolesAtOnce, everyGroup, async ({ id }) => {
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

interface AppAccessDeps {
  keycloak: Keycloak
  portalUrl: string
  log: Logger
  exclusive: Exclusive
  check: StarterCheck
}

interface GrantOptions {
  moment?: Moment
  /** Takes the app's roles from all other groups. */
  exactly?: boolean
  /** The user for whom rights are handed out; without one, groups get back what they held before. */
  starterId?: string
}

/** Access of groups to a deployed app, for the deployment engine. */
export function createAppAccess({ keycloak, portalUrl, log, exclusive, check }: AppAccessDeps) {
  async function setUp(run: Run, groups: AccessGroup[], say: Say, { moment = never, exactly = false }: GrantOptions) {
    const { target } = run
    await moment('F9')
    const wanted = await outcome('GroupFaild', () => ensureGroups(run, groups, exactly, say))
    const names = [...wanted.values()].map(({ name }) => name)
    say(names.length === 0 ? 'No groups were chosen' : `Groups: ${names.join(', ')}`, 'info')
    await moment('F10')
    const client = await outcome('RolesFailed', () => ensureAppClient(run))
    const steps = await Promise.allSettled([
      outcome('RolesFailed', async () => {
        await ensureRoles(run, client)
        const roles: RolesByName = wanted.size > 0 ? await rolesOf(run, client.id) : new Map()
        for (const [id, group] of wanted) await giveRoles(run, client.id, roles, group, id)
        if (exactly && !client.isNew) await takeOtherRoles(run, client.id, wanted)
      }),
      outcome('RedirectUrisFailed', () => ensureRedirectUris(run, client, appRedirectUris(portalUrl, target.appId))),
    ])
    for (const step of steps) if (step.status === 'rejected') throw step.reason
    const roles = target.resourceRoles
    say(roles.length === 0 ? 'The app has no roles of its own' : `Roles: ${roles.join(', ')}`, 'info')
    return wanted
  }

  /** Looks at whoever hands out rights before and after it, with nobody else handing out any in between. */
  function judged<T>(target: AccessTarget, starterId: string, work: (starter: Starter) => Promise<T>): Promise<T> {
    return exclusive(grantsOf(target.realm), async (mustBeAlone) => {
      const look = () => outcome('RolesFailed', () => check.look(target, starterId))
      const before = await look()
      const result = await work(before)
      const after = await look()
      if (before.mayMakeGroups && !after.mayMakeGroups)
        throw new AccessFailed('GroupFaild', `${after.person.username} may not make groups any more`)
      await mustBeAlone()
      return result
    })
  }

  return {
    /**
     * Refuses a command whose new groups its caller may not make, or whose names are taken; `field` is where they
     * stand.
     */
    checkNewGroups: (actor: Actor, appId: string, groups: readonly AccessGroup[], field: string) =>
      checkNewGroups(keycloak, actor, appId, groups, field),

    /** Groups, roles and redirect URIs of a deployment. Can be repeated; undoes its own part when it fails. */
    async grantAccess(
      target: AccessTarget,
      groups: AccessGroup[],
      waits: Waits,
      options: GrantOptions = {},
    ): Promise<IamResult> {
      const { say } = waits
      const { moment = never, exactly = false, starterId } = options
      const patient = retryingKeycloak(keycloak, waits)
      const run: Run = { keycloak: patient, target, undo: createUndo(), starter: undefined, check }
      const grant = async (starter?: Starter) => setUp(Object.assign(run, { starter }), groups, say, options)
      try {
        // Without a group nobody gets anything.
        const isGrant = starterId !== undefined && groups.length > 0
        const wanted = isGrant ? await judged(target, starterId, grant) : await grant()
        if (exactly) await outcome('GroupFaild', () => removeEmptyGroups(patient, target, new Set(wanted.keys())))
        await moment('F11')
        return { type: 'Success', msg: 'Access is set up' }
      } catch (error) {
        const failed = error instanceof AccessFailed ? error : new AccessFailed('UnknownError', String(error), error)
        return undoAccess(log, run, failed, say)
      }
    },

    ...createAccessEnd(keycloak, log),
  }
}
export type AppAccess = ReturnType<typeof createAppAccess>

async function undoAccess(log: Logger, run: Run, error: AccessFailed, say: Say): Promise<IamResult> {
  // A wait that was cut short leaves the undoing, or another try, to the caller who has cut it.
  const cut = run.keycloak.cut()
  if (cut) throw cut
  log.warn({ err: error, appId: run.target.appId }, 'access of a deployment could not be set up')
  const left = await run.undo.all()
  for (const problem of left) say(`Could not be taken back: ${problem.message}`, 'error')
  return { type: error.type, msg: error.message }
}
