import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { topicRules } from '@quayside/contract/capabilities'
import type { IamResultType } from '@quayside/contract/deployments/endpoints'
import { scopesEverywhere } from '@quayside/contract/permissions/scopes'
import { sql } from 'kysely'
import type { Actor } from '../../../platform/auth/actor.ts'
import type { Access, Rights } from '../../../platform/auth/rights.ts'
import { openDb } from '../../../platform/db/db.ts'
import { migrate } from '../../../platform/db/migrate.ts'
import { createEncryption } from '../../../platform/encryption/encryption.ts'
import { fail } from '../../../platform/http/errors.ts'
import { createRefusalLimit } from '../../../platform/http/refusal-limit.ts'
import { createJobs } from '../../../platform/jobs/jobs.ts'
import { createLive } from '../../../platform/live/live.ts'
import { createLogger } from '../../../platform/logging/logger.ts'
import type { DeploymentDeps } from '../deps.ts'
import { createDeployments, type Deployments } from '../index.ts'
import { steps } from '../migrations.ts'
import type { AccessPort } from '../ports.ts'
import { createFakeApps, space, version } from './fake-apps.ts'
import { createScriptedCluster } from './scripted-cluster.ts'

/** People of the harness by their token. */
export const people = {
  ann: person('ann', 't1'),
  bob: person('bob', 't1'),
  eve: person('eve', 't2'),
  carl: withoutYaml(person('carl', 't1')),
  /** Bob, after his roles were taken away. */
  less: { ...person('bob', 't1'), resourceRoles: new Set<string>(), token: 'less' },
}

function withoutYaml(actor: Actor): Actor {
  const roles = [...actor.resourceRoles].filter((role) => !role.endsWith('.yaml'))
  return { ...actor, resourceRoles: new Set(roles) }
}

function person(name: string, tenantId: string): Actor {
  return {
    userId: name,
    username: name,
    email: null,
    tenantId,
    tenantIdentifier: tenantId,
    realm: tenantId,
    realmRoles: new Set(),
    groupIds: new Set(),
    clientId: '',
    resourceRoles: new Set(
      [
        'catalog.deploy',
        'catalog.deployments.view',
        'catalog.deployments.manage',
        'catalog.apps.deploy.infrastructure.yaml',
      ].map((role) => `quayside-portal-ui-catalog-apps:${role}`),
    ),
    scopes: new Set(),
    expiresAt: Date.now() / 1000 + 3600,
    token: name,
  }
}

/** Rights by roles of the tenant alone: spaces of the harness have no lists. */
const rights: Rights = {
  everywhere: ({ resourceRoles }) => scopesEverywhere(resourceRoles),
  at: async (actor, _, ids) => {
    const held = rights.everywhere(actor)
    return new Map(held.has('app.view') ? ids.map((id) => [id, held]) : [])
  },
  isSomewhere: async (actor, anyOf) => anyOf.some((scope) => rights.everywhere(actor).has(scope)),
  condition: (actor, scope) => (rights.everywhere(actor).has(scope) ? undefined : () => sql<boolean>`false`),
  granted: () => sql`null`,
  scopesFrom: (actor) => [...rights.everywhere(actor)],
  mayHear: async (actor, _, scope) => rights.everywhere(actor).has(scope),
  hearsSomewhere: (actor, anyOf) => rights.isSomewhere(actor, anyOf),
  find: async () => undefined,
  fingerprint: async (actor) => [...rights.everywhere(actor)].join(' '),
}

/** The access that a route would hand to its handler. */
export function accessOf(actor: Actor): Access {
  const scopes = rights.everywhere(actor)
  return { scopes, at: () => scopes, spacesWith: (scope) => rights.condition(actor, scope) }
}

/** A reader who sees every action of a tenant. */
export const readerOf = (tenantId: string) => ({ tenantId, userId: 'nobody', within: undefined })

/** For actions that nobody stops from being looked at. */
const lookingOn = accessOf(people.ann)
export const looking = { access: lookingOn, isGone: () => false, mustStillBeAllowed: async () => lookingOn }

const catalog: DeploymentDeps['catalog'] = {
  get: async () => ({ ...version.item, deployedCount: 0 }),
  versionOf: async (_, id) => (id === version.version.id ? version : undefined),
  crdsOf: async () => [],
  packageFile: async () => '/packages/web.tgz',
}

const spaces: DeploymentDeps['spaces'] = {
  record: async (_, id) => (/^space0\d$/.test(id) ? { ...space, id } : undefined),
  remove: async () => undefined,
  leave: async () => undefined,
  mustHaveLeft: async () => undefined,
  mustUse: async () => undefined,
  mustNotBeFrozen: async () => undefined,
  leaveCluster: async () => undefined,
  usersOf: async () => new Map(),
}

/** The state of the scripted identity server. */
const newGrants = () => ({
  held: new Set<string>(),
  /** Ids of people who have lost all rights. */
  lost: new Set<string>(),
  result: 'Success' as IamResultType | 'breaks',
  /** The identity server is away: calls to it wait. */
  isAway: false,
  /** Called right after access was taken back. */
  onRevoked: async () => {},
})

/** Access of groups to apps, given and taken as the test has written down. */
const scriptedAccess = (grants: ReturnType<typeof newGrants>): AccessPort => ({
  async checkNewGroups() {},
  async grantAccess({ appId }, _groups, { say, pause }) {
    if (grants.isAway) {
      grants.held.add(appId)
      say('Waiting for the identity server, trying again in 60 s', 'info')
      await pause(60_000)
    }
    if (grants.result === 'breaks') throw new Error('the identity server broke off')
    if (grants.result === 'Success') grants.held.add(appId)
    return { type: grants.result, msg: grants.result === 'Success' ? 'Access is set up' : 'A role could not be made' }
  },
  async revokeAccess({ appId }) {
    if (grants.result === 'RolesFailed') return { type: 'RolesFailed', msg: 'A role could not be removed' }
    grants.held.delete(appId)
    await grants.onRevoked()
    return { type: 'Success', msg: 'Access is removed' }
  },
  accessOf: async () => ({ groups: [], people: 0, redirectUris: [] }),
})

/** Knows the people of the harness by their names, in place of tokens. */
function scriptedAuth(doors: { refusals: number }) {
  const actorOf = async (token: string) => {
    if (doors.refusals > 0) {
      doors.refusals -= 1
      throw fail('database.unavailable')
    }
    const actor = people[token as keyof typeof people]
    if (!actor) throw fail('auth.invalid')
    return actor
  }
  const nothing = () => undefined
  return { actorOf, isOutdated: () => false, knows: () => true, forget: nothing, onRevoked: nothing }
}

export type Harness = Awaited<ReturnType<typeof createHarness>>

/**
 * The deployment service with a real database, queue and sockets; the cluster and Helm are scripted, because what is
 * tried here is how the service lives with their faults.
 */
export async function createHarness(databaseUrl: string, { leaseSeconds = 30 } = {}) {
  const log = createLogger(process.env.LOG_LEVEL ?? 'silent')
  const scripted = createScriptedCluster()
  const fakeApps = createFakeApps()
  /** How often the next sockets cannot be told whose they are, because the database is away. */
  const doors = { refusals: 0 }
  const grants = newGrants()
  const dataDir = mkdtempSync(join(tmpdir(), 'quayside-harness-'))
  const access = scriptedAccess(grants)

  /** One more portal process, as far as the ledger can tell; one that does not work serves browsers alone. */
  async function startReplica({ works = true } = {}): Promise<Deployments & { url: string; end(): Promise<void> }> {
    const db = openDb(databaseUrl, log)
    await migrate(db, steps)
    const server = createServer()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const auth = scriptedAuth(doors)
    const live = await createLive({
      ...{ server, auth, db, log, rights, allowedOrigins: () => [], addressOf: () => '' },
      refusals: createRefusalLimit(),
      topics: topicRules,
      most: 100,
    })
    const jobs = await createJobs(databaseUrl, log)
    const deps: DeploymentDeps = {
      db,
      config: { dataDir, deployTimeoutSeconds: 60, leaseSeconds, ledgerDays: 365, waitingHelms: 24 },
      log,
      encryption: createEncryption('a secret key for tests, long enough'),
      jobs: works ? jobs : { ...jobs, work: async () => undefined, every: () => undefined },
      live,
      helm: scripted.helm,
      catalog,
      spaces,
      apps: fakeApps.apps,
      sidebar: { pinsOfApp: async () => ({ pins: 0, people: 0 }), removePinsOfApp: async () => undefined },
      clusters: scripted.clusters,
      access,
      rights,
      mayStill: async ({ userId }) => !grants.lost.has(userId),
      hasRole: async () => true,
      areTenantsSeveral: async () => false,
    }
    const deployments = await createDeployments(deps)
    await deployments.start()
    return {
      ...deployments,
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      async end() {
        await deployments.drain(100)
        await jobs.close()
        await deployments.close()
        await live.close()
        await db.close()
      },
    }
  }

  const first = await startReplica()
  return {
    ...scripted,
    doors,
    grants,
    fakeApps,
    first,
    startReplica,
    async close() {
      await first.end()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
